package check

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// keyRules check the keys of tables and indexes.
var keyRules = []rule{
	keyType, keyCollision, idInKey, keyTooLong, keyAbsent, delimiterInValue,
	keyKinds, keyMissing, keyCanChange, keyChanged, encryptedKey, padAndFilter, unfitKeyValue,
	secretInKey, caseNotFolded, personalKey, roleReadsOthers, bindWithoutKey,
}

// keyType finds key attributes of a type that cannot be a key (K101). Templates are always
// strings, so only attributes used directly as a key can be wrong.
func keyType(s *subject) {
	for _, use := range s.keyUses() {
		if use.Key == nil || use.Key.Kind() != "" && !isJSON(use.Key) {
			continue
		}
		a, entity := use.Key.Attribute, use.Item.Entity.Name
		fix := fmt.Sprintf("Use a string, number or binary attribute; to query by elements of %s, store one item per element", a.Name)
		if a.Type.InTemplate() {
			fix = fmt.Sprintf(`Name the key %s_key and write %s_key: "{%s}" under items, %s`, a.Name, a.Name, a.Name, entity)
		}
		why := "a key must be a string, a number or binary"
		if isJSON(use.Key) {
			why = "one value has several spellings"
			fix = fmt.Sprintf("Use a string or number attribute of %s, or a hash of %s", entity, a.Name)
		}
		s.report.Add(diag.Finding{
			Code: "K101", Place: use.Declared, Subject: subjectOf(use),
			Message: fmt.Sprintf("%s of %s is %s, and %s: it cannot be the %s of %s", a.Name, entity, a.Type, why, use.role(), use.Path),
			Fix:     fix,
			Related: []diag.Related{{Place: a.TypePlace, Message: fmt.Sprintf("%s is %s", a.Name, a.Type)}},
		})
	}
}

// isJSON reports whether a key is a JSON text: DynamoDB accepts it, but equal values may be
// spelled differently.
func isJSON(k *model.Key) bool { return k.Attribute != nil && k.Attribute.Type.Base == model.JSON }

// keyAbsent finds primary keys that some items lack (K105).
func keyAbsent(s *subject) {
	for _, use := range s.keyUses() {
		if !use.Path.IsTable() || use.Key == nil {
			continue
		}
		if when := use.Key.When; len(when) > 0 {
			s.report.Add(diag.Finding{
				Code: "K105", Place: when[0].Place, Subject: subjectOf(use),
				Message: fmt.Sprintf("%s is the %s of %s, but %s has it only under a condition (when)", use.Name, use.role(), use.Path, use.Item.Entity.Name),
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
				Fix:     fmt.Sprintf("Write %s: %s without ?, or remove %s from the key", a.Name, required, a.Name),
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
			Fix:     fmt.Sprintf(`Write %s: "%s" under items, %s`, use.Name, proposedKey(entity, use.Path.Table.Delimiter), entity.Name),
			Related: []diag.Related{{Place: use.Declared, Message: use.Name + " is the " + use.role()}},
		})
	}
}

// keyKinds finds key attributes that are strings for one entity and numbers or binary for
// another (K107). Index keys count as well: DynamoDB rejects an item whose index key has
// the wrong type.
func keyKinds(s *subject) {
	first := map[tableKey]typedKey{}
	for _, k := range typedKeys(s) {
		if k.key.Kind() == "" {
			continue
		}
		id := tableKey{k.table, k.key.Name}
		before, known := first[id]
		if !known {
			first[id] = k
			continue
		}
		if before.key.Kind() != k.key.Kind() && before.owner != k.owner {
			s.report.Add(kindsDiffer(before, k))
		}
	}
}

// A tableKey names a key attribute of a table.
type tableKey struct {
	table *model.Table
	name  string
}

// A typedKey is the key of an entity or a guard, with the place that decides its type.
type typedKey struct {
	table *model.Table
	owner string
	key   *model.Key
	at    diag.Place
}

// typedKeys returns the keys of all entities and guards.
func typedKeys(s *subject) []typedKey {
	var all []typedKey
	for _, use := range s.keyUses() {
		if use.Key != nil {
			all = append(all, typedKey{use.Item.Table, use.Item.Entity.Name, use.Key, kindPlace(use)})
		}
	}
	for _, table := range s.design.Tables {
		for _, guard := range table.Guards {
			for _, name := range primaryNames(table) {
				if key := guardKey(guard, name); key != nil {
					all = append(all, typedKey{table, "the guard of " + guardName(guard), key, templatePlace(key.Template)})
				}
			}
		}
	}
	return all
}

func kindsDiffer(before, k typedKey) diag.Finding {
	was := kindWord(before.key.Kind())
	return diag.Finding{
		Code: "K107", Place: k.at, Subject: "table " + k.table.Name,
		Message: fmt.Sprintf("%s is %s in %s and %s in %s, but a key of %s has one type", k.key.Name, kindWord(k.key.Kind()), k.owner, was, before.owner, k.table.Name),
		Related: []diag.Related{{Place: before.at, Message: fmt.Sprintf("%s for %s", was, before.owner)}},
	}
}

// kindPlace returns the place that decides the type of a key: its template or the attribute's
// type.
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

// proposedKey returns a key template for an entity that has none.
func proposedKey(e *model.Entity, d model.Delimiter) string {
	text := strings.ToUpper(e.Name)
	for _, a := range e.ID {
		text += d.String() + "{" + a.Name + "}"
	}
	return text
}

func primaryNames(t *model.Table) []string {
	if t.SK.Name == "" {
		return []string{t.PK.Name}
	}
	return []string{t.PK.Name, t.SK.Name}
}

// guardKey returns the value a guard row has for a key attribute, or nil.
func guardKey(g *model.Guard, name string) *model.Key {
	for _, c := range g.Computed {
		if c.Name == name {
			return &model.Key{Name: name, Template: c.Template, When: c.When, Place: c.Place}
		}
	}
	return nil
}

// guardName returns the name of a guard in the design file: User.email,
// Member.household_id+name.
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

// subjectOf returns the subject of a finding about a key.
func subjectOf(use keyUse) string {
	if use.Path.Index != nil {
		return fmt.Sprintf("index %s of %s", use.Path.Index.Name, use.Path.Table.Name)
	}
	return "table " + use.Path.Table.Name
}
