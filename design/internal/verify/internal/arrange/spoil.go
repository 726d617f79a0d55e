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

// A fault changes an arrangement so that its call must be refused.
type fault func(*spoiler)

// A spoiler introduces faults into an arrangement.
type spoiler struct{ *arrangement }

// spoil returns a copy of an arrangement with one fault; nil: nothing can be wrong with it.
// It prefers a fault for which the call is refused for one reason only.
func (s *spoiler) spoil() (*arrangement, *judge.Verdict) {
	faults := s.faults()
	s.gen.rng.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	var other *arrangement
	var verdict *judge.Verdict
	for _, fault := range faults {
		broken := &spoiler{s.clone()}
		fault(broken)
		d := broken.Judge()
		if !broken.usable(d) {
			continue
		}
		if len(d.Faults) == 1 {
			return broken.arrangement, d
		}
		other, verdict = broken.arrangement, d
	}
	return other, verdict
}

// usable reports whether the call must be refused because of the items in the tables, not
// because its arguments contradict each other or two actions touch one item.
func (s *spoiler) usable(d *judge.Verdict) bool {
	if !d.Refused() || d.Twice || s.Arguments.Disagreement(s.Call) != nil {
		return false
	}
	writes, err := bind.WriteCall(s.Call, s.Arguments)
	return err != nil || bind.TouchedTwice(writes) == ""
}

// faults returns everything that can be made wrong.
func (s *spoiler) faults() []fault {
	var all []fault
	d := s.Judge()
	for _, act := range s.Actions {
		ch := d.Of(act)
		all = append(all, patchFaults(act)...)
		all = append(all, existenceFaults(act, ch)...)
		all = append(all, s.versionFaults(act, ch)...)
		all = append(all, s.conditionFaults(act, ch)...)
	}
	for _, ch := range d.Changes {
		if ch.Action == nil && ch.New != nil && ch.New.Entity == nil { // a guard that the call creates
			all = append(all, func(b *spoiler) { b.Place(ch.New) })
		}
	}
	for _, one := range d.Counted {
		if ch := d.Find(s.Layout.Home(one.Entity).Table, one.Key); ch != nil && ch.Old != nil {
			all = append(all, counterFaults(one, ch)...)
		}
	}
	return all
}

// patchFaults returns the fault that the caller gives nothing of what a patch may set.
func patchFaults(act *judge.Action) []fault {
	var patched []*model.Attribute
	for _, set := range act.Step.Set {
		if set.Patch {
			patched = append(patched, set.Attribute)
		}
	}
	if len(patched) == 0 {
		return nil
	}
	return []fault{func(b *spoiler) {
		for _, a := range patched {
			b.unbind(act, a.Name, a)
		}
	}}
}

// existenceFaults returns the fault that an item exists, or does not.
func existenceFaults(act *judge.Action, ch *judge.Change) []fault {
	switch {
	case act.None || act.Step.Verb == model.Create:
		return []fault{func(b *spoiler) { b.occupy(act) }}
	case act.Step.Verb != model.Put && act.Step.Verb != model.Upsert:
		return []fault{func(b *spoiler) { b.Clear(ch.Table, ch.Key) }}
	}
	return nil
}

// versionFaults returns the faults that the caller has seen another version than the item
// has.
func (s *spoiler) versionFaults(act *judge.Action, ch *judge.Change) []fault {
	if !act.Locked() {
		return nil
	}
	var all []fault
	if ch.Old != nil {
		all = append(all, func(b *spoiler) { b.outdate(act, ch.Old) })
	}
	if act.Step.Verb == model.Put {
		all = append(all, s.putVersionFaults(act, ch)...)
	}
	return all
}

// putVersionFaults returns the faults of the version that a put has seen: the item it saw
// no longer exists, or one exists where it saw none.
func (s *spoiler) putVersionFaults(act *judge.Action, ch *judge.Change) []fault {
	seeing := func(n int64) fault {
		return func(b *spoiler) { b.bind(act, act.SeenParam(), act.Step.Entity.Version, state.Int(n)) }
	}
	if ch.Old == nil {
		return []fault{seeing(1 + s.gen.rng.Int64N(5)), func(b *spoiler) { b.occupy(act) }}
	}
	return []fault{seeing(0), func(b *spoiler) { b.Clear(ch.Table, ch.Key) }}
}

// conditionFaults returns the faults that a condition, an old value, a transition or the
// bounds of a counter are violated.
func (s *spoiler) conditionFaults(act *judge.Action, ch *judge.Change) []fault {
	var all []fault
	for _, c := range act.Conditions() {
		contradict := func(b *spoiler) { b.contradict(act, c) }
		all = append(all, contradict, contradict)
	}
	for _, a := range s.HeldBefore(act) {
		all = append(all, func(b *spoiler) { b.bind(act, judge.OldParam(act, a), a, b.gen.invent(a, ch.Old.Values[a])) })
	}
	for _, t := range act.Write.Transitions() {
		if ch.Old != nil && t.To.Param != "" {
			all = append(all, func(b *spoiler) { b.misstep(act, t, ch.Old.Values[t.Attribute].Text) })
		}
	}
	for _, change := range act.Step.Entries {
		if ch.Old != nil && change.Bounded() {
			all = append(all, func(b *spoiler) { b.fillMap(ch.Old, change.Map) })
		}
	}
	for _, edit := range act.Step.Edits {
		if ch.Old != nil && edit.Bounded() {
			all = append(all, func(b *spoiler) { b.fill(ch.Old, edit.Attribute) })
		}
	}
	for _, add := range act.Step.Add {
		for _, c := range act.Step.Entity.Counters {
			if c.Attribute == add.Attribute {
				all = append(all, func(b *spoiler) { b.fillUp(ch.Old, c) })
			}
		}
	}
	return all
}

// counterFaults returns the faults that the counter of an item is full, or the item is
// missing.
func counterFaults(one *judge.Count, ch *judge.Change) []fault {
	all := []fault{func(b *spoiler) { b.fillUp(ch.Old, one.Counter) }}
	if ch.Action == nil {
		all = append(all, func(b *spoiler) { b.Clear(ch.Table, ch.Key) })
	}
	return all
}

// occupy places another item where an action needs none.
func (s *spoiler) occupy(act *judge.Action) {
	e := act.Step.Entity
	var values sample.Values
	if act.Whole() {
		values = s.Given(act)
	} else {
		values = s.like(e)
		for a, v := range s.identified(act) {
			values[a] = v
		}
		agree(e, values)
	}
	primary := s.Primary(e)
	for _, u := range e.Unique { // otherwise the value would be taken, too
		if !slices.ContainsFunc(u.Attributes, func(a *model.Attribute) bool { return slices.Contains(primary, a) }) {
			s.gen.renew(values, u.Attributes)
		}
	}
	s.Place(s.Tables.RowOf(e, values))
}

// outdate changes the version that the caller has seen, or the version of the item.
func (s *spoiler) outdate(act *judge.Action, old *state.Row) {
	version := act.Step.Entity.Version
	other := stepBy(old.Values[version], version, 1+s.gen.rng.Int64N(3))
	if s.gen.rng.IntN(2) == 0 {
		s.bind(act, act.SeenParam(), version, other)
		return
	}
	s.Place(s.Changed(old, version, other, true))
}

// misstep asks for a transition that the lifecycle does not allow.
func (s *spoiler) misstep(act *judge.Action, t resolve.Transition, from string) {
	a := t.Attribute
	for _, i := range s.gen.rng.Perm(len(a.Type.Values)) {
		if to := a.Type.Values[i]; !t.Allows(from, to) {
			s.bind(act, t.To.Param, a, state.Constant(a, to))
			return
		}
	}
}

// contradict changes the item or a parameter so that a condition does not hold. The condition of
// an upsert is about an item that exists, so it needs one.
func (s *spoiler) contradict(act *judge.Action, c *model.Condition) {
	if act.Step.Verb == model.Upsert && s.RowAt(act) == nil {
		s.occupy(act)
	}
	for range 40 {
		one := s.oneOf(c)
		u := unmet{act: act, attribute: one.Attribute, operands: one.Values, entry: one.Entry}
		r := s.RowAt(act)
		if r == nil || !s.Holds(act, c, r.Values) {
			return
		}
		undo := (&solver{s.arrangement}).change(u)
		if r := s.RowAt(act); r != nil && s.Holds(act, c, r.Values) && c.Op != model.Or { // of several alternatives all must fail
			undo()
		}
	}
}

// fill gives a collection of a row as many elements as it may have, if it can have that many.
func (s *spoiler) fill(r *state.Row, a *model.Attribute) {
	const tries = 300
	full := s.gen.typed(a.Type)
	for range tries {
		if int64(len(full.Elements)) == a.Max {
			s.Place(s.Changed(r, a, full, true))
			return
		}
		e := s.gen.typed(*a.Type.Element)
		known := slices.ContainsFunc(full.Elements, func(have sample.Value) bool { return have.Compare(e) == 0 })
		if !known || a.Type.Base == model.ListOf {
			full.Elements = append(full.Elements, e)
		}
	}
}

// fillUp sets a counter of a row to one of its bounds.
func (s *spoiler) fillUp(r *state.Row, c *model.Counter) {
	if r == nil || c.Min == nil && c.Max == nil {
		return
	}
	bound := c.Max
	if bound == nil || c.Min != nil && s.gen.rng.IntN(2) == 0 {
		bound = c.Min
	}
	s.Place(s.Changed(r, c.Attribute, sample.Value{Kind: sample.Number, Text: bound.String()}, true))
}
