package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// Statement is the request of the write. In a transaction it is one of its actions.
func (w *Write) Statement() *Statement {
	x, s := newExpression(), &Statement{Operation: w.Operation, Table: w.Item.Table}
	if w.Operation == PutItem {
		s.Item = w.fields()
	} else {
		s.Key = w.Key
	}
	if w.Operation == UpdateItem {
		s.Update = w.update(x)
	}
	s.Condition = w.condition(x)
	x.into(s)
	if w.Guard != nil {
		for _, a := range w.optional {
			s.Only = append(s.Only, &model.Condition{Attribute: a, Op: model.Exists})
		}
	}
	return s
}

// fields are the whole item: keys first, then the other computed ones, then attributes.
func (w *Write) fields() []Field {
	var all []Field
	for _, c := range w.Key {
		all = append(all, Field{Name: c.Name, Value: Value{Kind: c.Kind, Text: c.Low}})
	}
	t := w.Item.Table
	if t.Type != "" {
		all = append(all, Field{Name: t.Type, Value: Value{Kind: "S", Text: Text{literal(w.typeName())}}})
	}
	has := func(name string) bool { return slices.ContainsFunc(all, func(f Field) bool { return f.Name == name }) }
	for _, c := range w.Item.Computed {
		key := &model.Key{Name: c.Name, Template: c.Template, When: c.When}
		if _, after := keyExists(w.Step, key); has(c.Name) || after == no {
			continue
		}
		all = append(all, Field{Name: c.Name, Value: Value{Kind: "S", Text: w.computed(key)}, Only: undecided(w.Step, key)})
	}
	for _, a := range w.Item.Entity.Attributes {
		if has(a.Stored) {
			continue
		}
		value := w.Stored(a)
		next := value.Param != "" && value != fresh(w.Step, a)
		field := Field{Name: a.Stored, Value: Value{Kind: valueKind(a.Type), Operand: &value, Attribute: a, Next: next}}
		if terms := w.sums[a]; counts(terms) { // a counter of a new item begins with what is counted
			field.Value.Sum = terms
		}
		all = append(all, field)
	}
	return all
}

// Stored is the value an item that is written whole gets for an attribute.
func (w *Write) Stored(a *model.Attribute) model.Operand {
	value := fresh(w.Step, a)
	if assigned(w.Step, a) != nil {
		return value
	}
	counts := slices.ContainsFunc(w.Item.Entity.Counters, func(c *model.Counter) bool { return c.Attribute == a && c.Shards <= 1 })
	switch {
	case counts && w.Step.Verb == model.Create:
		return model.Operand{Constant: "0"} // nothing of it is there yet
	case a != w.Item.Entity.Version:
		return value
	}
	switch w.Step.Verb {
	case model.Create:
		return model.Operand{Constant: "1"}
	case model.Put:
		value.Param += "_next" // the one it has now is in the condition
	}
	return value
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
		text = text.with(valueText(w.Afterwards(part.Attribute), part))
	}
	return text
}

// Afterwards is the value of an attribute after the write. Of a number that is added to
// only the caller can say what it becomes.
func (w *Write) Afterwards(a *model.Attribute) model.Operand {
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
func (w *Write) update(x *expression) []Clause {
	var all []Clause
	write := func(word, format string, parts ...func() string) {
		all = append(all, x.write(word, func() string {
			texts := make([]any, len(parts))
			for i, part := range parts {
				texts[i] = part()
			}
			return fmt.Sprintf(format, texts...)
		}))
	}
	name := func(stored string) func() string { return func() string { return x.name(stored) } }
	if t := w.Item.Table; t.Type != "" && w.Shards > 1 {
		write("SET", "%s = %s", name(t.Type), func() string { return x.text(t.Type, "S", Text{literal(w.typeName())}) })
	}
	for _, s := range w.Step.Set {
		value := assigned(w.Step, s.Attribute)
		c := &model.Condition{Attribute: s.Attribute}
		write("SET", "%s = %s", name(s.Attribute.Stored), func() string { return x.operand(operandHint(c, *value), s.Attribute, *value) })
		if mayClear(w.Step, s.Attribute) {
			other := x.write("REMOVE", func() string { return x.name(s.Attribute.Stored) })
			set := &all[len(all)-1]
			set.Only, set.Else = []*model.Condition{{Attribute: s.Attribute, Op: model.Exists}}, &other
		}
	}
	for _, s := range w.Step.Add {
		hint, by := cmp.Or(s.Param, s.Attribute.Name), model.Operand{Param: s.Param}
		if s.Param == "" {
			by.Constant = Digits(s.By)
		}
		write("ADD", "%s %s", name(s.Attribute.Stored), func() string {
			return x.sum(hint, s.Attribute, by, w.sums[s.Attribute], nil)
		})
	}
	if v := w.Item.Entity.Version; v != nil && assigned(w.Step, v) == nil && addition(w.Step, v) == nil {
		write("ADD", "%s %s", name(v.Stored), func() string { return x.operand("one", v, model.Operand{Constant: "1"}) })
	}
	for _, a := range w.Step.Remove {
		write("REMOVE", "%s", name(a.Stored))
	}
	for _, key := range w.changedKeys() {
		all = append(all, w.updateKey(x, key))
	}
	return all
}

// updateKey is what the update does to a key attribute of an index.
func (w *Write) updateKey(x *expression, key *model.Key) Clause {
	u := updateKey(w.Step, key)
	remove := func() Clause { return x.write("REMOVE", func() string { return x.name(key.Name) }) }
	if u.change == keyGone {
		c := remove()
		c.Only, c.Unless = u.unless, len(u.unless) > 0
		return c
	}
	c := x.write("SET", func() string { return fmt.Sprintf("%s = %s", x.name(key.Name), x.text(key.Name, "S", w.computed(key))) })
	c.Only = u.unless
	if u.change == keySetOrGone {
		other := remove()
		c.Else = &other
	}
	return c
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

// Expectation is what a write's condition says about its item being there.
type Expectation int

// The expectations.
const (
	Anything Expectation = iota
	Present
	Absent
)

// Expects is what must be true of the item being there. The first write of a shard
// makes it.
func (w *Write) Expects() Expectation {
	switch {
	case w.Step.Verb == model.Create || w.Requirement != nil && w.Requirement.Missing:
		return Absent
	case w.Shards > 1:
	case w.Step.Verb == model.Update || w.Step.Verb == model.Check || w.Requirement != nil || w.Step.Verb == model.Delete && (w.counted || w.heldByNothing()):
		return Present
	}
	return Anything
}

// heldByNothing reports whether there are conditions and an item that is not there fulfils
// them all: it differs from every value, and lacks every attribute, also that of an empty set.
func (w *Write) heldByNothing() bool {
	return len(w.Checks) > 0 && !w.Locked() && !slices.ContainsFunc(w.Checks, func(c *model.Condition) bool {
		return c.Op != model.Ne && c.Op != model.Missing && !ComparesSet(c)
	})
}

// condition is what must hold for the write: that the item is there, or is not, the
// version, and what the pattern asks.
func (w *Write) condition(x *expression) []Clause {
	var all []Clause
	pk := w.Item.Table.PK.Name
	switch w.Expects() {
	case Absent:
		all = append(all, x.write("", func() string { return "attribute_not_exists(" + x.name(pk) + ")" }))
	case Present:
		all = append(all, x.write("", func() string { return "attribute_exists(" + x.name(pk) + ")" }))
	}
	if w.Locked() {
		all = append(all, w.lock(x))
	}
	for _, c := range w.Checks {
		clause := x.write("", func() string {
			text := w.check(x, c)
			if c.Attribute.Type.Optional && slices.Contains(w.fromNothing, c) {
				text = fmt.Sprintf("(attribute_not_exists(%s) OR %s)", x.name(c.Attribute.Stored), text)
			}
			return text
		})
		x.emptySet(&clause, c)
		if w.Guard == nil && slices.Contains(w.optional, c.Attribute) && slices.Contains(w.held, c) {
			other := x.write("", func() string { return "attribute_not_exists(" + x.name(c.Attribute.Stored) + ")" })
			clause.Only, clause.Else = []*model.Condition{{Attribute: c.Attribute, Op: model.Exists}}, &other
		}
		all = append(all, clause)
	}
	return all
}

// check is one condition of the write. A bound is what is left of the limit after what is
// added.
func (w *Write) check(x *expression, c *model.Condition) string {
	limit, ok := w.limits[c]
	if !ok {
		return x.condition(c)
	}
	v := c.Values[0]
	return fmt.Sprintf("%s %s %s", x.name(c.Attribute.Stored), c.Op, x.sum(operandHint(c, v), c.Attribute, v, w.added(c.Attribute), &limit))
}

// added are the parts of what is added to an attribute.
func (w *Write) added(a *model.Attribute) []Term {
	if terms := w.sums[a]; terms != nil {
		return terms
	}
	if add := addition(w.Step, a); add != nil {
		return []Term{{By: add.By, Param: add.Param}}
	}
	return nil
}

// sum notes what is added to a counter.
func (w *Write) sum(a *model.Attribute, terms []Term) {
	if w.sums == nil {
		w.sums = map[*model.Attribute][]Term{}
	}
	w.sums[a] = terms
}

// limit notes what a condition keeps a counter within.
func (w *Write) limit(c *model.Condition, limit exact.Number) {
	if w.limits == nil {
		w.limits = map[*model.Condition]exact.Number{}
	}
	w.limits[c] = limit
}

// Bound is what a condition keeps a counter within, and whether it is there for that.
func (w *Write) Bound(c *model.Condition) (exact.Number, bool) {
	limit, ok := w.limits[c]
	return limit, ok
}

// Locked reports whether the condition compares the version the caller saw.
func (w *Write) Locked() bool {
	v := w.Item.Entity.Version
	if v == nil || w.unseen || equality(beforehand(w.Step), v) != nil {
		return false
	}
	return w.Step.Verb == model.Update || w.Step.Verb == model.Delete || w.Step.Verb == model.Put
}

// lock is the condition that the item still has the version the caller saw. Version 0 of a
// put says that the caller saw none: then there must be none. One condition for both would
// let a caller that saw an item bring it back after somebody deleted it.
func (w *Write) lock(x *expression) Clause {
	v := w.Item.Entity.Version
	seen := model.Operand{Param: w.versionParam()}
	same := x.write("", func() string {
		return fmt.Sprintf("%s = %s", x.name(v.Stored), x.operand(seen.Param, v, seen))
	})
	if w.Step.Verb == model.Put {
		none := x.write("", func() string { return "attribute_not_exists(" + x.name(w.Item.Table.PK.Name) + ")" })
		same.Only = []*model.Condition{{Attribute: v, Op: model.Gt, Values: []model.Operand{{Constant: "0"}}}}
		same.Else = &none
	}
	return same
}

// versionParam is the parameter that holds the version the caller saw. Of several items
// with a version in one transaction each has its own.
func (w *Write) versionParam() string {
	v, locked := w.Item.Entity.Version, 0
	for _, step := range w.Pattern.Actions() {
		if step.Entity.Version != nil && (step.Verb == model.Update || step.Verb == model.Delete) {
			locked++
		}
	}
	if locked > 1 && !writesWhole(w.Step.Verb) {
		return strings.ToLower(w.Item.Entity.Name) + "_" + v.Name
	}
	return v.Name
}
