package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A constant is a literal value that the design gives an attribute.
type constant struct {
	attribute *model.Attribute
	text      string
	place     diag.Place
	subject   string
	owners    []*model.Entity // the entities that have the attribute; nil for counters and when
}

// numberRange finds literals outside the range of their attribute's type (F017).
func numberRange(s *subject) {
	for _, c := range literals(s) {
		if !c.attribute.Type.IsNumber() {
			continue
		}
		if why := unfitting(c.text, c.attribute.Type); why != "" {
			s.report.Add(diag.Finding{
				Code: "F017", Place: c.place, Subject: c.subject,
				Message: fmt.Sprintf("%s is not a valid value of %s, which is %s: %s", c.text, c.attribute.Name, c.attribute.Type, why),
			})
		}
	}
}

// maxDigits is the precision of DynamoDB numbers.
const maxDigits = 38

// unfitting returns why a number is not a valid value of a type, or "".
func unfitting(text string, t model.Type) string {
	whole, fraction, _ := strings.Cut(text, ".")
	if t.Base == model.Integer || t.Base == model.Unixtime {
		if strings.Trim(fraction, "0") != "" {
			return "the type holds whole numbers only"
		}
		if _, err := strconv.ParseInt(whole, 10, 64); err != nil {
			return "the type holds 64-bit integers"
		}
		return ""
	}
	digits := strings.TrimLeft(strings.TrimPrefix(whole, "-")+fraction, "0")
	if n := len(strings.TrimRight(digits, "0")); n > maxDigits {
		return fmt.Sprintf("DynamoDB numbers have at most %d digits, and this one has %d", maxDigits, n)
	}
	return ""
}

// literals returns all literal values of a design.
func literals(s *subject) []constant {
	var all []constant
	for _, e := range s.entities() {
		for _, counter := range e.Counters {
			all = append(all, counterConstants(counter, "entity "+e.Name)...)
		}
	}
	for _, table := range s.design.Tables {
		for _, c := range computedOf(table) {
			all = append(all, comparedConstants(c.When, "table "+table.Name)...)
		}
	}
	for _, p := range s.patterns() {
		for _, c := range patternConditions(p) {
			all = append(all, constantsOf(c, "pattern "+p.Name)...)
		}
		all = append(all, writtenConstants(p)...)
	}
	return all
}

// counterConstants returns the literals of a counter: those of its where and its bounds.
func counterConstants(counter *model.Counter, subject string) []constant {
	all := comparedConstants(counter.Where, subject)
	for _, bound := range []*exact.Number{counter.Min, counter.Max} {
		if bound != nil {
			all = append(all, constant{attribute: counter.Attribute, text: resolve.Digits(*bound), place: counter.Place, subject: subject})
		}
	}
	return all
}

// comparedConstants returns the literals of conditions that no pattern owns.
func comparedConstants(conditions []*model.Condition, subject string) []constant {
	var all []constant
	for _, c := range conditions {
		all = append(all, constantsOf(ownedCondition{Condition: c}, subject)...)
	}
	return all
}

// constantsOf returns the literals a condition compares with.
func constantsOf(c ownedCondition, subject string) []constant {
	var all []constant
	for _, v := range c.Values {
		if v.IsConstant() {
			all = append(all, constant{c.Attribute, v.Constant, c.Place, subject, c.owners})
		}
	}
	return all
}

// computedOf returns the computed attributes of a table's items and guards.
func computedOf(table *model.Table) []*model.Computed {
	var all []*model.Computed
	for _, item := range table.Items {
		all = append(all, item.Computed...)
	}
	for _, guard := range table.Guards {
		all = append(all, guard.Computed...)
	}
	return all
}

// writtenConstants returns the literals a pattern sets or adds.
func writtenConstants(p *model.Pattern) []constant {
	var all []constant
	set := func(e *model.Entity, assignments []*model.Assignment) {
		for _, set := range assignments {
			if set.Value != nil && set.Value.IsConstant() {
				all = append(all, constant{set.Attribute, set.Value.Constant, set.Place, "pattern " + p.Name, []*model.Entity{e}})
			}
		}
	}
	for _, step := range p.Actions() {
		set(step.Entity, step.Set)
		set(step.Entity, step.Initial)
		for _, add := range step.Add {
			if add.Param == "" {
				all = append(all, constant{add.Attribute, resolve.Digits(add.By), add.Place, "pattern " + p.Name, []*model.Entity{step.Entity}})
			}
		}
	}
	for _, r := range p.Requires {
		set(r.Entity, r.Change)
	}
	return all
}

// unfitKeyValue finds constants that are invalid in a key (K113): DynamoDB rejects empty keys,
// and in a composed key the delimiter separates values.
func unfitKeyValue(s *subject) {
	for _, p := range s.patterns() {
		queried := queriedKeys(s.layout.Plan(p))
		for _, c := range patternConditions(p) {
			if c.Op == model.Ne {
				continue
			}
			for _, asked := range constantsOf(c, "pattern "+p.Name) {
				unfitIn(s, p.Name+" asks for", asked, queried)
			}
		}
		for _, written := range writtenConstants(p) {
			unfitIn(s, p.Name+" writes", written, nil)
		}
	}
}

// unfitIn reports a constant that is invalid in one of the named keys, or in any key if names
// is nil.
func unfitIn(s *subject, does string, c constant, names []string) {
	for _, e := range c.owners {
		item := s.layout.Home(e)
		if item == nil {
			continue
		}
		use, why := unfitKey(item, e.Attribute(c.attribute.Name), c.text, names)
		if why == "" {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "K113", Place: c.place, Subject: c.subject,
			Message: fmt.Sprintf("%s %s %q, which is in the %s: %s", does, c.attribute.Name, c.text, use, why),
			Fix:     unfitFix(c, e.Attribute(c.attribute.Name), item.Table.Delimiter),
		})
		return
	}
}

// unfitFix returns advice for a constant that a key cannot hold.
func unfitFix(c constant, a *model.Attribute, d model.Delimiter) string {
	if c.text == "" {
		return fmt.Sprintf("Use another value for %s, such as a word for an absent value", a.Name)
	}
	if a.Type.Base != model.String {
		return fmt.Sprintf("Use another value for %s, such as a word without %s", a.Name, d)
	}
	return fmt.Sprintf("Write {%s|escape} in every key that contains it, or use another value, such as a word without %s", a.Name, d)
}

// unfitKey returns the first of the named keys of an item that cannot hold text as the value
// of an attribute, and why.
func unfitKey(item *model.Item, a *model.Attribute, text string, names []string) (use keyUse, why string) {
	for _, use := range itemKeys(item) {
		if use.Key == nil || names != nil && !slices.Contains(names, use.Name) {
			continue
		}
		if why := unfitFor(use.Key, a, text); why != "" {
			return use, why
		}
	}
	return keyUse{}, ""
}

// queriedKeys returns the names of the keys a plan queries. It never returns nil.
func queriedKeys(plan *resolve.Plan) []string {
	names := []string{}
	for _, r := range plan.Reads() {
		for _, key := range r.Conditions() {
			names = append(names, key.Name)
		}
	}
	for _, w := range plan.Writes {
		for _, key := range w.Key {
			names = append(names, key.Name)
		}
	}
	return names
}

// unfitFor returns why a key cannot hold text as the value of an attribute, or "".
func unfitFor(k *model.Key, a *model.Attribute, text string) string {
	for _, part := range k.Parts() {
		if _, sharded := part.Filter(model.Shard); a == nil || part.Attribute != a || sharded {
			continue
		}
		switch {
		case text == "":
			return "a key cannot be empty"
		case k.Template != nil && !part.TakesDelimiter() && strings.Contains(text, part.Delimiter.String()):
			return part.Delimiter.String() + " separates values there"
		}
	}
	return ""
}
