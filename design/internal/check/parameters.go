package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// A paramUse is one place where a pattern uses a parameter.
type paramUse struct {
	name      string
	attribute *model.Attribute // the attribute it is a value of
	list      bool             // several values
	named     bool             // the design names the parameter explicitly
	place     diag.Place
}

// kind returns the kind of the value: two uses of one kind can be the same value.
func (u paramUse) kind() string {
	if u.list {
		return "a list of " + kindOf(u.attribute.Type)
	}
	return kindOf(u.attribute.Type)
}

// isOneWith reports whether two uses can be one value. Two enums are two types in Go, even if they
// have the same values.
func (u paramUse) isOneWith(v paramUse) bool {
	return u.kind() == v.kind() && (u.attribute.Type.Base != model.Enum || u.attribute == v.attribute)
}

// kindOf returns the kind of a type for callers: all texts are one kind, and so are the two
// forms of an instant.
func kindOf(t model.Type) string {
	switch t.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return "text"
	case model.Timestamp, model.Unixtime:
		return "instant"
	}
	t.Optional = false
	return t.String()
}

// parameterTypes finds patterns that use one parameter for values of two types (F016).
// A parameter named after its attribute belongs to that attribute: the status of two entities
// is two values. An explicitly named parameter is one value, whatever it is used for.
func parameterTypes(s *subject) {
	for _, p := range s.patterns() {
		byName := map[string][]paramUse{}
		var names []string
		for _, u := range paramUses(p) {
			if byName[u.name] == nil {
				names = append(names, u.name)
			}
			byName[u.name] = append(byName[u.name], u)
		}
		for _, name := range names {
			if a, b, differ := disagreement(byName[name]); differ {
				s.report.Add(diag.Finding{
					Code: "F016", Place: b.place, Subject: "pattern " + p.Name,
					Message: fmt.Sprintf("$%s of %s is %s", name, p.Name, twoTypes(a, b)),
					Fix:     fmt.Sprintf("Give one of them another name, such as $%s", freeName(b, byName)),
					Related: []diag.Related{{Place: a.place, Message: fmt.Sprintf("$%s is %s here", name, paramType(a))}},
				})
			}
		}
	}
}

// twoTypes says how the types of two uses of a parameter differ.
func twoTypes(a, b paramUse) string {
	if paramType(a) == paramType(b) {
		return fmt.Sprintf("a value of %s and of %s, and generated code has a type for each", a.attribute.Name, b.attribute.Name)
	}
	return fmt.Sprintf("%s for %s and %s for %s", paramType(a), a.attribute.Name, paramType(b), b.attribute.Name)
}

func paramType(u paramUse) string {
	t := u.attribute.Type
	t.Optional = false
	if u.list {
		return "a list of " + t.String()
	}
	return t.String()
}

func freeName(u paramUse, taken map[string][]paramUse) string {
	for _, name := range []string{u.attribute.Name, u.attribute.Name + "_value"} {
		if taken[name] == nil {
			return name
		}
	}
	return u.attribute.Name + "_" + u.name
}

// disagreement finds two uses of a name that cannot be one value, such as a list and a single
// value.
func disagreement(uses []paramUse) (a, b paramUse, differ bool) {
	for _, u := range uses {
		if uses[0].list != u.list {
			return uses[0], u, true
		}
	}
	for i, u := range uses {
		if !u.named || slices.ContainsFunc(uses, func(v paramUse) bool { return !v.named && v.isOneWith(u) }) {
			continue
		}
		switch j := slices.IndexFunc(uses, func(v paramUse) bool { return !v.isOneWith(u) }); {
		case j > i:
			return u, uses[j], true
		case j >= 0:
			return uses[j], u, true
		}
	}
	return paramUse{}, paramUse{}, false
}

// paramUses returns the uses of parameters in a pattern, in file order. A created or put item
// has all its attributes as parameters.
func paramUses(p *model.Pattern) []paramUse {
	var uses paramList
	for _, step := range p.Actions() {
		uses.addStep(step)
	}
	for _, r := range p.Requires {
		uses.addAssignments(r.Change)
	}
	for _, c := range patternConditions(p) {
		uses.addCondition(c.Condition, takesList(p, c.Condition))
	}
	slices.SortStableFunc(uses, func(a, b paramUse) int {
		return cmp.Or(strings.Compare(a.place.File, b.place.File), a.place.Line-b.place.Line, a.place.Column-b.place.Column)
	})
	return uses
}

// takesList reports whether the parameter of a condition is a list: the attribute has a
// fanout, or the condition is in with one operand.
func takesList(p *model.Pattern, c *model.Condition) bool {
	fanned := slices.ContainsFunc(p.Fanout, func(f model.Fanout) bool { return f.Attribute == c.Attribute && c.Op == model.Eq })
	return fanned || c.Op == model.In && len(c.Values) == 1
}

// A paramList collects the uses of parameters in a pattern.
type paramList []paramUse

// add adds a use of a parameter; constants have no name and are skipped.
func (l *paramList) add(name string, a *model.Attribute, list bool, place diag.Place) {
	if name != "" && a != nil {
		*l = append(*l, paramUse{name: name, attribute: a, list: list, named: name != a.Name, place: place})
	}
}

func (l *paramList) addStep(step *model.Step) {
	if step.Verb == model.Create || step.Verb == model.Put {
		for _, a := range step.Entity.Attributes {
			l.add(a.Name, a, false, step.Place)
		}
	}
	l.addAssignments(step.Set)
	l.addAssignments(step.Initial)
	for _, add := range step.Add {
		l.add(add.Param, add.Attribute, false, add.Place)
	}
	for _, edit := range step.Edits {
		l.add(edit.Param, edit.Attribute, false, edit.Place)
	}
	for _, entry := range step.Entries {
		l.add(entry.Key.Param, entry.KeyText, false, entry.Place)
		l.add(entry.Value.Param, entry.Element, false, entry.Place)
	}
}

func (l *paramList) addAssignments(assignments []*model.Assignment) {
	for _, set := range assignments {
		name := set.Attribute.Name
		if set.Value != nil {
			name = set.Value.Param
		}
		l.add(name, set.Attribute, false, set.Place)
	}
}

func (l *paramList) addCondition(c *model.Condition, list bool) {
	if c.Entry != nil {
		l.add(c.Entry.Key.Param, c.Entry.KeyText, false, c.Place)
	}
	for _, v := range c.Values {
		l.add(v.Param, c.Attribute, list, c.Place)
	}
}
