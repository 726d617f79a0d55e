package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// cannotEncrypt finds attributes that cannot be encrypted because of their type or because
// DynamoDB needs their value (F015).
func cannotEncrypt(s *subject) {
	for _, e := range s.entities() {
		for _, a := range e.Encrypt {
			if why, fix := unsealable(e, s.layout.Home(e), a); why != "" {
				s.report.Add(diag.Finding{
					Code: "F015", Place: a.Place, Subject: "entity " + e.Name,
					Message: fmt.Sprintf("%s of %s is encrypted, but %s", a.Name, e.Name, why), Fix: fix,
				})
			}
		}
	}
	for _, p := range s.patterns() {
		encryptedAdditions(s, p)
		for _, c := range patternConditions(p) {
			encryptedComparison(s, p, c)
		}
	}
}

// unsealable returns why an attribute cannot be encrypted and what to do, or "". The home is
// that of the entity, or nil.
func unsealable(e *model.Entity, home *model.Item, a *model.Attribute) (why, fix string) {
	leave := fmt.Sprintf("Remove %s from encrypt", a.Name)
	counts := func(c *model.Counter) bool { return c.Attribute == a }
	switch {
	case a.Type.KeyKind() == "" && a.Type.Base != model.Bool:
		return fmt.Sprintf("it is %s, and only single values can be encrypted", a.Type), fmt.Sprintf("Make %s json, which is encrypted as one text, or remove it from encrypt", a.Name)
	case e.Version == a:
		return "it is the version, which DynamoDB compares and increments", leave
	case e.TTL == a, home != nil && home.Table.TTL == a.Stored:
		return "it is the TTL, which DynamoDB reads as a number of seconds: nothing would ever expire", leave
	case slices.ContainsFunc(e.Counters, counts):
		return "it is a counter, and DynamoDB adds to it", leave
	}
	return "", ""
}

// encryptedAdditions finds additions to encrypted numbers.
func encryptedAdditions(s *subject, p *model.Pattern) {
	for _, step := range p.Actions() {
		for _, add := range step.Add {
			if !slices.Contains(step.Entity.Encrypt, add.Attribute) {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "F015", Place: add.Place, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s adds to %s of %s, which is encrypted: DynamoDB cannot add to an encrypted number", p.Name, add.Attribute.Name, step.Entity.Name),
				Fix:     fmt.Sprintf("Remove %s from encrypt, or set it under optimistic locking with version", add.Attribute.Name),
			})
		}
	}
}

// encryptedComparison finds comparisons that do not work on encrypted values: they have no
// order, and equal values of two attributes differ when encrypted.
func encryptedComparison(s *subject, p *model.Pattern, c ownedCondition) {
	names := c.names()
	if !c.Op.IsRange() && len(names) == 1 {
		return
	}
	e, name := c.encrypted(names)
	if e == nil {
		return
	}
	why := "encrypted values have no order"
	if !c.Op.IsRange() {
		why = "equal values of two attributes differ when encrypted"
	}
	s.report.Add(diag.Finding{
		Code: "F015", Place: c.Place, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("%s compares %s of %s by %q, but it is encrypted, and %s", p.Name, name, e.Name, c.Condition, why),
		Fix:     fmt.Sprintf("Compare %s with one value by =, compare after reading, or remove it from encrypt", name),
	})
}

// An ownedCondition is a condition with the entities whose attributes it compares.
type ownedCondition struct {
	*model.Condition
	owners []*model.Entity
}

// names returns the names of the attributes the condition compares.
func (c ownedCondition) names() []string {
	names := []string{c.Attribute.Name}
	for _, v := range c.Values {
		if v.Attribute != nil {
			names = append(names, v.Attribute.Name)
		}
	}
	return names
}

// encrypted returns the first of the named attributes that an owner encrypts, with the owner,
// or nil.
func (c ownedCondition) encrypted(names []string) (*model.Entity, string) {
	for _, e := range c.owners {
		for _, name := range names {
			if a := e.Attribute(name); a != nil && slices.Contains(e.Encrypt, a) {
				return e, name
			}
		}
	}
	return nil, ""
}

// patternConditions returns all conditions that DynamoDB evaluates for a pattern, in keys
// and expressions.
func patternConditions(p *model.Pattern) []ownedCondition {
	var all []ownedCondition
	add := func(owners []*model.Entity, lists ...[]*model.Condition) {
		for _, list := range lists {
			for _, c := range model.Comparisons(list) {
				all = append(all, ownedCondition{c, owners})
			}
		}
	}
	if p.Verb.Reads() || p.Verb == model.Transact {
		add(p.Entities(), p.Where, p.Filter)
	}
	for _, part := range p.Parts {
		add([]*model.Entity{part.Entity}, part.Where)
	}
	for _, step := range p.Actions() {
		add([]*model.Entity{step.Entity}, step.Where, step.If)
	}
	for _, r := range p.Requires {
		add([]*model.Entity{r.Entity}, r.Where, r.If)
	}
	return all
}

// encryptedKey finds encrypted attributes in keys (K111): keys are stored in plain text.
func encryptedKey(s *subject) {
	for _, k := range slices.Concat(attributesInKeys(s), attributesInGuards(s.design)) {
		if !slices.Contains(k.entity.Encrypt, k.attribute) {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "K111", Place: k.place, Subject: k.subject,
			Message: fmt.Sprintf("%s of %s is encrypted, but %s would store it in plain text", k.attribute.Name, k.entity.Name, k.key),
			Fix:     fmt.Sprintf("Store a keyed hash of %s in a separate attribute and use it here, or remove %s from encrypt", k.attribute.Name, k.attribute.Name),
		})
	}
}

// A keyAttribute is an attribute in the key of an item or a guard row.
type keyAttribute struct {
	entity    *model.Entity
	attribute *model.Attribute
	place     diag.Place
	subject   string
	key       string // the key's name in messages
}

// attributesInKeys returns the attributes in the keys of items.
func attributesInKeys(s *subject) []keyAttribute {
	var all []keyAttribute
	for _, use := range s.keyUses() {
		if use.Key == nil {
			continue
		}
		for i, part := range use.Key.Parts() {
			if part.IsHole() {
				all = append(all, keyAttribute{use.Item.Entity, part.Attribute, use.partPlace(i), subjectOf(use), fmt.Sprintf("the %s", use)})
			}
		}
	}
	return all
}

// attributesInGuards returns the attributes in the keys of guard rows.
func attributesInGuards(d *model.Design) []keyAttribute {
	var all []keyAttribute
	for _, table := range d.Tables {
		for _, guard := range table.Guards {
			for _, c := range guard.Computed {
				for i, part := range c.Template.Parts {
					if part.IsHole() {
						all = append(all, keyAttribute{guard.Entity, part.Attribute, partPlace(c.Template, i), "table " + table.Name, "the guard of " + guardName(guard)})
					}
				}
			}
		}
	}
	return all
}
