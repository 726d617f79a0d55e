package change

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// patterns lists conditions that old code does not keep.
func (c *comparer) patterns() {
	for i := range c.Patterns {
		p := &c.Patterns[i]
		if p.Old == nil || p.New == nil || p.New.Verb.Reads() {
			continue
		}
		was, is := c.demands(p.Old, false), c.demands(p.New, true)
		var added []string
		for text, words := range is {
			if _, had := was[text]; !had {
				added = append(added, words)
			}
		}
		slices.Sort(added)
		if len(added) > 0 {
			c.add("E066", p.New.Place, "pattern "+p.New.Name, "%s asks for more: %s", p.New.Name, strings.Join(added, "; ")).Pattern = p
		}
	}
}

// demands returns the conditions of a write, by texts with the names of the old version.
func (c *comparer) demands(p *model.Pattern, isNew bool) map[string]string {
	all := map[string]string{}
	add := func(what string, e *model.Entity, conditions []*model.Condition) {
		pair := c.EntityOfOld(e)
		if isNew {
			pair = c.EntityOf(e)
		}
		name := e.Name
		if pair != nil && pair.Old != nil {
			name = pair.Old.Name
		}
		for _, condition := range conditions {
			all[what+name+" "+c.conditionsText(pair, []*model.Condition{condition}, isNew)] = condition.String()
		}
	}
	for _, step := range p.Actions() {
		add(string(step.Verb)+" ", step.Entity, step.If)
	}
	for _, r := range p.Requires {
		what := "requires "
		if r.Missing {
			what = "requires no "
		}
		add(what, r.Entity, r.If)
		add(what, r.Entity, r.Where)
	}
	return all
}

// methods lists generated Go that callers notice.
func (c *comparer) methods() {
	for i := range c.Patterns {
		p := &c.Patterns[i]
		switch {
		case p.Old == nil:
		case p.New == nil:
			c.addRemoved("E071", p.Old.Place, p.Old.Place, "pattern "+p.Old.Name, "%s was removed", p.Old.Name).Pattern = p
		case signature(p.Old) != signature(p.New):
			c.add("E071", p.New.Place, "pattern "+p.New.Name, "%s changed: %s", p.New.Name, difference(p.Old, p.New)).was(p.Old.Place, "it was declared here").Pattern = p
		}
	}
	for _, p := range c.both() {
		if all := fieldsChanged(p.Attributes); len(all) > 0 {
			c.add("E071", p.New.Place, "entity "+p.New.Name, "the struct of %s changed: %s", p.New.Name, listed(all)).Entity = p
		}
		if p.Old.Name != p.New.Name {
			c.add("E071", p.New.Place, "entity "+p.New.Name, "%s is %s now", p.Old.Name, p.New.Name).Entity = p
		}
	}
	for _, s := range c.Structs {
		if all := fieldsChanged(s.Fields); len(all) > 0 && s.Old != nil && s.New != nil {
			c.add("E071", s.New.Place, "type "+s.New.Name, "the struct of %s changed: %s", s.New.Name, listed(all))
		}
	}
}

// fieldsChanged lists fields of a struct whose name or type changed, or that are gone.
func fieldsChanged(all []*AttributePair) []string {
	var changed []string
	for _, p := range all {
		switch {
		case p.Old == nil:
		case p.New == nil:
			changed = append(changed, p.Old.Name+" is gone")
		case p.Old.Name != p.New.Name:
			changed = append(changed, p.Old.Name+" is "+p.New.Name)
		case goType(p.Old.Type) != goType(p.New.Type):
			changed = append(changed, fmt.Sprintf("%s is %s, and was %s", p.New.Name, goType(p.New.Type), goType(p.Old.Type)))
		}
	}
	return changed
}

// goType returns a type without the values of enums, which are constants of one Go type.
func goType(t model.Type) string {
	if t.Base == model.Enum {
		t.Values = nil
		return strings.Replace(t.String(), "()", "", 1)
	}
	return t.String()
}

// A part of a signature is what callers of a pattern see of it, with its name.
type part struct{ name, text string }

// signatureOf returns what callers of a pattern see.
func signatureOf(p *model.Pattern) []part {
	conditions := func(all []*model.Condition) string { return strings.Join(names(all, (*model.Condition).String), ", ") }
	entities := func(all []*model.Entity) string {
		return strings.Join(names(all, func(e *model.Entity) string { return e.LocalName() }), ", ")
	}
	all := []part{
		{"its verb", string(p.Verb)}, {"its entities", entities(p.Entities())}, {"where", conditions(p.Where)}, {"filter", conditions(p.Filter)},
		{"select", strings.Join(names(p.Select, attributeName), ", ")}, {"limit", fmt.Sprint(p.Limit > 0)},
	}
	for _, p := range p.Parts {
		all = append(all, part{"part " + p.Part, conditions(p.Where)})
	}
	for _, s := range p.Actions() {
		all = append(all, actionParts(s)...)
	}
	for _, r := range p.Requires {
		all = append(all, part{"requires", r.Entity.LocalName() + " " + conditions(r.Where) + " " + conditions(r.If) + " " + assignments(r.Change)})
	}
	return all
}

func actionParts(s *model.Step) []part {
	conditions := func(all []*model.Condition) string { return strings.Join(names(all, (*model.Condition).String), ", ") }
	var adds, edits []string
	for _, a := range s.Add {
		adds = append(adds, a.Attribute.Name+" "+a.Param)
	}
	for _, e := range s.Edits {
		edits = append(edits, fmt.Sprint(e.Attribute.Name, e.Kind, e.Param))
	}
	return []part{
		{"its steps", string(s.Verb) + " " + s.Entity.LocalName() + fmt.Sprint(s.Each > 1)}, {"where", conditions(s.Where)}, {"if", conditions(s.If)},
		{"set", assignments(s.Set) + assignments(s.Initial)}, {"add", strings.Join(adds, ", ")}, {"remove", strings.Join(names(s.Remove, attributeName), ", ")},
		{"edits", strings.Join(edits, ", ")}, {"entries", fmt.Sprint(len(s.Entries))},
	}
}

func attributeName(a *model.Attribute) string { return a.Name }

func assignments(all []*model.Assignment) string {
	return strings.Join(names(all, func(a *model.Assignment) string {
		if a.Value == nil {
			return a.Attribute.Name
		}
		return a.Attribute.Name + "=" + a.Value.String() + fmt.Sprint(a.Patch)
	}), ", ")
}

func signature(p *model.Pattern) string { return fmt.Sprint(signatureOf(p)) }

// difference names the parts of two signatures that differ.
func difference(was, is *model.Pattern) string {
	before, after := map[string]string{}, map[string]string{}
	var order []string
	collect := func(all []part, into map[string]string) {
		for _, p := range all {
			into[p.name] += p.text + "\n"
			if !slices.Contains(order, p.name) {
				order = append(order, p.name)
			}
		}
	}
	collect(signatureOf(was), before)
	collect(signatureOf(is), after)
	return strings.Join(slices.DeleteFunc(order, func(name string) bool { return before[name] == after[name] }), ", ")
}

// cursors says that lists under way begin again.
func (c *comparer) cursors() {
	if c.options.Cursors == nil || c.options.Cursors(c.Old) == c.options.Cursors(c.New) {
		return
	}
	var lists []string
	for _, p := range c.Patterns {
		if p.Old != nil && p.New != nil && (p.New.Verb == model.List || p.New.Verb == model.Collect || p.New.Verb == model.Scan) {
			lists = append(lists, p.New.Name)
		}
	}
	if len(lists) > 0 {
		c.add("E031", c.New.Place, "design "+c.New.Name, "cursors of %s end", listed(lists))
	}
}

// roles lists permissions that roles get.
func (c *comparer) roles() {
	was := permissions(c.before)
	is := permissions(c.after)
	for _, role := range c.New.Roles {
		var more []string
		for _, p := range is[role.Name] {
			unlimited, _, _ := strings.Cut(p, " with ")
			had := was[role.Name]
			if slices.Contains(had, p) || slices.Contains(had, unlimited) {
				continue
			}
			if slices.ContainsFunc(is[role.Name], func(other string) bool { return other != p && strings.HasPrefix(other, unlimited+" with ") }) {
				p = unlimited + " for more keys" // the policies name them
			}
			if !slices.Contains(more, p) {
				more = append(more, p)
			}
		}
		if _, known := was[role.Name]; len(more) > 0 && known {
			c.add("E072", role.Place, "role "+role.Name, "role %s needs %s", role.Name, listed(more))
		} else if !known {
			c.add("E072", role.Place, "role "+role.Name, "role %s is new", role.Name)
		}
	}
}

// permissions returns what each role may do, as lines: Query on tasks/index/GSI2.
func permissions(l *resolve.Layout) map[string][]string {
	all := map[string][]string{}
	for _, policy := range iamgen.Of(l, iamgen.ARN{Partition: "aws"}.Longest()) {
		all[policy.Role] = []string{}
		for _, d := range policy.Documents {
			for _, s := range d.Statements {
				for _, r := range s.Resources {
					for _, action := range s.Actions {
						all[policy.Role] = append(all[policy.Role], allowed(action, r, s)...)
					}
				}
			}
		}
	}
	return all
}

// allowed describes one permission: a line for each partition key that it is restricted to.
func allowed(action string, r iamgen.Resource, s iamgen.Statement) []string {
	text := action + " on " + r.Table + r.Below()
	if len(s.LeadingKeys) == 0 {
		return []string{text}
	}
	return names(s.LeadingKeys, func(key string) string { return text + " with " + key })
}
