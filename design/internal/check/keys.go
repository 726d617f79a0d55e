package check

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// keyRules look at the keys of tables and indexes.
var keyRules = []rule{
	keyType, keyCollision, idInKey, keyTooLong, keyAbsent, delimiterInValue,
	keyKinds, keyMissing, keyCanChange, keyChanged, encryptedKey, padAndFilter, unfitKeyValue,
}

// keyType finds key attributes of a type DynamoDB refuses (K101). Templates are
// always text, so only attributes that are a key as they are can be wrong.
func keyType(s *subject) {
	for _, use := range s.keyUses() {
		if use.Key == nil || use.Key.Kind() != "" && !isJSON(use.Key) {
			continue
		}
		a, entity := use.Key.Attribute, use.Item.Entity.Name
		fix := fmt.Sprintf("Use an attribute that is one text, number or piece of bytes; each element of %s needs an item of its own to be found by", a.Name)
		if a.Type.InTemplate() {
			fix = fmt.Sprintf(`Name the key %s_key and write %s_key: "{%s}" under items, %s`, a.Name, a.Name, a.Name, entity)
		}
		why := "a key must be a string, a number or bytes"
		if isJSON(use.Key) {
			why = "one value of it has many spellings"
			fix = fmt.Sprintf("Use an attribute of %s that is one text or number, or a hash of %s", entity, a.Name)
		}
		s.report.Add(diag.Finding{
			Code: "K101", Place: use.Declared, Subject: subjectOf(use),
			Message: fmt.Sprintf("%s of %s is %s, and %s: it cannot be the %s of %s", a.Name, entity, a.Type, why, use.role(), use.Path),
			Fix:     fix,
			Related: []diag.Related{{Place: a.TypePlace, Message: fmt.Sprintf("%s is %s", a.Name, a.Type)}},
		})
	}
}

// isJSON reports whether a key is a JSON text as it is: DynamoDB would take it, but nothing
// would be found by it for sure.
func isJSON(k *model.Key) bool { return k.Attribute != nil && k.Attribute.Type.Base == model.JSON }

// keyAbsent finds primary keys that some items would not have (K105).
func keyAbsent(s *subject) {
	for _, use := range s.keyUses() {
		if !use.Path.IsTable() || use.Key == nil {
			continue
		}
		if when := use.Key.When; len(when) > 0 {
			s.report.Add(diag.Finding{
				Code: "K105", Place: when[0].Place, Subject: subjectOf(use),
				Message: fmt.Sprintf("%s is the %s of %s, but %s has it only under a condition", use.Name, use.role(), use.Path, use.Item.Entity.Name),
				Fix:     fmt.Sprintf(`Write %s: "%s" without when`, use.Name, use.Key.Template),
			})
		}
		for i, part := range use.Key.Parts() {
			a := part.Attribute
			if a == nil || !a.Type.Optional {
				continue
			}
			required := a.Type
			required.Optional = false
			s.report.Add(diag.Finding{
				Code: "K105", Place: use.partPlace(i), Subject: subjectOf(use),
				Message: fmt.Sprintf("%s of %s may be absent, but it is in the %s of %s", a.Name, use.Item.Entity.Name, use.role(), use.Path),
				Fix:     fmt.Sprintf("Write %s: %s without ?, or take %s out of the key", a.Name, required, a.Name),
				Related: []diag.Related{{Place: a.TypePlace, Message: fmt.Sprintf("%s is %s", a.Name, a.Type)}},
			})
		}
	}
}

// keyMissing finds items without a value for a key of their table (K108).
func keyMissing(s *subject) {
	for _, use := range s.keyUses() {
		if !use.Path.IsTable() || use.Key != nil {
			continue
		}
		entity := use.Item.Entity
		s.report.Add(diag.Finding{
			Code: "K108", Place: use.Item.Place, Subject: subjectOf(use),
			Message: fmt.Sprintf("%s has no value for %s, the %s of %s", entity.Name, use.Name, use.role(), use.Path),
			Fix:     fmt.Sprintf(`Write %s: "%s" under items, %s`, use.Name, proposedKey(entity), entity.Name),
			Related: []diag.Related{{Place: use.Declared, Message: use.Name + " is the " + use.role()}},
		})
	}
}

// keyKinds finds key attributes that are text for one entity and a number or bytes
// for another (K107). Keys of indexes count as well: DynamoDB refuses an item whose
// index key has the wrong kind.
func keyKinds(s *subject) {
	type first struct {
		kind string
		who  string
		at   diag.Place
	}
	seen := map[*model.Table]map[string]first{}
	look := func(table *model.Table, who string, key *model.Key, at diag.Place) {
		if key == nil || key.Kind() == "" {
			return
		}
		if seen[table] == nil {
			seen[table] = map[string]first{}
		}
		before, known := seen[table][key.Name]
		if !known {
			seen[table][key.Name] = first{key.Kind(), who, at}
			return
		}
		if before.kind == key.Kind() || before.who == who {
			return
		}
		s.report.Add(diag.Finding{
			Code: "K107", Place: at, Subject: "table " + table.Name,
			Message: fmt.Sprintf("%s is %s in %s and %s in %s, but a key of %s has one kind", key.Name, kindWord(key.Kind()), who, kindWord(before.kind), before.who, table.Name),
			Related: []diag.Related{{Place: before.at, Message: fmt.Sprintf("%s for %s", kindWord(before.kind), before.who)}},
		})
	}
	for _, use := range s.keyUses() {
		if use.Key != nil {
			look(use.Item.Table, use.Item.Entity.Name, use.Key, kindPlace(use))
		}
	}
	for _, table := range s.design.Tables {
		for _, guard := range table.Guards {
			for _, name := range primaryNames(table) {
				if key := guardKey(guard, name); key != nil {
					look(table, "the guard of "+guardName(guard), key, templatePlace(key.Template))
				}
			}
		}
	}
}

// kindPlace is where the kind of a key is decided: its template or the attribute's type.
func kindPlace(use keyUse) diag.Place {
	if use.Key.Attribute != nil {
		return use.Key.Attribute.TypePlace
	}
	return use.place()
}

func kindWord(kind string) string {
	switch kind {
	case "N":
		return "a number"
	case "B":
		return "bytes"
	}
	return "a string"
}

// proposedKey is a template that fits an entity without one.
func proposedKey(e *model.Entity) string {
	text := strings.ToUpper(e.Name)
	for _, a := range e.ID {
		text += model.Delimiter + "{" + a.Name + "}"
	}
	return text
}

func primaryNames(t *model.Table) []string {
	if t.SK.Name == "" {
		return []string{t.PK.Name}
	}
	return []string{t.PK.Name, t.SK.Name}
}

// guardKey is the value a guard row has for a key attribute, or nil.
func guardKey(g *model.Guard, name string) *model.Key {
	for _, c := range g.Computed {
		if c.Name == name {
			return &model.Key{Name: name, Template: c.Template, When: c.When, Place: c.Place}
		}
	}
	return nil
}

// guardName is a guard as the design file names it: User.email, Member.household_id+name.
func guardName(g *model.Guard) string {
	return g.Entity.Name + "." + attributeWords(g.Attributes)
}

func attributeWords(attributes []*model.Attribute) string {
	names := make([]string, len(attributes))
	for i, a := range attributes {
		names[i] = a.Name
	}
	return strings.Join(names, "+")
}

// subjectOf is what a finding about a key is about.
func subjectOf(use keyUse) string {
	if use.Path.Index != nil {
		return fmt.Sprintf("index %s of %s", use.Path.Index.Name, use.Path.Table.Name)
	}
	return "table " + use.Path.Table.Name
}
