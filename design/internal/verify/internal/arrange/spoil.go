package arrange

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// spoil breaks one thing of a call that could be done. Nil: there is nothing to break.
func (s *arrangement) spoil() (*arrangement, *judge.Verdict) {
	ways := s.ways()
	s.gen.rng.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
	var other *arrangement
	var verdict *judge.Verdict
	for _, way := range ways {
		broken := s.clone()
		way(broken)
		d := broken.Judge()
		if !d.Refused() || d.Twice || broken.Arguments.Disagreement(broken.Call) != nil {
			continue
		}
		if writes, err := bind.WriteCall(broken.Call, broken.Arguments); err == nil && bind.TouchedTwice(writes) != "" {
			continue
		}
		if len(d.Faults) == 1 {
			return broken, d
		}
		other, verdict = broken, d
	}
	return other, verdict
}

// ways are all things that can be broken.
func (s *arrangement) ways() []func(*arrangement) {
	var all []func(*arrangement)
	d := s.Judge()
	for _, act := range s.Actions {
		ch := d.Of(act)
		if act.None || act.Step.Verb == model.Create {
			all = append(all, func(b *arrangement) { b.occupy(act, ch) })
		} else if act.Step.Verb != model.Put {
			all = append(all, func(b *arrangement) { b.Clear(ch.Table, ch.Key) })
		}
		if act.Locked() && ch.Old != nil {
			all = append(all, func(b *arrangement) { b.outdate(act, ch.Old) })
		}
		if act.Locked() && act.Step.Verb == model.Put {
			all = append(all, s.waysToOutdatePut(act, ch)...)
		}
		for _, c := range act.Conditions() {
			all = append(all, func(b *arrangement) { b.contradict(act, c) }, func(b *arrangement) { b.contradict(act, c) })
		}
		for _, a := range s.HeldBefore(act) {
			all = append(all, func(b *arrangement) { b.bind(act, judge.OldParam(act, a), a, b.gen.invent(a, ch.Old.Values[a])) })
		}
		for _, t := range act.Write.Transitions() {
			if ch.Old != nil && t.To.Param != "" {
				all = append(all, func(b *arrangement) { b.misstep(act, t, ch.Old.Values[t.Attribute].Text) })
			}
		}
		for _, add := range act.Step.Add {
			for _, c := range act.Step.Entity.Counters {
				if c.Attribute == add.Attribute {
					all = append(all, func(b *arrangement) { b.fillUp(ch.Old, c) })
				}
			}
		}
	}
	for _, ch := range d.Changes {
		if ch.Action == nil && ch.New != nil && ch.New.Entity == nil {
			all = append(all, func(b *arrangement) { b.Place(ch.New) })
		}
	}
	for _, one := range d.Counted {
		if ch := d.Find(s.Layout.Home(one.Entity).Table, one.Key); ch != nil && ch.Old != nil {
			all = append(all, func(b *arrangement) { b.fillUp(ch.Old, one.Counter) })
			if ch.Action == nil {
				all = append(all, func(b *arrangement) { b.Clear(ch.Table, ch.Key) })
			}
		}
	}
	return all
}

// waysToOutdatePut are what a caller can be wrong about that puts an item: it saw one that
// is gone, or none where one is.
func (s *arrangement) waysToOutdatePut(act *judge.Action, ch *judge.Change) []func(*arrangement) {
	version := act.Step.Entity.Version
	seeing := func(n int64) func(*arrangement) {
		return func(b *arrangement) { b.bind(act, act.SeenParam(), version, state.Int(n)) }
	}
	if ch.Old == nil {
		return []func(*arrangement){seeing(1 + s.gen.rng.Int64N(5)), func(b *arrangement) { b.occupy(act, ch) }}
	}
	return []func(*arrangement){seeing(0), func(b *arrangement) { b.Clear(ch.Table, ch.Key) }}
}

// occupy puts another item where an action needs none.
func (s *arrangement) occupy(act *judge.Action, ch *judge.Change) {
	var values sample.Values
	if act.Whole() {
		values = s.Given(act)
	} else {
		values = s.like(act.Step.Entity)
		for _, c := range act.Step.Where {
			if v, ok := s.operandOf(act, c); ok {
				values[c.Attribute] = v
			}
		}
		agree(act.Step.Entity, values)
	}
	primary := s.Primary(act.Step.Entity)
	for _, u := range act.Step.Entity.Unique { // else the value would be taken, too
		if !slices.ContainsFunc(u.Attributes, func(a *model.Attribute) bool { return slices.Contains(primary, a) }) {
			s.gen.renew(values, u.Attributes)
		}
	}
	s.Place(s.Tables.RowOf(act.Step.Entity, values))
}

// outdate changes the version the caller saw, or the one the item has.
func (s *arrangement) outdate(act *judge.Action, old *state.Row) {
	version := act.Step.Entity.Version
	other := step(old.Values[version], version, 1+s.gen.rng.Int64N(3))
	if s.gen.rng.IntN(2) == 0 {
		s.bind(act, act.SeenParam(), version, other)
		return
	}
	s.Place(s.Changed(old, version, other, true))
}

// misstep asks for a state that does not follow the one the item has.
func (s *arrangement) misstep(act *judge.Action, t resolve.Transition, from string) {
	a := t.Attribute
	for _, i := range s.gen.rng.Perm(len(a.Type.Values)) {
		if to := a.Type.Values[i]; !t.Allows(from, to) {
			s.bind(act, t.To.Param, a, state.Constant(a, to))
			return
		}
	}
}

// contradict changes an item or a parameter so that a condition does not hold.
func (s *arrangement) contradict(act *judge.Action, c *model.Condition) {
	m := miss{act: act, attribute: c.Attribute, operands: c.Values}
	for range 40 {
		r := s.RowAt(act)
		if r == nil || !s.Holds(act, c, r.Values) {
			return
		}
		undo := s.change(m)
		if r := s.RowAt(act); r != nil && s.Holds(act, c, r.Values) {
			undo()
		}
	}
}

// fillUp takes a counter to its bounds.
func (s *arrangement) fillUp(r *state.Row, c *model.Counter) {
	if r == nil || c.Min == nil && c.Max == nil {
		return
	}
	bound := c.Max
	if bound == nil || c.Min != nil && s.gen.rng.IntN(2) == 0 {
		bound = c.Min
	}
	s.Place(s.Changed(r, c.Attribute, sample.Value{Kind: sample.Number, Text: bound.String()}, true))
}
