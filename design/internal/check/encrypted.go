package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// cannotEncrypt finds encrypted attributes that cannot be sealed, or that DynamoDB would
// have to read (F015): a sealed value is bytes to it.
func cannotEncrypt(s *subject) {
	for _, e := range s.entities() {
		for _, a := range e.Encrypt {
			if why, fix := s.unsealable(e, a); why != "" {
				s.report.Add(diag.Finding{
					Code: "F015", Place: a.Place, Subject: "entity " + e.Name,
					Message: fmt.Sprintf("%s of %s is encrypted, but %s", a.Name, e.Name, why), Fix: fix,
				})
			}
		}
	}
	for _, p := range s.patterns() {
		s.encryptedAdditions(p)
		for _, c := range patternConditions(p) {
			s.encryptedComparison(p, c)
		}
	}
}

// unsealable says what keeps an attribute from being encrypted wherever it is used, or "".
func (s *subject) unsealable(e *model.Entity, a *model.Attribute) (why, fix string) {
	leave := fmt.Sprintf("Take %s out of encrypt", a.Name)
	counts := func(c *model.Counter) bool { return c.Attribute == a }
	home := s.layout.Home(e)
	switch {
	case a.Type.KeyKind() == "" && a.Type.Base != model.Bool:
		return fmt.Sprintf("it is %s, and only a single value has a text to seal", a.Type), fmt.Sprintf("Make %s json, which is sealed as one text, or take it out of encrypt", a.Name)
	case e.Version == a:
		return "it is the version, which DynamoDB compares and raises", leave
	case e.TTL == a, home != nil && home.Table.TTL == a.Stored:
		return "it is the TTL, which DynamoDB reads as a number of seconds: nothing would ever expire", leave
	case slices.ContainsFunc(e.Counters, counts):
		return "it is a counter, and DynamoDB adds to it", leave
	}
	return "", ""
}

func (s *subject) encryptedAdditions(p *model.Pattern) {
	for _, step := range p.Actions() {
		for _, add := range step.Add {
			if !slices.Contains(step.Entity.Encrypt, add.Attribute) {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "F015", Place: add.Place, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s adds to %s of %s, which is encrypted: DynamoDB cannot add to what it cannot read", p.Name, add.Attribute.Name, step.Entity.Name),
				Fix:     fmt.Sprintf("Take %s out of encrypt, or set it with the version the caller saw", add.Attribute.Name),
			})
		}
	}
}

// encryptedComparison finds comparisons that sealed values do not stand: their order is
// that of noise, and two attributes never look the same.
func (s *subject) encryptedComparison(p *model.Pattern, c ownedCondition) {
	names := []string{c.Attribute.Name}
	twoAttributes := false
	for _, v := range c.Values {
		if v.Attribute != nil {
			twoAttributes = true
			names = append(names, v.Attribute.Name)
		}
	}
	if !c.Op.IsRange() && !twoAttributes {
		return
	}
	for _, e := range c.owners {
		for _, name := range names {
			a := e.Attribute(name)
			if a == nil || !slices.Contains(e.Encrypt, a) {
				continue
			}
			why := "sealed values have no order"
			if !c.Op.IsRange() {
				why = "no two attributes look the same when sealed"
			}
			s.report.Add(diag.Finding{
				Code: "F015", Place: c.Place, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s compares %s of %s by %q, but it is encrypted, and %s", p.Name, name, e.Name, c.Condition, why),
				Fix:     fmt.Sprintf("Ask for one value of %s with =, compare after reading, or take it out of encrypt", name),
			})
			return
		}
	}
}

// An ownedCondition is a condition with the entities whose attributes it compares.
type ownedCondition struct {
	*model.Condition
	owners []*model.Entity
}

// patternConditions are all conditions DynamoDB is asked to judge for a pattern, by key or
// by expression.
func patternConditions(p *model.Pattern) []ownedCondition {
	var all []ownedCondition
	add := func(owners []*model.Entity, lists ...[]*model.Condition) {
		for _, list := range lists {
			for _, c := range list {
				all = append(all, ownedCondition{c, owners})
			}
		}
	}
	if p.Verb.Reads() || p.Verb == model.Transact {
		add(p.Entities(), p.Where, p.Filter)
	}
	for _, step := range p.Actions() {
		add([]*model.Entity{step.Entity}, step.Where, step.If)
	}
	for _, r := range p.Requires {
		add([]*model.Entity{r.Entity}, r.Where, r.If)
	}
	return all
}

// encryptedKey finds keys that would show what is encrypted (K111): a key is stored as it
// is, or nothing could be found by it.
func encryptedKey(s *subject) {
	shows := func(e *model.Entity, a *model.Attribute, place diag.Place, subject, where string) {
		if a == nil || !slices.Contains(e.Encrypt, a) {
			return
		}
		s.report.Add(diag.Finding{
			Code: "K111", Place: place, Subject: subject,
			Message: fmt.Sprintf("%s of %s is encrypted, but %s would hold it in the clear", a.Name, e.Name, where),
			Fix:     fmt.Sprintf("Put a keyed hash of %s into an attribute of its own and use that here, or take %s out of encrypt", a.Name, a.Name),
		})
	}
	for _, use := range s.keyUses() {
		if use.Key == nil {
			continue
		}
		for i, part := range use.Key.Parts() {
			shows(use.Item.Entity, part.Attribute, use.partPlace(i), subjectOf(use), fmt.Sprintf("the %s", use))
		}
	}
	for _, table := range s.design.Tables {
		for _, guard := range table.Guards {
			for _, c := range guard.Computed {
				for i, part := range c.Template.Parts {
					shows(guard.Entity, part.Attribute, partPlace(c.Template, i), "table "+table.Name, "the guard of "+guardName(guard))
				}
			}
		}
	}
}
