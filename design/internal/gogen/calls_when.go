package gogen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
)

// What a design leaves to the values of the caller is decided in Go: whether an index
// has an entry, whether there is a guard's row, what the old value must be.

// when is the Go condition that all conditions hold of what a write leaves behind; "" if
// they always do.
func (m *method) when(w *program.Write, clause *resolve.Clause, conditions []*model.Condition) (string, error) {
	return m.decide(conditions, func(a *model.Attribute) (place, bool, error) {
		return m.decided(w, w.Decides(clause, a), a)
	}, func(v model.Operand, a *model.Attribute) (place, bool, error) { return m.decided(w, v, a) })
}

// decide is the Go condition that conditions hold of the values that attributes have, where
// they may compare them with other values of the caller.
func (m *method) decide(conditions []*model.Condition, has func(*model.Attribute) (place, bool, error),
	compared func(model.Operand, *model.Attribute) (place, bool, error)) (string, error) {
	places := map[*model.Attribute]string{}
	value := func(a *model.Attribute, at place, optional bool, err error) (*model.Attribute, error) {
		if err != nil {
			return nil, err
		}
		own := m.alias(a, optional)
		places[own] = at.x
		return own, nil
	}
	attribute := func(a *model.Attribute) (*model.Attribute, error) {
		at, optional, err := has(a)
		return value(a, at, optional, err)
	}
	var all []*model.Condition
	for _, c := range conditions {
		a, err := attribute(c.Attribute)
		if err != nil {
			return "", err
		}
		own := &model.Condition{Attribute: a, Op: c.Op, Values: slices.Clone(c.Values), Place: c.Place}
		for i, v := range own.Values {
			switch {
			case v.Attribute != nil:
				v.Attribute, err = attribute(v.Attribute)
			case v.Param != "":
				at, optional, wrong := compared(v, c.Attribute)
				v.Attribute, err = value(c.Attribute, at, optional, wrong)
				v.Param = ""
			}
			if err != nil {
				return "", err
			}
			own.Values[i] = v
		}
		all = append(all, own)
	}
	return m.holds(all, func(a *model.Attribute) string { return places[a] }), nil
}

// decided is the place of a value that decides something, and whether it may be absent.
func (m *method) decided(w *program.Write, v model.Operand, a *model.Attribute) (place, bool, error) {
	if v.Param == "" {
		return place{x: m.constant(a, v.Constant)}, false, nil
	}
	ref := m.call.Ref(w, v.Param, a)
	if ref.IsZero() {
		return place{}, false, fmt.Errorf("%s: nothing gives $%s, which decides about %s", m.call.Pattern.Name, v.Param, a.Name)
	}
	at, optional := m.deciding(ref, a, "")
	return at, optional, nil
}

// deciding is the place of a value that decides something, in the variable of an item at hand
// if there is one, and whether it may be absent.
func (m *method) deciding(ref program.Ref, a *model.Attribute, one string) (place, bool) {
	at := m.placeIn(ref, one)
	if as := m.enumOf(ref, a); as != "" {
		if at.pointer {
			as = "(*" + as + ")"
		}
		at.x = as + "(" + at.x + ")"
	}
	return at, ref.Optional() && at.x != m.seen[ref.Input] // the version seen is a number in any case
}

// alias is an attribute as a parameter holds it: one that may be absent may be given for
// sure.
func (m *method) alias(a *model.Attribute, optional bool) *model.Attribute {
	own := *a
	own.Type.Optional = optional
	m.enums[&own], m.constants[&own] = m.enums[a], m.constants[a]
	return &own
}

// isThere is the condition that a value of a key is there; "" if it always is. Of several
// items that must agree one that has it is enough: then all must.
func (m *method) isThere(w *program.Write, part resolve.TextPart) string {
	if part.Value.Param == "" {
		return ""
	}
	ref := m.call.Ref(w, part.Value.Param, part.Attribute)
	switch {
	case ref.IsZero() || !ref.Optional():
		return ""
	case ref.First && ref.Attribute != nil:
		return fmt.Sprintf("slices.ContainsFunc(%s, func(one %s) bool { return one.%s != nil })",
			m.places[ref.Input], m.entities[ref.Input.Entity], m.fields[ref.Attribute])
	case ref.First:
		return ""
	}
	return m.at(ref).x + " != nil"
}

// elsewhere is the condition that two counters of which one loses what the other gets are
// not the same: then nothing changes. "" if there is no such pair, and if there are more
// than two. A counter that is spread is written for both, in different rows.
func (m *method) elsewhere(w *program.Write) string {
	var pair []*program.Write
	for _, other := range m.call.Writes {
		if other.Item == w.Item && other.Implied == w.Implied {
			pair = append(pair, other)
		}
	}
	if len(pair) != 2 || w.Shards > 1 || !resolve.Cancels(pair[0].Statement, pair[1].Statement, w.Item.Entity.Version) {
		return ""
	}
	var differs []string
	for i, key := range pair[0].Key {
		other := pair[1].Key[i].Low
		for j, part := range key.Low {
			if part.Value == nil || j >= len(other) || other[j].Value == nil {
				continue
			}
			a, errA := m.partValue(pair[0], part)
			b, errB := m.partValue(pair[1], other[j])
			if errA == nil && errB == nil && a != b {
				differs = append(differs, a+" != "+b)
			}
		}
	}
	return strings.Join(differs, " || ")
}

// presence are the conditions that the values a write's key is made of are there, where
// the design does not say so: an item without them is counted nowhere.
func (m *method) presence(w *program.Write) []string {
	var all []string
	for _, c := range w.Key {
		for _, part := range c.Low {
			if part.Value == nil || part.Shards > 0 || decidesOf(w.Statement.Only, part.Attribute) {
				continue
			}
			if text := m.isThere(w, part); text != "" && !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

func decidesOf(conditions []*model.Condition, a *model.Attribute) bool {
	return slices.ContainsFunc(conditions, func(c *model.Condition) bool { return c.Attribute == a })
}

// skipped is the condition under which there is such a write at all; "" if there always
// is. A counter that does not change needs none.
func (m *method) skipped(w *program.Write) ([]string, error) {
	var all []string
	only, err := m.when(w, nil, w.Statement.Only)
	if err != nil {
		return nil, err
	}
	if only != "" {
		all = append(all, only)
	}
	if w.Operation == resolve.PutItem && w.Given != nil {
		return all, nil
	}
	all = append(all, m.presence(w)...)
	if w.Implied == "" || w.Guard != nil || w.Requirement != nil {
		return all, nil
	}
	if text := m.elsewhere(w); text != "" {
		all = append(all, text)
	}
	changes, err := m.changes(w)
	if changes != "" {
		all = append(all, changes)
	}
	return all, err
}

// changes is the condition that an implied update adds anything; "" if it always does.
func (m *method) changes(w *program.Write) (string, error) {
	text := ""
	for _, c := range w.Statement.Update {
		if c.Word != "ADD" || len(c.Values) == 0 || c.Values[0].Attribute == w.Item.Entity.Version {
			continue
		}
		v := c.Values[0]
		if len(v.Sum) == 0 && v.Operand.Param == "" {
			return "", nil
		}
		x, err := m.added(w, v)
		if err != nil || x == "" {
			return "", err
		}
		if text != "" {
			text += " || "
		}
		text += x
	}
	return text, nil
}

// added is the condition that a number is added.
func (m *method) added(w *program.Write, v resolve.Value) (string, error) {
	if len(v.Sum) == 1 && v.Sum[0].Param == "" && v.Sum[0].Repeated && len(v.Sum[0].Only) == 0 {
		if input := m.repeats(v.Sum[0].Of); input != nil {
			return "len(" + m.places[input] + ") > 0", nil
		}
	}
	if len(v.Sum) > 0 && isExact(v) {
		args, err := m.exactTerms(w, v)
		return "addsUp(" + args + ")", err
	}
	x := ""
	if len(v.Sum) == 0 {
		at, err := m.operand(w, *v.Operand, v.Attribute)
		if err != nil {
			return "", err
		}
		x = at.value()
	} else {
		sum, err := m.sum(w, v)
		if err != nil {
			return "", err
		}
		x = sum
	}
	if v.Attribute.Type.Base == model.Decimal {
		return x + `.Cmp("0") != 0`, nil
	}
	return x + " != 0", nil
}
