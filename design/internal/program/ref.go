package program

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Kind returns the part of a type that decides whether two uses of a parameter can be one
// value: all texts are one kind, so are the two forms of an instant, and every enum is a
// kind of its own.
func Kind(a *model.Attribute) string {
	t := a.Type
	switch t.Base {
	case model.String, model.UUID, model.UUIDv7, model.ULID, model.Geohash:
		return "text"
	case model.Timestamp, model.Unixtime:
		return "instant"
	case model.Enum:
		return fmt.Sprintf("enum %p", a)
	}
	t.Optional = false
	return t.String()
}

// Ref returns where the value of a parameter comes from, as an action means it. The
// attribute is the one that the value is used as.
func (c *Call) Ref(w *WriteStep, param string, a *model.Attribute) Ref {
	if w == nil {
		return c.find(nil, nil, param, a)
	}
	return c.find(w.PlannedWrite, w, param, a)
}

// Term returns where the parameter of a part of a sum comes from.
func (c *Call) Term(w *WriteStep, term resolve.Term, a *model.Attribute) Ref {
	return c.find(term.Of, w, term.Param, cmp.Or(term.Attribute, a))
}

// Compared returns where the value comes from that decides whether a part of a sum counts:
// an attribute of the item given whole, or a parameter of the action. Otherwise it is a
// constant.
func (c *Call) Compared(w *WriteStep, term resolve.Term, a *model.Attribute) Ref {
	if term.Values == nil {
		return Ref{Input: c.Repeated(term.Of), Attribute: a}
	}
	if param := term.Values[a].Param; param != "" {
		return c.find(term.Of, w, param, a)
	}
	return Ref{}
}

// find returns where a parameter comes from: the item or group that the action is given,
// then the parameters of the pattern, then another item that is given whole.
func (c *Call) find(of *resolve.PlannedWrite, user *WriteStep, param string, a *model.Attribute) Ref {
	if of != nil {
		if ref := c.findGiven(root(of), user, param, a); !ref.IsZero() {
			return ref
		}
	}
	if of == nil && user != nil {
		of = user.PlannedWrite
	}
	input := c.uses[useOf(of, param, a)]
	switch {
	case input == nil && of != nil && refersTo(root(of), param, a):
		return c.fromWhole(root(of), param, a)
	case input == nil:
		return Ref{}
	case input.Kind == Key:
		return Ref{Input: input, Attribute: input.member(param, a).Attribute}
	}
	return Ref{Input: input}
}

// findGiven looks a parameter up in the item or group that an action is given.
func (c *Call) findGiven(own *resolve.PlannedWrite, user *WriteStep, param string, a *model.Attribute) Ref {
	input := c.uses[use{of: own}]
	if input == nil {
		return Ref{}
	}
	first := input.Repeated && (user == nil || user.Repeats != input)
	if field := c.field(own, param); input.Kind == Whole && field != nil {
		return Ref{Input: input, Attribute: field, First: first}
	}
	if member := input.member(param, a); input.Kind == Group && member != nil {
		return Ref{Input: input, Member: member, First: first}
	}
	return Ref{}
}

// member returns the member of a Key or Group that a parameter is, or nil.
func (i *Input) member(param string, a *model.Attribute) *Input {
	for _, m := range i.Members {
		if m.Name == param && Kind(m.Attribute) == Kind(a) {
			return m
		}
	}
	return nil
}

// useOf returns a parameter of the pattern as an action uses it. A value that an action needs
// of its item and that the pattern does not name belongs to that item alone, even if other
// actions use the same name.
func useOf(of *resolve.PlannedWrite, param string, a *model.Attribute) use {
	u := use{param: param, kind: Kind(a)}
	if of != nil && ownValue(root(of), param) {
		u.of = root(of)
	}
	return u
}

// ownValue reports whether a parameter is a value of the item itself that the pattern does
// not name: the current, old or new value of an attribute. Another item may have another
// value.
func ownValue(w *resolve.PlannedWrite, param string) bool {
	if names(w.Step, param) {
		return false
	}
	for _, attribute := range []string{param, strings.TrimPrefix(param, "old_"), strings.TrimSuffix(param, "_next")} {
		if w.Item.Entity.Attribute(attribute) != nil {
			return true
		}
	}
	return false
}

// names reports whether an action of the pattern names a parameter.
func names(step *model.Step, param string) bool {
	compared := func(c *model.Condition) bool {
		return slices.ContainsFunc(c.Values, func(v model.Operand) bool { return v.Param == param }) || c.Entry != nil && c.Entry.Key.Param == param
	}
	assigned := func(s *model.Assignment) bool {
		return s.Value == nil && s.Attribute.Name == param || s.Value != nil && s.Value.Param == param
	}
	return slices.ContainsFunc(model.Comparisons(step.Where), compared) ||
		slices.ContainsFunc(model.Comparisons(step.If), compared) ||
		slices.ContainsFunc(step.Add, func(add *model.Addition) bool { return add.Param == param }) ||
		slices.ContainsFunc(step.Edits, func(edit *model.Edit) bool { return edit.Param == param }) ||
		slices.ContainsFunc(step.Entries, func(e *model.EntryChange) bool { return e.Key.Param == param || e.Value.Param == param }) ||
		slices.ContainsFunc(step.Set, assigned) || slices.ContainsFunc(step.Initial, assigned)
}

// identifies reports whether values of an attribute name something.
func identifies(a *model.Attribute) bool {
	return a.Type.Base == model.ULID || a.Type.Base == model.UUID || a.Type.Base == model.UUIDv7
}

// refersTo reports whether a parameter of an action means the attribute of that name of
// another item in the same transaction: the pattern names it and it identifies something, or
// the item of the action has no such attribute itself. Every item has its own values of all
// other attributes, such as when it expires.
func refersTo(w *resolve.PlannedWrite, param string, a *model.Attribute) bool {
	if ownValue(w, param) {
		return false
	}
	return identifies(a) || w.Item.Entity.Attribute(param) == nil || slices.Contains(w.Primary, a)
}

// fromWhole finds a parameter of the pattern in an item that is given whole, under the
// name of the attribute.
func (c *Call) fromWhole(user *resolve.PlannedWrite, param string, a *model.Attribute) Ref {
	for _, w := range c.Writes {
		another := w.Item != user.Item || !slices.Contains(w.Primary, a) // else it would be the same item twice
		if w.Given == nil || w.Given.Repeated || !another {
			continue
		}
		if field := c.field(w.PlannedWrite, param); field != nil && field != w.Item.Entity.Version && !field.Type.Optional && Kind(field) == Kind(a) {
			return Ref{Input: w.Given, Attribute: field}
		}
	}
	return Ref{}
}

// field returns the attribute of an item given whole that a parameter is, or nil. A
// parameter of another name than its attribute is an input of its own.
func (c *Call) field(w *resolve.PlannedWrite, param string) *model.Attribute {
	if !givesWhole(w) {
		return nil
	}
	a := w.Item.Entity.Attribute(param)
	replaces := w.Step.Verb == model.Put && a == w.Item.Entity.Version
	if a == nil || !replaces && w.Stored(a).Param != param {
		return nil
	}
	return a
}

// add notes that an action uses a parameter, and returns the input it comes from.
func (c *Call) add(w *WriteStep, param string, a *model.Attribute, optional bool) *Input {
	return c.addFor(nil, w, param, a, optional)
}

// addList notes that an action compares with all values of a parameter. They are the same
// for all items of a repeated action.
func (c *Call) addList(w *WriteStep, param string, a *model.Attribute) {
	input := c.uses[useOf(w.PlannedWrite, param, a)]
	if input == nil {
		input = &Input{Name: param, Attribute: a, Type: a.Type}
		input.Type.Optional = false
		c.uses[useOf(w.PlannedWrite, param, a)] = input
		c.Inputs = append(c.Inputs, input)
	}
	input.Kind = List
}

// patches reports whether an action sets the attribute of a name only if the caller gives it.
func patches(step *model.Step, param string) bool {
	return slices.ContainsFunc(step.Set, func(s *model.Assignment) bool { return s.Patch && s.Attribute.Name == param })
}

// addFor notes that a write uses a parameter of another action, or of the pattern, and
// returns the input it comes from.
func (c *Call) addFor(of *resolve.PlannedWrite, w *WriteStep, param string, a *model.Attribute, optional bool) *Input {
	if of == nil && w != nil {
		of = w.PlannedWrite
	}
	if ref := c.find(of, w, param, a); !ref.IsZero() {
		input := ref.Input
		if ref.Member != nil {
			input = ref.Member
		}
		input.Type.Optional = input.Type.Optional && optional
		return input
	}
	input := &Input{Kind: Value, Name: param, Attribute: a, Type: a.Type, Patched: of != nil && optional && patches(of.Step, param)}
	input.Type.Optional = a.Type.Optional && optional || input.Patched
	if of != nil {
		if group := c.uses[use{of: root(of)}]; group != nil && group.Kind == Group {
			group.Members = append(group.Members, input)
			return input
		}
	}
	u := useOf(of, param, a)
	input.Of, c.uses[u] = u.of, input
	c.Inputs = append(c.Inputs, input)
	return input
}

// Repeated returns the input that gives the items or groups of a repeated action.
func (c *Call) Repeated(w *resolve.PlannedWrite) *Input { return c.uses[use{of: root(w)}] }
