// Package action answers what one action of a write pattern says of its item: the values
// it changes, those known before it and after it, and which conditions they fulfil.
//
// It knows the step of the design only, neither keys nor requests. The rooms of resolve
// that plan writes and counters ask it.
package action

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/logic"
)

// WritesWhole reports whether the verb writes the whole item, so that its key is made
// from the item itself.
func WritesWhole(v model.Verb) bool { return v == model.Create || v == model.Put }

// NeedsAbsence reports whether an action succeeds only if there is no such item: it is a create, or
// one of its conditions says that the item lacks an attribute that every item has.
func NeedsAbsence(step *model.Step) bool {
	return step.Verb == model.Create || WritesWhole(step.Verb) && slices.ContainsFunc(step.If, func(c *model.Condition) bool {
		return c.Op == model.Missing && !c.Attribute.Type.Optional && c.Attribute.Type.Base != model.SetOf
	})
}

// Known returns the conditions that the item fulfils before the write. In an action that
// writes the whole item, where describes the new item. An upsert may find no item, and so
// nothing that if compares.
func Known(step *model.Step) []*model.Condition {
	switch {
	case WritesWhole(step.Verb):
		return step.If
	case step.Verb == model.Upsert:
		return step.Where
	}
	return slices.Concat(step.Where, step.If)
}

// OnlyAdds reports whether an update does nothing but add to numbers other than the version
// and edit parts of collections. Such changes of parallel writers never conflict, so the
// update neither compares nor increments the version.
func OnlyAdds(step *model.Step) bool {
	for _, entry := range step.Entries {
		if entry.Kind != model.AddToEntry {
			return false
		}
	}
	return step.Verb.InPlace() && len(step.Add)+len(step.Edits)+len(step.Entries) > 0 && len(step.Set)+len(step.Remove) == 0 &&
		(step.Entity.Version == nil || Addition(step, step.Entity.Version) == nil)
}

// Changed returns the attributes that an update or upsert may change, with the version unless
// it only adds.
func Changed(step *model.Step) []*model.Attribute {
	var all []*model.Attribute
	for _, s := range step.Set {
		all = append(all, s.Attribute)
	}
	for _, s := range step.Initial {
		all = append(all, s.Attribute)
	}
	for _, s := range step.Add {
		all = append(all, s.Attribute)
	}
	all = append(all, step.Remove...)
	for _, edit := range step.Edits {
		all = append(all, edit.Attribute)
	}
	for _, entry := range step.Entries {
		all = append(all, entry.Map)
	}
	if v := step.Entity.Version; v != nil && !slices.Contains(all, v) && !OnlyAdds(step) {
		all = append(all, v)
	}
	return all
}

// Changes reports whether an update changes an attribute.
func Changes(step *model.Step, a *model.Attribute) bool { return slices.Contains(Changed(step), a) }

// Touches reports whether an update changes any of the attributes.
func Touches(step *model.Step, attributes []*model.Attribute) bool {
	return Intersect(attributes, Changed(step))
}

// Intersect reports whether two lists have an attribute in common.
func Intersect(a, b []*model.Attribute) bool {
	return slices.ContainsFunc(a, func(one *model.Attribute) bool { return slices.Contains(b, one) })
}

// Assigned returns the value that a write sets an attribute to, or nil. In an action that
// may make the item, the equalities in where set values too; conditions on the item that
// it replaces stand in if.
func Assigned(step *model.Step, a *model.Attribute) *model.Operand {
	if v := valueOf(step.Set, a); v != nil {
		return v
	}
	if c := logic.Equality(step.Where, a); c != nil && step.Verb.Makes() {
		return &c.Values[0]
	}
	return nil
}

// Initial returns the value that an upsert gives an attribute if the item lacks it, or nil.
func Initial(step *model.Step, a *model.Attribute) *model.Operand { return valueOf(step.Initial, a) }

// valueOf returns the value that assignments give an attribute, or nil.
func valueOf(assignments []*model.Assignment, a *model.Attribute) *model.Operand {
	for _, s := range assignments {
		if s.Attribute != a {
			continue
		}
		if s.Value == nil {
			return &model.Operand{Param: a.Name}
		}
		return s.Value
	}
	return nil
}

// Addition returns the addition of an action to a number, or nil.
func Addition(step *model.Step, a *model.Attribute) *model.Addition {
	for _, add := range step.Add {
		if add.Attribute == a {
			return add
		}
	}
	return nil
}

// Patches reports whether an update sets an attribute only if the caller gives a value.
func Patches(step *model.Step, a *model.Attribute) bool {
	return slices.ContainsFunc(step.Set, func(s *model.Assignment) bool { return s.Patch && s.Attribute == a })
}

// Edits reports whether an action changes a part of an attribute.
func Edits(step *model.Step, a *model.Attribute) bool {
	return slices.ContainsFunc(step.Edits, func(edit *model.Edit) bool { return edit.Attribute == a })
}

// MayClear reports whether an update sets an attribute to a value of the caller or, if the
// caller gives none, removes it. Only optional attributes can be removed so.
func MayClear(step *model.Step, a *model.Attribute) bool {
	v := Assigned(step, a)
	return step.Verb.InPlace() && a.Type.Optional && v != nil && v.Param != "" && !Patches(step, a)
}

// Fresh returns the value of an attribute of a new item: the value that the write sets,
// the state that its lifecycle begins with, or a parameter.
func Fresh(step *model.Step, a *model.Attribute) model.Operand {
	if v := Assigned(step, a); v != nil {
		return *v
	}
	if step.Verb == model.Create && a.Lifecycle != nil {
		return model.Operand{Constant: logic.FirstState(a)}
	}
	return model.Operand{Param: a.Name}
}

// Old returns the value of an attribute before a write. The old value of a changed
// attribute is a parameter of its own.
func Old(step *model.Step, a *model.Attribute) model.Operand {
	if c := logic.Equality(Known(step), a); c != nil {
		return c.Values[0]
	}
	if step.Verb == model.Update && Changes(step, a) {
		return model.Operand{Param: "old_" + a.Name}
	}
	return model.Operand{Param: a.Name}
}

// New returns the value of an attribute after the write. The new value of a number that
// is added to is a parameter of its own: only the caller can compute it.
func New(step *model.Step, a *model.Attribute) model.Operand {
	if step.Verb != model.Update || Assigned(step, a) != nil {
		return Fresh(step, a)
	}
	if Changes(step, a) {
		return model.Operand{Param: a.Name + "_next"}
	}
	return Old(step, a)
}

// KnowsNew reports whether the caller of an update knows the value that an attribute has
// afterwards.
func KnowsNew(step *model.Step, a *model.Attribute) bool {
	return Assigned(step, a) != nil || logic.Equality(Known(step), a) != nil && !Changes(step, a)
}

// ValueBefore returns the value of an attribute before an action, if the action states
// it, or nil.
func ValueBefore(step *model.Step, a *model.Attribute) *model.Operand {
	if c := logic.Equality(Known(step), a); c != nil && c.Values[0].Attribute == nil {
		return &c.Values[0]
	}
	return nil
}

// ValueAfter returns the value of an attribute after an action, if the action states it,
// or nil.
func ValueAfter(step *model.Step, a *model.Attribute) *model.Operand {
	if v := Assigned(step, a); v != nil && v.Attribute == nil && !Patches(step, a) {
		return v
	}
	switch {
	case WritesWhole(step.Verb) && logic.Equality(step.Where, a) == nil:
		return &model.Operand{Param: a.Name}
	case Changes(step, a):
		return nil
	}
	return ValueBefore(step, a)
}
