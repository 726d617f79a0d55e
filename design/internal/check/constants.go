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

// A constant is a value the design itself writes down for an attribute.
type constant struct {
	attribute *model.Attribute
	text      string
	place     diag.Place
	subject   string
	owners    []*model.Entity // whose attribute it is; of counters and when nobody asks
}

// numberRange finds numbers in a design that their attribute cannot hold (F017).
func numberRange(s *subject) {
	for _, c := range s.constants() {
		if !c.attribute.Type.IsNumber() {
			continue
		}
		if why := unfitting(c.text, c.attribute.Type); why != "" {
			s.report.Add(diag.Finding{
				Code: "F017", Place: c.place, Subject: c.subject,
				Message: fmt.Sprintf("%s is no value of %s, which is %s: %s", c.text, c.attribute.Name, c.attribute.Type, why),
			})
		}
	}
}

// maxDigits is how many digits of a number DynamoDB holds.
const maxDigits = 38

// unfitting says why a plain number is no value of a type, or "".
func unfitting(text string, t model.Type) string {
	whole, fraction, _ := strings.Cut(text, ".")
	if t.Base == model.Integer || t.Base == model.Unixtime {
		if strings.Trim(fraction, "0") != "" {
			return "it holds whole numbers"
		}
		if _, err := strconv.ParseInt(whole, 10, 64); err != nil {
			return "it holds numbers of 64 bits"
		}
		return ""
	}
	digits := strings.TrimLeft(strings.TrimPrefix(whole, "-")+fraction, "0")
	if n := len(strings.TrimRight(digits, "0")); n > maxDigits {
		return fmt.Sprintf("DynamoDB holds %d digits, and these are %d", maxDigits, n)
	}
	return ""
}

// constants are all values a design writes down.
func (s *subject) constants() []constant {
	var all []constant
	conditions := func(subject string, list []*model.Condition) {
		for _, c := range list {
			all = append(all, constantsOf(ownedCondition{Condition: c}, subject)...)
		}
	}
	for _, e := range s.entities() {
		subject := "entity " + e.Name
		for _, counter := range e.Counters {
			conditions(subject, counter.Where)
			for _, bound := range []*exact.Number{counter.Min, counter.Max} {
				if bound != nil {
					all = append(all, constant{attribute: counter.Attribute, text: resolve.Digits(*bound), place: counter.Place, subject: subject})
				}
			}
		}
	}
	for _, table := range s.design.Tables {
		for _, c := range computedOf(table) {
			conditions("table "+table.Name, c.When)
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

// constantsOf are the values a condition compares with that the design writes down.
func constantsOf(c ownedCondition, subject string) []constant {
	var all []constant
	for _, v := range c.Values {
		if v.IsConstant() {
			all = append(all, constant{c.Attribute, v.Constant, c.Place, subject, c.owners})
		}
	}
	return all
}

// computedOf are the computed attributes of a table's items and guards.
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

// writtenConstants are the values a pattern sets or adds that the design writes down.
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

// unfitKeyValue finds constants that no key can hold (K113): DynamoDB takes no empty key,
// and in a composed one the delimiter always means a border.
func unfitKeyValue(s *subject) {
	for _, p := range s.patterns() {
		for _, c := range patternConditions(p) {
			if c.Op == model.Ne {
				continue
			}
			for _, asked := range constantsOf(c, "pattern "+p.Name) {
				s.unfitIn(p, "asks for", asked, s.askedKeys(p))
			}
		}
		for _, written := range writtenConstants(p) {
			s.unfitIn(p, "writes", written, nil)
		}
	}
}

// unfitIn reports a constant that one of the keys cannot hold; without names, of all keys.
func (s *subject) unfitIn(p *model.Pattern, does string, c constant, names []string) {
	for _, e := range c.owners {
		item := s.layout.Home(e)
		if item == nil {
			continue
		}
		for _, use := range itemKeys(item) {
			if use.Key == nil || names != nil && !slices.Contains(names, use.Name) {
				continue
			}
			why := unfitFor(use.Key, e.Attribute(c.attribute.Name), c.text)
			if why == "" {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "K113", Place: c.place, Subject: c.subject,
				Message: fmt.Sprintf("%s %s %s %q, which is in the %s: %s", p.Name, does, c.attribute.Name, c.text, use, why),
				Fix:     fmt.Sprintf("Use another value of %s, such as a word without %s", c.attribute.Name, model.Delimiter),
			})
			return
		}
	}
}

// askedKeys are the names of the keys a pattern asks by.
func (s *subject) askedKeys(p *model.Pattern) []string {
	names := []string{}
	plan := s.layout.Plan(p)
	if plan.Read != nil {
		for _, key := range slices.Concat(plan.Read.Partition, plan.Read.Sort) {
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

// unfitFor says why a key cannot hold a text as the value of an attribute, or "".
func unfitFor(k *model.Key, a *model.Attribute, text string) string {
	for _, part := range k.Parts() {
		if _, sharded := part.Filter(model.Shard); a == nil || part.Attribute != a || sharded {
			continue
		}
		switch {
		case text == "":
			return "no key is empty"
		case k.Template != nil && strings.Contains(text, model.Delimiter):
			return "there " + model.Delimiter + " ends a value"
		}
	}
	return ""
}
