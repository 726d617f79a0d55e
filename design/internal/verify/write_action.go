package verify

import (
	"fmt"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// An action is one write of a pattern as the design says it: a step, or something that is
// required. What is repeated has one for each of its items.
type action struct {
	write *program.Write // whose parameters it has
	step  *model.Step
	none  bool // there must be no such item
	must  bool // something else depends on the item: it must be there
	i     int  // of what is repeated
}

// actionsOf are the actions of a pattern, each once.
func actionsOf(c *program.Call) ([]*action, error) {
	var all []*action
	for _, step := range c.Pattern.Actions() {
		all = append(all, &action{step: step})
	}
	for _, r := range c.Pattern.Requires {
		all = append(all, &action{step: requiredStep(r), none: r.Missing, must: !r.Missing})
	}
	roots := slices.DeleteFunc(slices.Clone(c.Writes), func(w *program.Write) bool { return w.Origin != nil })
	if len(roots) != len(all) {
		return nil, fmt.Errorf("the pattern has %d actions, the call %d", len(all), len(roots))
	}
	for i, w := range roots {
		all[i].write = w
	}
	return all, nil
}

// requiredStep is what a requirement does to its item.
func requiredStep(r *model.Requirement) *model.Step {
	step := &model.Step{Verb: model.Check, Each: 1, Action: model.Action{Entity: r.Entity, Where: r.Where, If: r.If, Set: r.Change}}
	switch {
	case r.Consume:
		step.Verb = model.Delete
	case len(r.Change) > 0:
		step.Verb = model.Update
	}
	return step
}

// whole reports whether the action writes an item as the caller gives it.
func (act *action) whole() bool { return act.step.Verb == model.Create || act.step.Verb == model.Put }

// conditions are what must hold of the item as it is. Where of an item that is written
// whole says what it is to be.
func (act *action) conditions() []*model.Condition {
	var all []*model.Condition
	for _, c := range act.step.Where {
		if !act.whole() || c.Op != model.Eq {
			all = append(all, c)
		}
	}
	return append(all, act.step.If...)
}

// asksForItem reports whether the conditions hold only for an item that is there.
func (act *action) asksForItem() bool {
	return slices.ContainsFunc(act.conditions(), func(c *model.Condition) bool { return c.Op != model.Missing && c.Op != model.Ne })
}

// equality is the operand that a condition says an attribute equals, or nil.
func equality(conditions []*model.Condition, a *model.Attribute) *model.Operand {
	for _, c := range conditions {
		if c.Attribute == a && c.Op == model.Eq {
			return &c.Values[0]
		}
	}
	return nil
}

// assigned is what the action sets an attribute to, or nil.
func (act *action) assigned(a *model.Attribute) *model.Operand {
	for _, s := range act.step.Set {
		switch {
		case s.Attribute != a:
		case s.Value == nil:
			return &model.Operand{Param: a.Name}
		default:
			return s.Value
		}
	}
	if act.whole() {
		return equality(act.step.Where, a)
	}
	return nil
}

// adds is what the action adds to an attribute, or nil.
func (act *action) adds(a *model.Attribute) *model.Addition {
	for _, s := range act.step.Add {
		if s.Attribute == a {
			return s
		}
	}
	return nil
}

// changes reports whether an update changes an attribute.
func (act *action) changes(a *model.Attribute) bool {
	return act.assigned(a) != nil || act.adds(a) != nil || slices.Contains(act.step.Remove, a)
}

// locked reports whether the caller must have seen the version the item has.
func (act *action) locked() bool {
	version := act.step.Entity.Version
	return version != nil && act.step.Verb != model.Create && act.step.Verb != model.Check && equality(act.conditions(), version) == nil
}

// seenParam is the parameter that holds the version the caller saw.
func (act *action) seenParam() string {
	version := act.step.Entity.Version
	for _, clause := range act.write.Statement.Condition {
		for _, v := range clause.Values {
			if v.Attribute == version && v.Operand != nil && v.Operand.Param != "" {
				return v.Operand.Param
			}
		}
	}
	return version.Name
}

// operand is the value of an operand for an item with these values.
func (s *scenario) operand(act *action, o model.Operand, of *model.Attribute, values sample.Values) (sample.Value, bool) {
	if o.Attribute != nil {
		v, ok := values[o.Attribute]
		return v, ok
	}
	return s.a.operand(s.c, act.write, o, of, act.i)
}

// compared is the i-th value that a condition compares with.
func (s *scenario) compared(act *action, c *model.Condition, i int, values sample.Values) (sample.Value, bool) {
	if o := c.Values[i]; o.Attribute == nil {
		return s.a.bound(s.c, act.write, o, c.Attribute, act.i, resolve.RoundsUp(c, i))
	}
	return s.operand(act, c.Values[i], c.Attribute, values)
}

// asksForNone reports whether a condition compares with an empty set, which an item has that
// lacks the attribute.
func (s *scenario) asksForNone(act *action, c *model.Condition) bool {
	if !resolve.ComparesSet(c) {
		return false
	}
	_, given := s.operand(act, c.Values[0], c.Attribute, nil)
	return !given
}

// holds reports whether a condition holds for an item. A value that is not there differs
// from every other, and compares with none.
func (s *scenario) holds(act *action, c *model.Condition, values sample.Values) bool {
	have, ok := values[c.Attribute]
	switch {
	case c.Op == model.Exists:
		return ok
	case c.Op == model.Missing:
		return !ok
	case s.asksForNone(act, c):
		return ok == (c.Op == model.Ne)
	case !ok:
		return c.Op == model.Ne
	}
	var orders []int
	for i, o := range c.Values {
		for _, v := range s.a.lists[s.c.Ref(act.write, o.Param, c.Attribute).Input] {
			orders = append(orders, have.Compare(v))
		}
		if v, ok := s.compared(act, c, i, values); ok {
			orders = append(orders, have.Compare(v))
		}
	}
	if len(orders) < len(c.Values) && c.Op != model.In {
		return c.Op == model.Ne
	}
	switch c.Op {
	case model.In:
		return slices.Contains(orders, 0)
	case model.Eq:
		return orders[0] == 0
	case model.Ne:
		return orders[0] != 0
	case model.Lt:
		return orders[0] < 0
	case model.Lte:
		return orders[0] <= 0
	case model.Gt:
		return orders[0] > 0
	case model.Gte:
		return orders[0] >= 0
	case model.Between:
		return orders[0] >= 0 && orders[1] <= 0
	}
	begin, _ := s.operand(act, c.Values[0], c.Attribute, values)
	return len(have.Text) >= len(begin.Text) && have.Text[:len(begin.Text)] == begin.Text
}

// key is the primary key of the action's item, and whether the arguments give all of it.
func (s *scenario) key(act *action) (access.Item, bool) {
	values := sample.Values{}
	if act.whole() {
		values = s.given(act)
	} else {
		for _, c := range act.step.Where {
			if c.Op != model.Eq {
				continue
			}
			if v, ok := s.operand(act, c.Values[0], c.Attribute, nil); ok {
				values[c.Attribute] = v
			}
		}
	}
	return s.keyFrom(act.step.Entity, values)
}

// keyFrom is the primary key of an item with these values, and whether they give all of it.
func (s *scenario) keyFrom(e *model.Entity, values sample.Values) (access.Item, bool) {
	return s.state.key(e, values)
}

// given is the item that a create or put writes: what the caller gives with what the
// pattern fixes.
func (s *scenario) given(act *action) sample.Values {
	values, e := sample.Values{}, act.step.Entity
	var given sample.Values
	if items := s.a.items[act.write.Given]; act.i < len(items) {
		given = items[act.i]
	}
	for _, a := range e.Attributes {
		v, ok := given[a]
		switch o := act.assigned(a); {
		case o != nil:
			v, ok = s.operand(act, *o, a, given)
		case act.step.Verb == model.Create && a.Lifecycle != nil:
			v, ok = constant(a, firstState(a)), true
		case a == e.Version && act.step.Verb == model.Create:
			v, ok = constant(a, "1"), true
		case a == e.Version:
			v, ok = plus(v, exact.One), true
		}
		if ok {
			values[a] = v
		}
	}
	return values
}

func firstState(a *model.Attribute) string {
	if a.Lifecycle.Start != "" {
		return a.Lifecycle.Start
	}
	return a.Type.Values[0]
}

// after are the values of the item after the action, nil if there is none. Old are those
// before.
func (s *scenario) after(act *action, old sample.Values) sample.Values {
	switch act.step.Verb {
	case model.Create, model.Put:
		return s.given(act)
	case model.Delete:
		return nil
	case model.Check:
		return old
	}
	values, e := sample.Values{}, act.step.Entity
	for _, a := range e.Attributes {
		v, ok := old[a]
		switch o, add := act.assigned(a), act.adds(a); {
		case o != nil:
			v, ok = s.operand(act, *o, a, old)
		case add != nil:
			by, _ := s.addend(act, add)
			v, ok = plus(v, by), true
		case slices.Contains(act.step.Remove, a):
			ok = false
		case a == e.Version:
			v, ok = plus(v, exact.One), true
		}
		if ok {
			values[a] = v
		}
	}
	return values
}

// addend is by how much an addition changes a number.
func (s *scenario) addend(act *action, add *model.Addition) (exact.Number, bool) {
	if add.Param == "" {
		return add.By, true
	}
	v, ok := s.operand(act, model.Operand{Param: add.Param}, add.Attribute, nil)
	return numberOf(v), ok
}

// plus is a number and another; one that is not there counts as 0.
func plus(v sample.Value, by exact.Number) sample.Value {
	return sample.Value{Kind: sample.Number, Text: resolve.Digits(numberOf(v).Add(by))}
}

func numberOf(v sample.Value) exact.Number {
	n, err := exact.Parse(v.Text)
	if err != nil {
		return exact.Zero
	}
	return n
}
