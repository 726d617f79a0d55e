package verify

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// tries is how often a call is arranged anew because it could not be done.
const tries = 40

// scenario is the n-th call of a write, and what it should do. Every third has one thing wrong,
// if there is anything to break.
func (v *arranger) scenario(c *program.Call, n int) (*scenario, *verdict, error) {
	s, d, err := v.arrange(c, n)
	if err != nil {
		return nil, nil, err
	}
	if n%3 == 2 {
		if broken, verdict := s.spoil(); broken != nil {
			s, d = broken, verdict
		}
	}
	return s.scenario, d, nil
}

// arrange chooses arguments and rows with which the n-th call of a write can be done, and
// what it then should do.
func (v *arranger) arrange(c *program.Call, n int) (*arrangement, *verdict, error) {
	actions, err := actionsOf(c)
	if err != nil {
		return nil, nil, err
	}
	var why error
	for try := range tries {
		s := &arrangement{
			scenario: &scenario{layout: v.layout, state: v.state, c: c, a: newArguments(), placed: map[string]*row{}},
			gen:      v.generator, wild: try > tries/4,
		}
		s.noteShared()
		s.repeat(actions, v.howMany(c, s, n))
		s.wholes()
		s.agreeing()
		s.existing()
		s.firstValues()
		s.settle()
		s.versions()
		s.counting()
		s.sometimesNothing()
		d := s.judge()
		s.fill(d)
		d = s.judge()
		if why = s.possible(d); why == nil {
			return s, d, nil
		}
	}
	return nil, nil, fmt.Errorf("no arguments were found with which it can be done: %w", why)
}

// possible says why a call cannot be done as it is arranged.
func (s *arrangement) possible(d *verdict) error {
	for _, key := range slices.Sorted(maps.Keys(d.faults)) {
		return fmt.Errorf("%s: %s", key, d.faults[key])
	}
	if d.twice {
		return fmt.Errorf("two actions touch one item")
	}
	writes, err := writeCall(s.c, s.a)
	if err != nil {
		return err
	}
	if twice := touchedTwice(writes); twice != "" {
		return fmt.Errorf("two actions touch one item: %s", twice)
	}
	if len(writes) == 0 || len(writes) > 100 {
		return fmt.Errorf("it has %d actions", len(writes))
	}
	return nil
}

// touchedTwice is an item that two writes of a call are about, or "". DynamoDB refuses such
// a call whatever the items are like.
func touchedTwice(writes []access.Write) string {
	seen := map[string]bool{}
	for _, w := range writes {
		item := w.Table + " " + describeItem(rowKey(w))
		if seen[item] {
			return item
		}
		seen[item] = true
	}
	return ""
}

// noteShared finds the values that all items of what is repeated have in common, because
// an action that is not repeated uses them.
func (s *arrangement) noteShared() {
	s.shared = map[program.Ref]bool{}
	for _, w := range s.c.Writes {
		for _, u := range usesOf(s.c, w) {
			if u.ref.First {
				ref := u.ref
				ref.First = false
				s.shared[ref] = true
			}
		}
	}
}

// howMany is how many items of what is repeated the n-th call has.
func (v *arranger) howMany(c *program.Call, s *arrangement, n int) int {
	single, each := 0, 0
	most := int64(100)
	for _, w := range c.Writes {
		if w.Repeats == nil {
			single++
			continue
		}
		each++
		most = min(most, w.Repeats.Most)
		if w.Given != nil {
			most = min(most, int64(identities(w.Given.Entity, 100)))
		}
	}
	if each == 0 {
		return 1
	}
	fits := min(int(most), (100-single)/each)
	switch {
	case n%8 == 7:
		return fits
	case n%8 == 6 && len(s.shared) == 0 && single > 0:
		return 0
	}
	return 1 + v.rng.IntN(min(fits, 5))
}

// repeat makes one action for each item of what is repeated.
func (s *arrangement) repeat(actions []*action, n int) {
	for _, input := range s.c.Inputs {
		switch {
		case input.Kind == program.Group:
			for range n {
				s.a.groups[input] = append(s.a.groups[input], map[*program.Input]sample.Value{})
			}
		case input.Kind == program.Key:
			s.a.items[input] = []sample.Values{{}}
		}
	}
	for _, act := range actions {
		times := 1
		if act.write.Repeats != nil {
			times = n
		}
		for i := range times {
			one := *act
			one.i = i
			s.actions = append(s.actions, &one)
		}
	}
}

// wholes invents the items that are given whole. A put replaces an item every other time,
// unless something hangs on the one it replaces that nobody could know; if its conditions ask
// for one and there is none, it is made.
func (s *arrangement) wholes() {
	for _, act := range s.actions {
		input := act.write.Given
		if input == nil {
			continue
		}
		values := s.freshBeside(act)
		replaces := act.step.Verb == model.Put && s.replaceable(input.Entity)
		if r := s.rowBeside(act); replaces && r != nil && s.gen.rng.IntN(2) == 0 {
			for _, a := range slices.Concat(input.Entity.ID, s.primary(input.Entity)) {
				values[a] = r.values[a]
			}
			agree(input.Entity, values)
			if version := input.Entity.Version; version != nil {
				values[version] = r.values[version]
			}
		} else if replaces && act.asksForItem() {
			s.place(s.state.row(input.Entity, maps.Clone(values)))
		}
		if act.i > 0 {
			for _, a := range input.Entity.Attributes {
				if s.shared[program.Ref{Input: input, Attribute: a}] {
					v, is := s.a.items[input][0][a]
					put(values, a, v, is)
				}
			}
		}
		s.a.items[input] = append(s.a.items[input], values)
	}
	s.together()
}

// freshBeside are the values of a new item that the call does not make already. Where all
// that there can be are taken, the one in its place goes.
func (s *arrangement) freshBeside(act *action) sample.Values {
	e := act.write.Given.Entity
	values := s.fresh(e)
	for range tries {
		if !slices.ContainsFunc(s.a.items[act.write.Given], func(other sample.Values) bool { return sameID(e, values, other) }) {
			break
		}
		values = s.fresh(e)
	}
	if act.step.Verb == model.Create && identities(e, math.MaxInt) < math.MaxInt {
		r := s.state.row(e, values)
		s.clear(r.table, r.item)
	}
	return values
}

// rowBeside is some row of what an action is given whole that the call does not write already,
// or nil.
func (s *arrangement) rowBeside(act *action) *row {
	e, given := act.write.Given.Entity, s.a.items[act.write.Given]
	for range tries {
		r := s.anyRow(e)
		if r == nil || !slices.ContainsFunc(given, func(other sample.Values) bool { return sameID(e, r.values, other) }) {
			return r
		}
	}
	return nil
}

// sameID reports whether two items of an entity would be one.
func sameID(e *model.Entity, a, b sample.Values) bool {
	return !slices.ContainsFunc(e.ID, func(part *model.Attribute) bool { return a[part].Compare(b[part]) != 0 })
}

// together makes items that are given along with the one that counts them belong to it.
func (s *arrangement) together() {
	for _, act := range s.actions {
		if act.write.Given == nil {
			continue
		}
		for _, counter := range act.step.Entity.Counters {
			for _, other := range s.actions {
				if other.step.Entity != counter.Of || other.write.Given == nil || other == act {
					continue
				}
				for _, m := range counter.Match {
					s.a.items[other.write.Given][other.i][m.Theirs] = s.a.items[act.write.Given][act.i][m.Mine]
				}
			}
		}
	}
}

// replaceable reports whether a put of an entity changes nothing but its item.
func (s *arrangement) replaceable(e *model.Entity) bool {
	if len(s.guardsOf(e)) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.layout.Design().Entities, func(other *model.Entity) bool {
		return slices.ContainsFunc(other.Counters, func(c *model.Counter) bool { return c.Of == e })
	})
}

// existing finds or makes the items that must be there, and takes those away that must
// not.
func (s *arrangement) existing() {
	used := map[string]bool{}
	for _, act := range s.actions {
		if act.whole() {
			continue
		}
		bound := sample.Values{}
		for _, c := range act.step.Where {
			if v, ok := s.operandOf(act, c); ok {
				bound[c.Attribute] = v
			}
		}
		values := s.choose(act.step.Entity, bound, used, act.none)
		r := s.state.row(act.step.Entity, values)
		used[r.address()] = true
		if act.none {
			s.clear(r.table, r.item)
		} else {
			s.place(r)
		}
		for _, c := range act.step.Where {
			if p := paramOf(c); p != "" && !s.isBound(act, p, c.Attribute) {
				s.bind(act, p, c.Attribute, s.valueOr(values, c.Attribute))
			}
		}
	}
}

// operandOf is the value an equality asks for, if it is known.
func (s *arrangement) operandOf(act *action, c *model.Condition) (sample.Value, bool) {
	if c.Op != model.Eq || c.Values[0].Attribute != nil {
		return sample.Value{}, false
	}
	return s.operand(act, c.Values[0], c.Attribute, nil)
}

// paramOf is the parameter of an equality, or "".
func paramOf(c *model.Condition) string {
	if c.Op != model.Eq {
		return ""
	}
	return c.Values[0].Param
}

func (s *arrangement) valueOr(values sample.Values, a *model.Attribute) sample.Value {
	if v, ok := values[a]; ok {
		return v
	}
	if values != nil && a.Type.Base == model.SetOf { // the item has an empty one
		return s.gen.emptied(a)
	}
	return s.gen.invent(a, sample.Value{})
}

// choose are the values of an item that has some values: one that is there and that no
// other action uses, or one like others.
func (s *arrangement) choose(e *model.Entity, bound sample.Values, used map[string]bool, absent bool) sample.Values {
	var fit []*row
	for _, r := range s.state.of(e) {
		if has(r.values, bound) && !used[r.address()] && s.lying(r.address()) != nil {
			fit = append(fit, r)
		}
	}
	if n := len(fit); n > 0 && !absent && !(s.wild && s.gen.rng.IntN(2) == 0) {
		r := fit[s.gen.rng.IntN(n)]
		return maps.Clone(s.lying(r.address()).values)
	}
	values := s.fresh(e)
	maps.Copy(values, bound)
	agree(e, values)
	if r := s.state.row(e, values); !absent {
		if have := s.at(r.table, r.item); have != nil && have.entity == e { // only its other values must change
			values = maps.Clone(have.values)
			maps.Copy(values, bound)
		}
	}
	return values
}

func has(values, bound sample.Values) bool {
	for a, want := range bound {
		if have, ok := values[a]; !ok || have.Compare(want) != 0 {
			return false
		}
	}
	return true
}

// firstValues gives the parameters of what is set, added and compared a first value.
func (s *arrangement) firstValues() {
	for _, act := range s.actions {
		e := act.step.Entity
		var old sample.Values
		if r := s.rowAt(act); r != nil {
			old = r.values
		}
		for _, set := range act.step.Set {
			o := act.assigned(set.Attribute)
			if o.Param != "" && !s.isBound(act, o.Param, set.Attribute) {
				s.bind(act, o.Param, set.Attribute, s.newValue(e, set.Attribute, old))
			}
		}
		for _, c := range act.step.Where {
			if p := paramOf(c); act.whole() && p != "" && !s.isBound(act, p, c.Attribute) {
				s.bind(act, p, c.Attribute, s.newValue(e, c.Attribute, nil))
			}
		}
		for _, add := range act.step.Add {
			if add.Param != "" && !s.isBound(act, add.Param, add.Attribute) {
				s.bind(act, add.Param, add.Attribute, whole(1+s.gen.rng.Int64N(5)))
			}
		}
		for _, c := range slices.Concat(act.step.If, act.step.Where) {
			for _, o := range c.Values {
				if o.Param == "" || s.isBound(act, o.Param, c.Attribute) {
					continue
				}
				if ref := s.c.Ref(act.write, o.Param, c.Attribute); !ref.IsZero() && ref.Input.Kind == program.List {
					s.a.lists[ref.Input] = []sample.Value{s.newValue(e, c.Attribute, nil), s.valueOr(old, c.Attribute)}
					continue
				}
				s.bind(act, o.Param, c.Attribute, s.valueOr(old, c.Attribute))
			}
		}
	}
}

// rowAt is the row of an action, or nil.
func (s *scenario) rowAt(act *action) *row {
	key, ok := s.key(act)
	if !ok {
		return nil
	}
	return s.at(s.layout.Home(act.step.Entity).Table, key)
}

// newValue is a value an attribute can be set to: that of some item, or a new one.
func (s *arrangement) newValue(e *model.Entity, a *model.Attribute, old sample.Values) sample.Value {
	if v, ok := old[a]; ok && s.gen.rng.IntN(8) == 0 {
		return v // it stays as it is
	}
	if r := s.anyRow(e); r != nil && !isUnique(e, a) && s.gen.rng.IntN(3) > 0 {
		if v, ok := r.values[a]; ok {
			return v
		}
	}
	switch a.Type.Base {
	case model.ListOf, model.SetOf, model.MapOf, model.StructOf:
		for _, r := range s.state.of(e) {
			if v, ok := r.values[a]; ok {
				return v
			}
		}
	}
	return s.gen.invent(a, old[a])
}

// versions gives the caller the versions the items have. A put needs one that is more
// than 0 if there is an item, and 0 if there is none.
func (s *arrangement) versions() {
	for _, act := range s.actions {
		if !act.locked() {
			continue
		}
		r, version, puts := s.rowAt(act), act.step.Entity.Version, act.step.Verb == model.Put
		switch {
		case r == nil && puts:
			s.bind(act, act.seenParam(), version, whole(0))
			continue
		case r == nil:
			continue
		case puts && numberOf(r.values[version]).Sign() <= 0:
			r = s.changed(r, version, whole(1), true)
			s.place(r)
		}
		if v, ok := r.values[version]; ok {
			s.bind(act, act.seenParam(), version, v)
		}
	}
}

// sometimesNothing takes items away now and then that are to be deleted, where that must
// not matter.
func (s *arrangement) sometimesNothing() {
	for _, act := range s.actions {
		if act.step.Verb != model.Delete || s.mustFind(act) || s.gen.rng.IntN(6) > 0 {
			continue
		}
		if r := s.rowAt(act); r != nil {
			s.clear(r.table, r.item)
		}
	}
}

// counting makes sure that what counts the items of the call is there, and has room.
func (s *arrangement) counting() {
	for _, one := range s.judge().counted {
		if one.counter.Shards > 1 {
			continue
		}
		table := s.layout.Home(one.entity).Table
		r := s.at(table, one.key)
		if d := s.judge(); r == nil && d.find(table, one.key) != nil && d.find(table, one.key).act != nil {
			continue // the call itself makes it
		}
		if r == nil {
			r = s.state.row(one.entity, s.choose(one.entity, one.mine, nil, false))
		}
		if have := numberOf(r.values[one.counter.Attribute]); have.Cmp(roomFor(one.counter, have, one.by)) != 0 {
			room := sample.Value{Kind: sample.Number, Text: resolve.Digits(roomFor(one.counter, have, one.by))}
			r = s.changed(r, one.counter.Attribute, room, true)
		}
		s.place(r)
	}
}

// roomFor is what a counter must be so that it is between its bounds before a change and
// after it, as near as possible to what it is.
func roomFor(c *model.Counter, have, by exact.Number) exact.Number {
	if c.Shards > 1 {
		return have
	}
	return sample.Inside(c, sample.Inside(c, sample.Inside(c, have).Add(by)).Sub(by))
}
