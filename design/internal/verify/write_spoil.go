package verify

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// spoil breaks one thing of a call that could be done. Nil: there is nothing to break.
func (s *arrangement) spoil() (*arrangement, *verdict) {
	ways := s.ways()
	s.gen.rng.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
	var other *arrangement
	var verdict *verdict
	for _, way := range ways {
		broken := s.clone()
		way(broken)
		d := broken.judge()
		if !d.refused() || d.twice || broken.a.disagreement(broken.c) != nil {
			continue
		}
		if writes, err := writeCall(broken.c, broken.a); err == nil && touchedTwice(writes) != "" {
			continue
		}
		if len(d.faults) == 1 {
			return broken, d
		}
		other, verdict = broken, d
	}
	return other, verdict
}

// ways are all things that can be broken.
func (s *arrangement) ways() []func(*arrangement) {
	var all []func(*arrangement)
	d := s.judge()
	for _, act := range s.actions {
		ch := d.of(act)
		if act.none || act.step.Verb == model.Create {
			all = append(all, func(b *arrangement) { b.occupy(act, ch) })
		} else if act.step.Verb != model.Put {
			all = append(all, func(b *arrangement) { b.clear(ch.table, ch.key) })
		}
		if act.locked() && ch.old != nil {
			all = append(all, func(b *arrangement) { b.outdate(act, ch.old) })
		}
		if act.locked() && act.step.Verb == model.Put {
			all = append(all, s.waysToOutdatePut(act, ch)...)
		}
		for _, c := range act.conditions() {
			all = append(all, func(b *arrangement) { b.contradict(act, c) }, func(b *arrangement) { b.contradict(act, c) })
		}
		for _, a := range s.heldBefore(act) {
			all = append(all, func(b *arrangement) { b.bind(act, oldParam(act, a), a, b.gen.invent(a, ch.old.values[a])) })
		}
		for _, t := range act.write.Transitions() {
			if ch.old != nil && t.To.Param != "" {
				all = append(all, func(b *arrangement) { b.misstep(act, t, ch.old.values[t.Attribute].Text) })
			}
		}
		for _, add := range act.step.Add {
			for _, c := range act.step.Entity.Counters {
				if c.Attribute == add.Attribute {
					all = append(all, func(b *arrangement) { b.fillUp(ch.old, c) })
				}
			}
		}
	}
	for _, ch := range d.changes {
		if ch.act == nil && ch.new != nil && ch.new.entity == nil {
			all = append(all, func(b *arrangement) { b.place(ch.new) })
		}
	}
	for _, one := range d.counted {
		if ch := d.find(s.layout.Home(one.entity).Table, one.key); ch != nil && ch.old != nil {
			all = append(all, func(b *arrangement) { b.fillUp(ch.old, one.counter) })
			if ch.act == nil {
				all = append(all, func(b *arrangement) { b.clear(ch.table, ch.key) })
			}
		}
	}
	return all
}

// waysToOutdatePut are what a caller can be wrong about that puts an item: it saw one that
// is gone, or none where one is.
func (s *arrangement) waysToOutdatePut(act *action, ch *change) []func(*arrangement) {
	version := act.step.Entity.Version
	seeing := func(n int64) func(*arrangement) {
		return func(b *arrangement) { b.bind(act, act.seenParam(), version, whole(n)) }
	}
	if ch.old == nil {
		return []func(*arrangement){seeing(1 + s.gen.rng.Int64N(5)), func(b *arrangement) { b.occupy(act, ch) }}
	}
	return []func(*arrangement){seeing(0), func(b *arrangement) { b.clear(ch.table, ch.key) }}
}

// occupy puts another item where an action needs none.
func (s *arrangement) occupy(act *action, ch *change) {
	var values sample.Values
	if act.whole() {
		values = s.given(act)
	} else {
		values = s.like(act.step.Entity)
		for _, c := range act.step.Where {
			if v, ok := s.operandOf(act, c); ok {
				values[c.Attribute] = v
			}
		}
		agree(act.step.Entity, values)
	}
	primary := s.primary(act.step.Entity)
	for _, u := range act.step.Entity.Unique { // else the value would be taken, too
		if !slices.ContainsFunc(u.Attributes, func(a *model.Attribute) bool { return slices.Contains(primary, a) }) {
			s.gen.renew(values, u.Attributes)
		}
	}
	s.place(s.state.row(act.step.Entity, values))
}

// outdate changes the version the caller saw, or the one the item has.
func (s *arrangement) outdate(act *action, old *row) {
	version := act.step.Entity.Version
	other := step(old.values[version], version, 1+s.gen.rng.Int64N(3))
	if s.gen.rng.IntN(2) == 0 {
		s.bind(act, act.seenParam(), version, other)
		return
	}
	s.place(s.changed(old, version, other, true))
}

// misstep asks for a state that does not follow the one the item has.
func (s *arrangement) misstep(act *action, t resolve.Transition, from string) {
	a := t.Attribute
	for _, i := range s.gen.rng.Perm(len(a.Type.Values)) {
		if to := a.Type.Values[i]; !t.Allows(from, to) {
			s.bind(act, t.To.Param, a, constant(a, to))
			return
		}
	}
}

// contradict changes an item or a parameter so that a condition does not hold.
func (s *arrangement) contradict(act *action, c *model.Condition) {
	m := miss{act: act, attribute: c.Attribute, operands: c.Values}
	for range 40 {
		r := s.rowAt(act)
		if r == nil || !s.holds(act, c, r.values) {
			return
		}
		undo := s.change(m)
		if r := s.rowAt(act); r != nil && s.holds(act, c, r.values) {
			undo()
		}
	}
}

// fillUp takes a counter to its bounds.
func (s *arrangement) fillUp(r *row, c *model.Counter) {
	if r == nil || c.Min == nil && c.Max == nil {
		return
	}
	bound := c.Max
	if bound == nil || c.Min != nil && s.gen.rng.IntN(2) == 0 {
		bound = c.Min
	}
	s.place(s.changed(r, c.Attribute, sample.Value{Kind: sample.Number, Text: bound.String()}, true))
}
