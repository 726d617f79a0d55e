package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// Request is the request of the write as DynamoDB takes it, as a value for JSON. In a
// transaction it is one of its actions.
//
// What the design leaves to the values of the caller is not DynamoDB's to decide: OnlyIf
// says of a key attribute when the request of the caller has it, or else takes it away;
// of the primary key of a guard's row, when there is such a row; and of an attribute with
// a guard, when its old value is the condition.
func (w *Write) Request() any {
	x, o := newExpression(), Object{{"TableName", w.Item.Table.Name}}
	var depends Object
	if w.Operation == PutItem {
		o.add("Item", w.item(&depends))
	} else {
		o.add("Key", keyObject(w.Key))
	}
	if w.Operation == UpdateItem {
		o.add("UpdateExpression", w.update(x, &depends))
	}
	if condition := w.condition(x); condition != "" {
		o.add("ConditionExpression", condition)
	}
	x.into(&o)
	for _, a := range w.optional {
		if w.Guard != nil {
			depends.add(w.Item.Table.PK.Name, a.Name+" exists")
		} else {
			depends.add(a.Stored, a.Name+" exists, else attribute_not_exists")
		}
	}
	if len(depends) > 0 {
		o.add("OnlyIf", depends)
	}
	return o
}

// item is the whole item: keys first, then attributes, then the other computed ones.
func (w *Write) item(depends *Object) Object {
	o := keyObject(w.Key)
	t := w.Item.Table
	if t.Type != "" {
		o.add(t.Type, Object{{"S", w.typeName()}})
	}
	has := func(name string) bool { return slices.ContainsFunc(o, func(m Member) bool { return m.Name == name }) }
	for _, c := range w.Item.Computed {
		key := &model.Key{Name: c.Name, Template: c.Template, When: c.When}
		if _, after := keyExists(w.Step, key); has(c.Name) || after == no {
			continue
		}
		o.add(c.Name, Object{{"S", w.computed(key).String()}})
		if open := undecided(w.Step, key); len(open) > 0 {
			depends.add(c.Name, onlyIf(open))
		}
	}
	for _, a := range w.Item.Entity.Attributes {
		if has(a.Stored) {
			continue
		}
		value := fresh(w.Step, a)
		if w.Step.Verb == model.Put && a == w.Item.Entity.Version && assigned(w.Step, a) == nil {
			value.Param += "_next" // the one it has now is in the condition
		}
		o.add(a.Stored, attributeValue(a.Type, value))
	}
	return o
}

// typeName is the name of what is written, for the attribute that tells items apart.
func (w *Write) typeName() string {
	return cmp.Or(w.kind, w.Item.Entity.Name)
}

// computed is the text of a computed attribute after the write.
func (w *Write) computed(key *model.Key) Text {
	var text Text
	for _, part := range key.Parts() {
		if !part.IsHole() {
			text = text.with(literal(part.Literal))
			continue
		}
		text = text.with(valueText(w.afterwards(part.Attribute), part))
	}
	return text
}

// afterwards is the value of an attribute after the write. Of a number that is added to
// only the caller can say what it becomes.
func (w *Write) afterwards(a *model.Attribute) model.Operand {
	step := w.Step
	if step.Verb != model.Update || assigned(step, a) != nil {
		return fresh(step, a)
	}
	if slices.Contains(changedBy(step), a) {
		return model.Operand{Param: a.Name + "_next"}
	}
	return old(step, a)
}

// update is what an UpdateItem changes: what the pattern says, the version, and the
// index keys made from it.
func (w *Write) update(x *expression, depends *Object) string {
	var set, add, remove []string
	if t := w.Item.Table; t.Type != "" && w.Shards > 1 {
		set = append(set, fmt.Sprintf("%s = %s", x.name(t.Type), x.value(t.Type, "S", w.typeName())))
	}
	for _, s := range w.Step.Set {
		value := assigned(w.Step, s.Attribute)
		c := &model.Condition{Attribute: s.Attribute}
		set = append(set, fmt.Sprintf("%s = %s", x.name(s.Attribute.Stored), x.operand(operandHint(c, *value), s.Attribute.Type, *value)))
	}
	for _, s := range w.Step.Add {
		hint, by := s.Attribute.Name, s.By.String()
		if s.Param != "" {
			hint, by = s.Param, "{"+s.Param+"}"
		}
		add = append(add, fmt.Sprintf("%s %s", x.name(s.Attribute.Stored), x.value(hint, "N", by)))
	}
	if v := w.Item.Entity.Version; v != nil && assigned(w.Step, v) == nil && addition(w.Step, v) == nil {
		add = append(add, fmt.Sprintf("%s %s", x.name(v.Stored), x.value("one", "N", "1")))
	}
	for _, a := range w.Step.Remove {
		remove = append(remove, x.name(a.Stored))
	}
	for _, key := range w.changedKeys() {
		u := updateKey(w.Step, key)
		condition := onlyIf(u.unless)
		switch u.change {
		case keyGone:
			remove = append(remove, x.name(key.Name))
			condition = "not (" + condition + ")"
		default:
			set = append(set, fmt.Sprintf("%s = %s", x.name(key.Name), x.value(key.Name, "S", w.computed(key).String())))
			if u.change == keySetOrGone {
				condition += ", else REMOVE"
			}
		}
		if len(u.unless) > 0 {
			depends.add(key.Name, condition)
		}
	}
	return joinClauses(clause{"SET", set}, clause{"ADD", add}, clause{"REMOVE", remove})
}

// changedKeys are the computed index keys an update must write, each once.
func (w *Write) changedKeys() []*model.Key {
	var all []*model.Key
	for _, index := range w.Indexes {
		for _, key := range slices.Concat(index.Entry.PK, index.Entry.SK) {
			known := slices.ContainsFunc(all, func(k *model.Key) bool { return k.Name == key.Name })
			if key.Template != nil && !known && updateKey(w.Step, key).change != keyKept {
				all = append(all, key)
			}
		}
	}
	return all
}

type clause struct {
	word  string
	parts []string
}

func joinClauses(clauses ...clause) string {
	var all []string
	for _, c := range clauses {
		if len(c.parts) > 0 {
			all = append(all, c.word+" "+strings.Join(c.parts, ", "))
		}
	}
	return strings.Join(all, " ")
}

// condition is what must hold for the write: that the item is there, or is not, the
// version, and what the pattern asks. The first write of a shard makes it.
func (w *Write) condition(x *expression) string {
	var all []string
	switch {
	case w.Step.Verb == model.Create || w.Requirement != nil && w.Requirement.Missing:
		all = append(all, "attribute_not_exists("+x.name(w.Item.Table.PK.Name)+")")
	case w.Shards > 1:
	case w.Step.Verb == model.Update || w.Step.Verb == model.Check || w.Requirement != nil || w.Step.Verb == model.Delete && w.counted:
		all = append(all, "attribute_exists("+x.name(w.Item.Table.PK.Name)+")")
	}
	if version := w.lock(x); version != "" {
		all = append(all, version)
	}
	for _, c := range w.Checks {
		text := x.condition(c)
		if c.Attribute.Type.Optional && slices.Contains(w.fromNothing, c) {
			text = fmt.Sprintf("(attribute_not_exists(%s) OR %s)", x.name(c.Attribute.Stored), text)
		}
		all = append(all, text)
	}
	return strings.Join(all, " AND ")
}

// lock is the condition that the item still has the version the caller saw. A put may
// find none.
func (w *Write) lock(x *expression) string {
	v := w.Item.Entity.Version
	if v == nil || w.unseen || equality(beforehand(w.Step), v) != nil {
		return ""
	}
	same := func() string { return fmt.Sprintf("%s = %s", x.name(v.Stored), x.value(v.Name, "N", "{"+v.Name+"}")) }
	switch w.Step.Verb {
	case model.Update, model.Delete:
		return same()
	case model.Put:
		return fmt.Sprintf("(attribute_not_exists(%s) OR %s)", x.name(w.Item.Table.PK.Name), same())
	}
	return ""
}
