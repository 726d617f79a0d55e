package resolve

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// Request is the request of the write as DynamoDB takes it, as a value for JSON. In a
// transaction it is one of its actions.
func (w *Write) Request() any {
	x, o := newExpression(), Object{{"TableName", w.Item.Table.Name}}
	if w.Operation == PutItem {
		o.add("Item", w.item())
	} else {
		o.add("Key", keyObject(w.Key))
	}
	if w.Operation == UpdateItem {
		o.add("UpdateExpression", w.update(x))
	}
	if condition := w.condition(x); condition != "" {
		o.add("ConditionExpression", condition)
	}
	x.into(&o)
	return o
}

// item is the whole item: keys first, then attributes, then the other computed ones.
func (w *Write) item() Object {
	o := keyObject(w.Key)
	t := w.Item.Table
	if t.Type != "" && w.Guard == nil {
		o.add(t.Type, Object{{"S", w.Item.Entity.Name}})
	}
	has := func(name string) bool { return slices.ContainsFunc(o, func(m Member) bool { return m.Name == name }) }
	for _, c := range w.Item.Computed {
		if !has(c.Name) {
			o.add(c.Name, Object{{"S", w.computed(&model.Key{Name: c.Name, Template: c.Template}).String()}})
		}
	}
	for _, a := range w.Item.Entity.Attributes {
		if has(a.Stored) {
			continue
		}
		value := model.Operand{Param: a.Name}
		if v := assigned(w.Step, a); v != nil {
			value = *v
		}
		o.add(a.Stored, Object{{valueKind(a.Type), operandText(value)}})
	}
	return o
}

// computed is the text of a computed attribute after the write.
func (w *Write) computed(key *model.Key) Text {
	var text Text
	for _, part := range key.Parts() {
		if !part.IsHole() {
			text = text.with(literal(part.Literal))
			continue
		}
		value := model.Operand{Param: part.Attribute.Name}
		if v := assigned(w.Step, part.Attribute); v != nil {
			value = *v
		} else if c := equality(slices.Concat(w.Step.Where, w.Step.If), part.Attribute); c != nil {
			value = c.Values[0]
		}
		text = text.with(valueText(value, part))
	}
	return text
}

// update is what an UpdateItem changes: what the pattern says, the version, and the
// index keys made from it.
func (w *Write) update(x *expression) string {
	var set, add, remove []string
	for _, s := range w.Step.Set {
		value := assigned(w.Step, s.Attribute)
		c := &model.Condition{Attribute: s.Attribute}
		set = append(set, fmt.Sprintf("%s = %s", x.name(s.Attribute.Stored), x.value(operandHint(c, *value), valueKind(s.Attribute.Type), operandText(*value))))
	}
	for _, s := range w.Step.Add {
		hint, by := s.Attribute.Name, s.By.String()
		if s.Param != "" {
			hint, by = s.Param, "{"+s.Param+"}"
		}
		add = append(add, fmt.Sprintf("%s %s", x.name(s.Attribute.Stored), x.value(hint, "N", by)))
	}
	if v := w.Item.Entity.Version; v != nil && assigned(w.Step, v) == nil {
		add = append(add, fmt.Sprintf("%s %s", x.name(v.Stored), x.value("one", "N", "1")))
	}
	for _, a := range w.Step.Remove {
		remove = append(remove, x.name(a.Stored))
	}
	for _, key := range w.changedKeys() {
		change, _ := keyUpdate(w.Step, key, beforehand(w.Step), afterwards(w.Step))
		if change == gone {
			remove = append(remove, x.name(key.Name))
		} else {
			set = append(set, fmt.Sprintf("%s = %s", x.name(key.Name), x.value(key.Name, "S", w.computed(key).String())))
		}
	}
	return joinClauses(clause{"SET", set}, clause{"ADD", add}, clause{"REMOVE", remove})
}

// changedKeys are the computed index keys an update must write, each once.
func (w *Write) changedKeys() []*model.Key {
	var all []*model.Key
	for _, index := range w.Indexes {
		for _, key := range slices.Concat(index.Entry.PK, index.Entry.SK) {
			change, _ := keyUpdate(w.Step, key, beforehand(w.Step), afterwards(w.Step))
			known := slices.ContainsFunc(all, func(k *model.Key) bool { return k.Name == key.Name })
			if key.Template != nil && change != Untouched && !known {
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
	if v := w.Item.Entity.Version; v != nil && w.Step.Verb == model.Update && !w.unseen {
		all = append(all, fmt.Sprintf("%s = %s", x.name(v.Stored), x.value(v.Name, "N", "{"+v.Name+"}")))
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
