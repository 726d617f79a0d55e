package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/expression"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// statement writes the request of the write.
func (d *Draft) statement(f plan.Facts) *plan.Statement {
	x, s := expression.New(), &plan.Statement{Operation: d.Operation, Table: d.Item.Table}
	if d.Operation == plan.PutItem {
		s.Item = d.fields(f)
	} else {
		s.Key = d.Key
	}
	if d.Operation == plan.UpdateItem {
		s.Update = d.update(x)
	}
	s.Condition = d.condition(x, f)
	x.Into(s)
	if d.Guard != nil {
		for _, a := range d.optional {
			s.Only = append(s.Only, logic.Exists(a))
		}
	}
	d.decide(s)
	return s
}

// decide adds the values that decide about the statement, its fields and its clauses.
func (d *Draft) decide(s *plan.Statement) {
	note := func(conditions []*model.Condition) {
		for _, c := range conditions {
			for _, a := range logic.Compared(c) {
				if s.Decided == nil {
					s.Decided = map[*model.Attribute]model.Operand{}
				}
				s.Decided[a] = d.decisive(a)
			}
		}
	}
	note(s.Only)
	for _, f := range s.Item {
		note(f.Only)
	}
	for _, c := range slices.Concat(s.Update, s.Condition) {
		if !c.Own {
			note(c.Only)
		}
	}
}

// decisive returns the value of an attribute that decides whether a part of the statement
// is there: the value that a guard row is made of, else the value after the write.
func (d *Draft) decisive(a *model.Attribute) model.Operand {
	if d.Guard != nil {
		for _, k := range d.Key {
			if i := slices.IndexFunc(k.Low, func(part keytext.TextPart) bool { return part.Attribute == a && part.Value != nil }); i >= 0 {
				return *k.Low[i].Value
			}
		}
	}
	return action.New(d.Step, a)
}

// fields returns the whole item: keys first, then the other computed attributes, then the
// attributes of the entity.
func (d *Draft) fields(f plan.Facts) []plan.Field {
	var all []plan.Field
	for _, c := range d.Key {
		all = append(all, plan.Field{Name: c.Name, Value: plan.Value{Kind: c.Kind, Text: c.Low}})
	}
	t := d.Item.Table
	if t.Type != "" {
		all = append(all, plan.Field{Name: t.Type, Value: plan.Value{Kind: "S", Text: keytext.Text{keytext.Literal(d.typeName())}}})
	}
	if d.Guard != nil { // the row names the item that it belongs to
		for _, c := range d.Origin.Key {
			all = append(all, plan.Field{Name: model.OwnerName(c.Name), Value: plan.Value{Kind: c.Kind, Text: c.Low}, Owner: d.Origin.Item.Key(c.Name)})
		}
	}
	has := func(name string) bool {
		return slices.ContainsFunc(all, func(f plan.Field) bool { return f.Name == name })
	}
	for _, c := range d.Item.Computed {
		key := &model.Key{Name: c.Name, Template: c.Template, When: c.When}
		if _, after := keyExists(d.Step, key); !has(c.Name) && after != action.No {
			all = append(all, plan.Field{Name: c.Name, Value: plan.Value{Kind: "S", Text: d.computed(key)}, Only: undecided(d.Step, key)})
		}
	}
	for _, a := range d.Item.Entity.Beside() {
		if !has(a.Stored) {
			all = append(all, d.field(a, f.Stored[a]))
		}
	}
	return all
}

// field returns an attribute of an item that is written whole.
func (d *Draft) field(a *model.Attribute, value model.Operand) plan.Field {
	next := value.Param != "" && value != action.Fresh(d.Step, a)
	field := plan.Field{Name: a.Stored, Value: plan.Value{Kind: expression.Kind(a.Type), Operand: &value, Attribute: a, Next: next}}
	if terms := d.terms[a]; plan.Varies(terms) { // a counter of a new item begins with what is counted
		field.Value.Sum = terms
	}
	return field
}

// computed returns the text of a computed attribute after the write.
func (d *Draft) computed(key *model.Key) keytext.Text {
	return keytext.Of(key, func(a *model.Attribute) model.Operand { return action.New(d.Step, a) })
}

// update returns the changes of an UpdateItem: those of the pattern, the version, and the
// index keys made from them.
func (d *Draft) update(x *expression.Writer) []plan.Clause {
	var all []plan.Clause
	upserts := d.Step.Verb == model.Upsert
	if t := d.Item.Table; t.Type != "" && (d.Shards > 1 || upserts) {
		all = append(all, set(x, t.Type, func() string { return x.Text(t.Type, "S", keytext.Text{keytext.Literal(d.typeName())}) }))
	}
	if upserts {
		all = append(all, d.identity(x)...)
	}
	for _, s := range d.Step.Set {
		all = append(all, d.assignment(x, s.Attribute))
	}
	for _, s := range d.Step.Initial {
		all = append(all, d.initial(x, s.Attribute))
	}
	for _, s := range d.Step.Add {
		all = append(all, d.addition(x, s))
	}
	all = append(all, d.version(x)...)
	for _, a := range d.Step.Remove {
		all = append(all, x.Remove(a.Stored))
	}
	for _, edit := range d.Step.Edits {
		all = append(all, d.edit(x, edit))
	}
	for _, entry := range d.Step.Entries {
		all = append(all, changeEntry(x, entry))
	}
	for _, key := range d.changedKeys() {
		all = append(all, d.keyClause(x, key))
	}
	return all
}

// version returns the clause that increments the version. An upsert that only adds gives a new
// item its first version.
func (d *Draft) version(x *expression.Writer) []plan.Clause {
	v := d.Item.Entity.Version
	if v == nil || action.Assigned(d.Step, v) != nil || action.Addition(d.Step, v) != nil {
		return nil
	}
	one := func() string { return x.Operand("one", v, model.Operand{Constant: "1"}) }
	switch {
	case !action.OnlyAdds(d.Step):
		return []plan.Clause{add(x, v.Stored, one)}
	case d.Step.Verb == model.Upsert:
		return []plan.Clause{unlessPresent(x, v.Stored, one)}
	}
	return nil
}

// set returns the clause that sets an attribute to a value.
func set(x *expression.Writer, stored string, value func() string) plan.Clause {
	return x.Clause("SET", func() string { return x.Name(stored) + " = " + value() })
}

// add returns the clause that adds a number to an attribute.
func add(x *expression.Writer, stored string, value func() string) plan.Clause {
	return x.Clause("ADD", func() string { return x.Name(stored) + " " + value() })
}

// assignment returns the clause that sets an attribute, or removes it if the caller gives
// no value.
func (d *Draft) assignment(x *expression.Writer, a *model.Attribute) plan.Clause {
	value := action.Assigned(d.Step, a)
	hint := expression.Hint(&model.Condition{Attribute: a}, *value)
	clause := set(x, a.Stored, func() string { return x.Operand(hint, a, *value) })
	switch {
	case action.Patches(d.Step, a):
		clause.Only, clause.Own = []*model.Condition{logic.Exists(a)}, true
	case action.MayClear(d.Step, a):
		expression.Or(&clause, a, x.Remove(a.Stored))
	}
	return clause
}

// addition returns the clause that adds to an attribute.
func (d *Draft) addition(x *expression.Writer, s *model.Addition) plan.Clause {
	hint, by := cmp.Or(s.Param, s.Attribute.Name), model.Operand{Param: s.Param}
	if s.Param == "" {
		by.Constant = plan.Digits(s.By)
	}
	return add(x, s.Attribute.Stored, func() string { return x.Sum(hint, s.Attribute, by, d.terms[s.Attribute], nil) })
}

// keyClause returns the effect of the update on a key attribute of an index.
func (d *Draft) keyClause(x *expression.Writer, key *model.Key) plan.Clause {
	u := updateKey(d.Step, key)
	if u.change == keyRemoved {
		c := x.Remove(key.Name)
		c.Only, c.Unless = u.unless, len(u.unless) > 0
		return c
	}
	c := set(x, key.Name, func() string { return x.Text(key.Name, "S", d.computed(key)) })
	if a := patchedPart(d.Step, key); a != nil { // patchProblems makes sure that all other parts are known
		c.Only = []*model.Condition{logic.Exists(a)}
		return c
	}
	c.Only = u.unless
	if u.change == keySetOrRemove {
		other := x.Remove(key.Name)
		c.Else = &other
	}
	return c
}

// changedKeys returns the computed index keys that an update must write, each once. An upsert
// writes all of them, as it may make the item.
func (d *Draft) changedKeys() []*model.Key {
	var all []*model.Key
	if d.Step.Verb == model.Upsert {
		return d.computedKeys()
	}
	for _, index := range d.Indexes {
		for _, key := range index.Entry.Keys() {
			known := slices.ContainsFunc(all, func(k *model.Key) bool { return k.Name == key.Name })
			if key.Template != nil && !known && updateKey(d.Step, key).change != keyKept {
				all = append(all, key)
			}
		}
	}
	return all
}

// condition returns what must hold for the write: that the item is there, or is not, the
// version, and the conditions of the pattern.
func (d *Draft) condition(x *expression.Writer, f plan.Facts) []plan.Clause {
	var all []plan.Clause
	switch f.Expects {
	case plan.Absent:
		all = append(all, x.Missing(d.Item.Table.PK.Name))
	case plan.Present:
		all = append(all, x.Exists(d.Item.Table.PK.Name))
	}
	if f.Locked {
		all = append(all, d.lock(x))
	}
	for _, c := range d.Checks {
		clause := x.Clause("", func() string { return d.check(x, c) })
		x.OrEmptySet(&clause, c)
		if d.Step.Verb == model.Upsert {
			d.orNew(x, &clause)
		}
		if d.Guard == nil && slices.Contains(d.optional, c.Attribute) && slices.Contains(d.held, c) {
			expression.Or(&clause, c.Attribute, x.Missing(c.Attribute.Stored))
		}
		all = append(all, clause)
	}
	return append(append(all, d.bounds(x)...), d.entryBounds(x)...)
}

// check writes one condition of the write. The bound of a counter is the limit less the
// added number.
func (d *Draft) check(x *expression.Writer, c *model.Condition) string {
	limit, ok := d.limits[c]
	if !ok {
		return x.Condition(c)
	}
	v := c.Values[0]
	text := fmt.Sprintf("%s %s %s", x.Name(c.Attribute.Stored), c.Op, x.Sum(expression.Hint(c, v), c.Attribute, v, d.added(c.Attribute), &limit))
	if c.Attribute.Type.Optional && slices.Contains(d.FromNothing, c) {
		text = fmt.Sprintf("(attribute_not_exists(%s) OR %s)", x.Name(c.Attribute.Stored), text)
	}
	return text
}

// lock returns the condition that the item still has the version that the caller saw. For
// a put, version 0 says that the caller saw no item: then there must be none. One condition
// for both would let a caller that saw an item restore it after it was deleted.
func (d *Draft) lock(x *expression.Writer) plan.Clause {
	v := d.Item.Entity.Version
	seen := model.Operand{Param: d.versionParam()}
	same := x.Clause("", func() string {
		return fmt.Sprintf("%s = %s", x.Name(v.Stored), x.Operand(seen.Param, v, seen))
	})
	if d.Step.Verb == model.Put {
		none := x.Missing(d.Item.Table.PK.Name)
		same.Only = []*model.Condition{{Attribute: v, Op: model.Gt, Values: []model.Operand{{Constant: "0"}}}}
		same.Else = &none
	}
	return same
}

// versionParam returns the parameter that holds the version that the caller saw. Of several
// items with a version in one transaction each has its own.
func (d *Draft) versionParam() string {
	v, locked := d.Item.Entity.Version, 0
	for _, step := range d.Pattern.Actions() {
		if step.Entity.Version != nil && (step.Verb == model.Update || step.Verb == model.Delete) && !action.OnlyAdds(step) {
			locked++
		}
	}
	if locked > 1 && !action.WritesWhole(d.Step.Verb) {
		return strings.ToLower(d.Item.Entity.Name) + "_" + v.Name
	}
	return v.Name
}
