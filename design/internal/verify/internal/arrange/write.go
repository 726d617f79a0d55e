package arrange

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// tries is how often a call is arranged anew because it could not be done.
const tries = 40

// Scenario is the n-th call of a write, and what it should do. Every third has one thing wrong,
// if there is anything to break.
func (v *Arranger) Scenario(c *program.Call, n int) (*judge.Scenario, *judge.Verdict, error) {
	s, d, err := v.arrange(c, n)
	if err != nil {
		return nil, nil, err
	}
	if n%3 == 2 {
		if broken, verdict := s.spoil(); broken != nil {
			s, d = broken, verdict
		}
	}
	return s.Scenario, d, nil
}

// arrange chooses arguments and rows with which the n-th call of a write can be done, and
// what it then should do.
func (v *Arranger) arrange(c *program.Call, n int) (*arrangement, *judge.Verdict, error) {
	actions, err := judge.ActionsOf(c)
	if err != nil {
		return nil, nil, err
	}
	var why error
	for try := range tries {
		s := &arrangement{
			Scenario: &judge.Scenario{Layout: v.layout, Tables: v.state, Call: c, Arguments: bind.NewArguments(), Placed: map[string]*state.Row{}},
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
		d := s.Judge()
		s.fill(d)
		d = s.Judge()
		if why = s.possible(d); why == nil {
			return s, d, nil
		}
	}
	return nil, nil, fmt.Errorf("no arguments were found with which it can be done: %w", why)
}

// possible says why a call cannot be done as it is arranged.
func (s *arrangement) possible(d *judge.Verdict) error {
	for _, key := range slices.Sorted(maps.Keys(d.Faults)) {
		return fmt.Errorf("%s: %s", key, d.Faults[key])
	}
	if d.Twice {
		return fmt.Errorf("two actions touch one item")
	}
	writes, err := bind.WriteCall(s.Call, s.Arguments)
	if err != nil {
		return err
	}
	if twice := bind.TouchedTwice(writes); twice != "" {
		return fmt.Errorf("two actions touch one item: %s", twice)
	}
	if len(writes) == 0 || len(writes) > 100 {
		return fmt.Errorf("it has %d actions", len(writes))
	}
	return nil
}

// noteShared finds the values that all items of what is repeated have in common, because
// an action that is not repeated uses them.
func (s *arrangement) noteShared() {
	s.shared = map[program.Ref]bool{}
	for _, w := range s.Call.Writes {
		for _, u := range bind.UsesOf(s.Call, w) {
			if u.Ref.First {
				ref := u.Ref
				ref.First = false
				s.shared[ref] = true
			}
		}
	}
}

// howMany is how many items of what is repeated the n-th call has.
func (v *Arranger) howMany(c *program.Call, s *arrangement, n int) int {
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
func (s *arrangement) repeat(actions []*judge.Action, n int) {
	for _, input := range s.Call.Inputs {
		switch {
		case input.Kind == program.Group:
			for range n {
				s.Arguments.Groups[input] = append(s.Arguments.Groups[input], map[*program.Input]sample.Value{})
			}
		case input.Kind == program.Key:
			s.Arguments.Items[input] = []sample.Values{{}}
		}
	}
	for _, act := range actions {
		times := 1
		if act.Write.Repeats != nil {
			times = n
		}
		for i := range times {
			one := *act
			one.Index = i
			s.Actions = append(s.Actions, &one)
		}
	}
}

// wholes invents the items that are given whole. A put replaces an item every other time,
// unless something hangs on the one it replaces that nobody could know; if its conditions ask
// for one and there is none, it is made.
func (s *arrangement) wholes() {
	for _, act := range s.Actions {
		input := act.Write.Given
		if input == nil {
			continue
		}
		values := s.freshBeside(act)
		replaces := act.Step.Verb == model.Put && s.replaceable(input.Entity)
		if r := s.rowBeside(act); replaces && r != nil && s.gen.rng.IntN(2) == 0 {
			for _, a := range slices.Concat(input.Entity.ID, s.Primary(input.Entity)) {
				values[a] = r.Values[a]
			}
			agree(input.Entity, values)
			if version := input.Entity.Version; version != nil {
				values[version] = r.Values[version]
			}
		} else if replaces && act.AsksForItem() {
			s.Place(s.Tables.RowOf(input.Entity, maps.Clone(values)))
		}
		if act.Index > 0 {
			for _, a := range input.Entity.Attributes {
				if s.shared[program.Ref{Input: input, Attribute: a}] {
					v, is := s.Arguments.Items[input][0][a]
					state.Assign(values, a, v, is)
				}
			}
		}
		s.Arguments.Items[input] = append(s.Arguments.Items[input], values)
	}
	s.together()
}

// freshBeside are the values of a new item that the call does not make already. Where all
// that there can be are taken, the one in its place goes.
func (s *arrangement) freshBeside(act *judge.Action) sample.Values {
	e := act.Write.Given.Entity
	values := s.fresh(e)
	for range tries {
		if !slices.ContainsFunc(s.Arguments.Items[act.Write.Given], func(other sample.Values) bool { return sameID(e, values, other) }) {
			break
		}
		values = s.fresh(e)
	}
	if act.Step.Verb == model.Create && identities(e, math.MaxInt) < math.MaxInt {
		r := s.Tables.RowOf(e, values)
		s.Clear(r.Table, r.Item)
	}
	return values
}

// rowBeside is some row of what an action is given whole that the call does not write already,
// or nil.
func (s *arrangement) rowBeside(act *judge.Action) *state.Row {
	e, given := act.Write.Given.Entity, s.Arguments.Items[act.Write.Given]
	for range tries {
		r := s.anyRow(e)
		if r == nil || !slices.ContainsFunc(given, func(other sample.Values) bool { return sameID(e, r.Values, other) }) {
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
	for _, act := range s.Actions {
		if act.Write.Given == nil {
			continue
		}
		for _, counter := range act.Step.Entity.Counters {
			for _, other := range s.Actions {
				if other.Step.Entity != counter.Of || other.Write.Given == nil || other == act {
					continue
				}
				for _, m := range counter.Match {
					s.Arguments.Items[other.Write.Given][other.Index][m.Theirs] = s.Arguments.Items[act.Write.Given][act.Index][m.Mine]
				}
			}
		}
	}
}

// replaceable reports whether a put of an entity changes nothing but its item.
func (s *arrangement) replaceable(e *model.Entity) bool {
	if len(s.GuardsOf(e)) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Layout.Design().Entities, func(other *model.Entity) bool {
		return slices.ContainsFunc(other.Counters, func(c *model.Counter) bool { return c.Of == e })
	})
}

// existing finds or makes the items that must be there, and takes those away that must
// not.
func (s *arrangement) existing() {
	used := map[string]bool{}
	for _, act := range s.Actions {
		if act.Whole() {
			continue
		}
		bound := sample.Values{}
		for _, c := range act.Step.Where {
			if v, ok := s.operandOf(act, c); ok {
				bound[c.Attribute] = v
			}
		}
		values := s.choose(act.Step.Entity, bound, used, act.None)
		r := s.Tables.RowOf(act.Step.Entity, values)
		used[r.Address()] = true
		if act.None {
			s.Clear(r.Table, r.Item)
		} else {
			s.Place(r)
		}
		for _, c := range act.Step.Where {
			if p := paramOf(c); p != "" && !s.isBound(act, p, c.Attribute) {
				s.bind(act, p, c.Attribute, s.valueOr(values, c.Attribute))
			}
		}
	}
}

// operandOf is the value an equality asks for, if it is known.
func (s *arrangement) operandOf(act *judge.Action, c *model.Condition) (sample.Value, bool) {
	if c.Op != model.Eq || c.Values[0].Attribute != nil {
		return sample.Value{}, false
	}
	return s.Operand(act, c.Values[0], c.Attribute, nil)
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
	var fit []*state.Row
	for _, r := range s.Tables.Of(e) {
		if has(r.Values, bound) && !used[r.Address()] && s.AtAddress(r.Address()) != nil {
			fit = append(fit, r)
		}
	}
	if n := len(fit); n > 0 && !absent && !(s.wild && s.gen.rng.IntN(2) == 0) {
		r := fit[s.gen.rng.IntN(n)]
		return maps.Clone(s.AtAddress(r.Address()).Values)
	}
	values := s.fresh(e)
	maps.Copy(values, bound)
	agree(e, values)
	if r := s.Tables.RowOf(e, values); !absent {
		if have := s.At(r.Table, r.Item); have != nil && have.Entity == e { // only its other values must change
			values = maps.Clone(have.Values)
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
	for _, act := range s.Actions {
		e := act.Step.Entity
		var old sample.Values
		if r := s.RowAt(act); r != nil {
			old = r.Values
		}
		for _, set := range act.Step.Set {
			o := act.Assigned(set.Attribute)
			if o.Param != "" && !s.isBound(act, o.Param, set.Attribute) {
				s.bind(act, o.Param, set.Attribute, s.newValue(e, set.Attribute, old))
			}
		}
		for _, c := range act.Step.Where {
			if p := paramOf(c); act.Whole() && p != "" && !s.isBound(act, p, c.Attribute) {
				s.bind(act, p, c.Attribute, s.newValue(e, c.Attribute, nil))
			}
		}
		for _, add := range act.Step.Add {
			if add.Param != "" && !s.isBound(act, add.Param, add.Attribute) {
				s.bind(act, add.Param, add.Attribute, state.Int(1+s.gen.rng.Int64N(5)))
			}
		}
		for _, c := range slices.Concat(act.Step.If, act.Step.Where) {
			for _, o := range c.Values {
				if o.Param == "" || s.isBound(act, o.Param, c.Attribute) {
					continue
				}
				if ref := s.Call.Ref(act.Write, o.Param, c.Attribute); !ref.IsZero() && ref.Input.Kind == program.List {
					s.Arguments.Lists[ref.Input] = []sample.Value{s.newValue(e, c.Attribute, nil), s.valueOr(old, c.Attribute)}
					continue
				}
				s.bind(act, o.Param, c.Attribute, s.valueOr(old, c.Attribute))
			}
		}
	}
}

// newValue is a value an attribute can be set to: that of some item, or a new one.
func (s *arrangement) newValue(e *model.Entity, a *model.Attribute, old sample.Values) sample.Value {
	if v, ok := old[a]; ok && s.gen.rng.IntN(8) == 0 {
		return v // it stays as it is
	}
	if r := s.anyRow(e); r != nil && !isUnique(e, a) && s.gen.rng.IntN(3) > 0 {
		if v, ok := r.Values[a]; ok {
			return v
		}
	}
	switch a.Type.Base {
	case model.ListOf, model.SetOf, model.MapOf, model.StructOf:
		for _, r := range s.Tables.Of(e) {
			if v, ok := r.Values[a]; ok {
				return v
			}
		}
	}
	return s.gen.invent(a, old[a])
}

// versions gives the caller the versions the items have. A put needs one that is more
// than 0 if there is an item, and 0 if there is none.
func (s *arrangement) versions() {
	for _, act := range s.Actions {
		if !act.Locked() {
			continue
		}
		r, version, puts := s.RowAt(act), act.Step.Entity.Version, act.Step.Verb == model.Put
		switch {
		case r == nil && puts:
			s.bind(act, act.SeenParam(), version, state.Int(0))
			continue
		case r == nil:
			continue
		case puts && state.NumberOf(r.Values[version]).Sign() <= 0:
			r = s.Changed(r, version, state.Int(1), true)
			s.Place(r)
		}
		if v, ok := r.Values[version]; ok {
			s.bind(act, act.SeenParam(), version, v)
		}
	}
}

// sometimesNothing takes items away now and then that are to be deleted, where that must
// not matter.
func (s *arrangement) sometimesNothing() {
	for _, act := range s.Actions {
		if act.Step.Verb != model.Delete || s.MustFind(act) || s.gen.rng.IntN(6) > 0 {
			continue
		}
		if r := s.RowAt(act); r != nil {
			s.Clear(r.Table, r.Item)
		}
	}
}

// counting makes sure that what counts the items of the call is there, and has room.
func (s *arrangement) counting() {
	for _, one := range s.Judge().Counted {
		if one.Counter.Shards > 1 {
			continue
		}
		table := s.Layout.Home(one.Entity).Table
		r := s.At(table, one.Key)
		if d := s.Judge(); r == nil && d.Find(table, one.Key) != nil && d.Find(table, one.Key).Action != nil {
			continue // the call itself makes it
		}
		if r == nil {
			r = s.Tables.RowOf(one.Entity, s.choose(one.Entity, one.Mine, nil, false))
		}
		if have := state.NumberOf(r.Values[one.Counter.Attribute]); have.Cmp(roomFor(one.Counter, have, one.By)) != 0 {
			room := sample.Value{Kind: sample.Number, Text: resolve.Digits(roomFor(one.Counter, have, one.By))}
			r = s.Changed(r, one.Counter.Attribute, room, true)
		}
		s.Place(r)
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
