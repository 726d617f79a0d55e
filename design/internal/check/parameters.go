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
	attribute *model.Attribute // what it is a value of
	list      bool             // several values
	named     bool             // the design gives it a name of its own, not that of the attribute
	place     diag.Place
}

// kind is what decides whether two uses can be one value.
func (u paramUse) kind() string {
	if u.list {
		return "a list of " + kindOf(u.attribute.Type)
	}
	return kindOf(u.attribute.Type)
}

// kindOf is the type of a value as a caller has it: all texts are one kind, and so are the
// two forms of an instant.
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
// What is named after its attribute belongs to that attribute: the status of two entities
// are two values. A name of the design's own is one value, whatever it is used for.
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
					Message: fmt.Sprintf("$%s of %s is %s for %s and %s for %s", name, p.Name, paramType(a), a.attribute.Name, paramType(b), b.attribute.Name),
					Fix:     fmt.Sprintf("Give one of them another name, such as $%s", freeName(b, byName)),
					Related: []diag.Related{{Place: a.place, Message: fmt.Sprintf("$%s is %s here", name, paramType(a))}},
				})
			}
		}
	}
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

// disagreement finds two uses of a name that cannot be one value. A list and a single
// value of one name never can.
func disagreement(uses []paramUse) (a, b paramUse, differ bool) {
	for i, b := range uses {
		for _, a := range uses[:i] {
			if a.list != b.list {
				return a, b, true
			}
		}
	}
	for i, u := range uses {
		if !u.named || slices.ContainsFunc(uses, func(v paramUse) bool { return !v.named && v.kind() == u.kind() }) {
			continue
		}
		for j, v := range uses {
			if v.kind() == u.kind() {
				continue
			}
			if i < j {
				return u, v, true
			}
			return v, u, true
		}
	}
	return paramUse{}, paramUse{}, false
}

// paramUses are the uses of parameters in a pattern. An item that is written whole is
// given with all its attributes.
func paramUses(p *model.Pattern) []paramUse {
	var all []paramUse
	use := func(name string, a *model.Attribute, list bool, place diag.Place) {
		if name != "" && a != nil {
			all = append(all, paramUse{name: name, attribute: a, list: list, named: name != a.Name, place: place})
		}
	}
	set := func(assignments []*model.Assignment) {
		for _, set := range assignments {
			if set.Value == nil {
				use(set.Attribute.Name, set.Attribute, false, set.Place)
			} else {
				use(set.Value.Param, set.Attribute, false, set.Place)
			}
		}
	}
	for _, step := range p.Actions() {
		if step.Verb == model.Create || step.Verb == model.Put {
			for _, a := range step.Entity.Attributes {
				use(a.Name, a, false, step.Place)
			}
		}
		set(step.Set)
		for _, add := range step.Add {
			use(add.Param, add.Attribute, false, add.Place)
		}
	}
	for _, r := range p.Requires {
		set(r.Change)
	}
	for _, c := range patternConditions(p) {
		fanned := slices.ContainsFunc(p.Fanout, func(f model.Fanout) bool { return f.Attribute == c.Attribute && c.Op == model.Eq })
		list := fanned || c.Op == model.In && len(c.Values) == 1
		for _, v := range c.Values {
			use(v.Param, c.Attribute, list, c.Place)
		}
	}
	slices.SortStableFunc(all, func(a, b paramUse) int {
		return cmp.Or(strings.Compare(a.place.File, b.place.File), a.place.Line-b.place.Line, a.place.Column-b.place.Column)
	})
	return all
}
