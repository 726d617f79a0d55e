package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// defaultNotStored finds attributes with a default whose stored value DynamoDB needs: items that
// lack the attribute have the default only in programs (F022).
func defaultNotStored(s *subject) {
	if !slices.ContainsFunc(s.design.Entities, func(e *model.Entity) bool { return slices.ContainsFunc(e.Attributes, hasDefault) }) {
		return
	}
	d := &defaults{subject: s, told: map[*model.Attribute]bool{}}
	for _, e := range s.entities() {
		for _, a := range e.Attributes {
			if why := d.needed(e, a); why != "" && hasDefault(a) {
				d.told[a] = true
				s.report.Add(diag.Finding{
					Code: "F022", Place: a.Place, Subject: "entity " + e.Name,
					Message: fmt.Sprintf("%s of %s has a default, but %s", a.Name, e.Name, why),
					Fix:     fmt.Sprintf("Remove the default of %s, and give older items the value", a.Name),
				})
			}
		}
	}
	d.keys()
	for _, e := range s.entities() {
		for _, c := range e.Counters {
			d.counter(e, c)
		}
	}
	for _, p := range s.patterns() {
		d.pattern(p)
	}
}

func hasDefault(a *model.Attribute) bool { return a != nil && a.Default != nil }

// defaults finds where DynamoDB needs the stored value of attributes with a default.
type defaults struct {
	*subject
	told map[*model.Attribute]bool // attributes that cannot have a default wherever they are used
}

// needed returns why every item must have an attribute, or "".
func (d *defaults) needed(e *model.Entity, a *model.Attribute) string {
	home := d.layout.Home(e)
	switch {
	case slices.Contains(e.ID, a):
		return "it identifies the item"
	case e.Version == a:
		return "it is the version, which DynamoDB compares"
	case e.TTL == a, home != nil && home.Table.TTL == a.Stored:
		return "it is the TTL: an item without it never expires"
	case e.Deadline == a:
		return "it is the deadline, by which items are found"
	case slices.Contains(e.Encrypt, a):
		return "it is encrypted"
	case slices.ContainsFunc(e.Counters, func(c *model.Counter) bool { return c.Attribute == a }):
		return "it is a counter, and DynamoDB adds to it"
	case slices.ContainsFunc(e.Unique, func(u *model.Unique) bool { return slices.Contains(slices.Concat(u.Attributes, u.Per), a) }):
		return "it is unique, and an item without it has no guard row"
	case slices.ContainsFunc(e.Attributes, func(id *model.Attribute) bool { return id.Time == a }):
		return "it is the time of an id"
	case a.Time != nil:
		return "it is made from a time"
	}
	return ""
}

// keys finds attributes in keys, and in the conditions of keys.
func (d *defaults) keys() {
	for _, k := range slices.Concat(attributesInKeys(d.subject), attributesInGuards(d.design)) {
		d.refuse(k.entity, k.attribute, k.place, k.subject, "an item without it is not in "+k.key)
	}
	for _, t := range d.design.Tables {
		for _, item := range t.Items {
			for _, c := range item.Computed {
				for _, w := range c.When {
					for _, a := range compared(w) {
						d.refuse(item.Entity, a, w.Place, "table "+t.Name, fmt.Sprintf("it decides whether an item has %s", c.Name))
					}
				}
			}
		}
	}
}

// counter finds attributes that decide what a counter counts.
func (d *defaults) counter(e *model.Entity, c *model.Counter) {
	subject, why := "entity "+e.Name, fmt.Sprintf("the counter %s of %s depends on it", c.Attribute.Name, e.Name)
	all := []*model.Attribute{c.Sum}
	for _, w := range model.Comparisons(c.Where) {
		all = append(all, compared(w)...)
	}
	for _, m := range c.Match {
		all = append(all, m.Theirs)
		d.refuse(e, m.Mine, c.Place, subject, why)
	}
	for _, a := range all {
		d.refuse(c.Of, a, c.Place, subject, why)
	}
}

// compared returns the attributes that a condition compares.
func compared(c *model.Condition) []*model.Attribute {
	all := []*model.Attribute{c.Attribute}
	for _, v := range c.Values {
		if v.Attribute != nil {
			all = append(all, v.Attribute)
		}
	}
	return all
}

// pattern finds attributes that DynamoDB compares or adds to.
func (d *defaults) pattern(p *model.Pattern) {
	subject := "pattern " + p.Name
	for _, c := range patternConditions(p) {
		for _, e := range c.owners {
			for _, name := range c.names() {
				d.refuse(e, e.Attribute(name), c.Place, subject, fmt.Sprintf("%s compares it by %q", p.Name, c.Condition))
			}
		}
	}
	for _, step := range p.Actions() {
		for _, add := range step.Add {
			d.refuse(step.Entity, add.Attribute, add.Place, subject, p.Name+" adds to it")
		}
		for _, set := range step.Initial {
			d.refuse(step.Entity, set.Attribute, set.Place, subject, p.Name+" would give items that lack it the initial value")
		}
	}
}

// refuse reports a use of an attribute that cannot be if it has a default.
func (d *defaults) refuse(e *model.Entity, a *model.Attribute, place diag.Place, subject, why string) {
	if !hasDefault(a) || d.told[a] {
		return
	}
	d.report.Add(diag.Finding{
		Code: "F022", Place: place, Subject: subject,
		Message: fmt.Sprintf("%s of %s has a default, which DynamoDB does not know, and %s", a.Name, e.Name, why),
		Fix:     fmt.Sprintf("Read %s and decide in the program, or remove its default and make it optional with ?", a.Name),
	})
}
