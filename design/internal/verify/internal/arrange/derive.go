package arrange

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// makeRoom makes sure that the items that count items of the call exist, and that their
// counters stay within bounds.
func (s *arrangement) makeRoom() {
	for _, one := range s.Judge().Counted {
		if one.Counter.Shards > 1 {
			continue
		}
		table := s.Layout.Home(one.Entity).Table
		r := s.At(table, one.Key)
		if r == nil {
			if ch := s.Judge().Find(table, one.Key); ch != nil && ch.Action != nil {
				continue // the call itself creates it
			}
			r = s.Tables.RowOf(one.Entity, s.choose(one.Entity, one.Mine, nil, false))
		}
		have := state.NumberOf(r.Values[one.Counter.Attribute])
		if room := roomFor(one.Counter, have, one.By); have.Cmp(room) != 0 {
			r = s.Changed(r, one.Counter.Attribute, sample.Value{Kind: sample.Number, Text: resolve.Digits(room)}, true)
		}
		s.Place(r)
	}
}

// roomFor returns the value nearest to the one a counter has from which a change leaves it
// within its bounds.
func roomFor(c *model.Counter, have, by exact.Number) exact.Number {
	if c.Shards > 1 {
		return have
	}
	return sample.Inside(c, sample.Inside(c, sample.Inside(c, have).Add(by)).Sub(by))
}

// deriveParameters binds the parameters that follow from the rules of the design: the value
// that an item had or will have, and by how much a counter changes.
func (s *arrangement) deriveParameters() {
	d := s.Judge()
	for _, w := range s.Call.Writes {
		times := 1
		if w.Repeats != nil {
			times = s.Arguments.Times(w.Repeats)
		}
		for i := range times {
			if act := s.actionOf(w.PlannedWrite, i); act != nil {
				s.deriveFor(d, act, w, i)
			}
		}
	}
}

// deriveFor binds the parameters of the i-th repetition of a write that have no value yet.
func (s *arrangement) deriveFor(d *judge.Verdict, act *judge.Action, w *program.WriteStep, i int) {
	for _, u := range bind.UsesOf(s.Call, w) {
		if _, ok := s.Arguments.At(u.Ref, i); ok || u.Ref.IsZero() || u.Ref.Input.Kind == program.List {
			continue
		}
		if u.Ref.Input.Repeated && i >= s.Arguments.Times(u.Ref.Input) {
			continue // there is no such item
		}
		if u.Ref.Patched() {
			continue // it is left out
		}
		if v, ok := derived(d, act, u); ok {
			s.set(u.Ref, i, v, true)
		}
	}
}

// actionOf returns the action of the pattern that a write belongs to, or nil.
func (s *arrangement) actionOf(w *resolve.PlannedWrite, i int) *judge.Action {
	for w.Origin != nil {
		w = w.Origin
	}
	for _, act := range s.Actions {
		if act.Write.PlannedWrite == w && (act.Index == i || act.Write.Repeats == nil) {
			return act
		}
	}
	return nil
}

// derived returns the value that a parameter must have, by its name.
func derived(d *judge.Verdict, act *judge.Action, u bind.ParamUse) (sample.Value, bool) {
	a := u.Attribute
	old, after := d.ValuesOf(act)
	switch withoutSerial(u.Param, a) {
	case "old_" + a.Name:
		v, ok := old[a]
		return v, ok
	case a.Name + "_next":
		v, ok := after[a]
		return v, ok
	case a.Name + "_change_left":
		return changeOf(d, a, old), true
	case a.Name + "_change":
		switch {
		case old == nil || len(d.Counted) <= 1 && !countedBy(d, a, act):
			return changeOf(d, a, nil), true
		case after == nil: // the item is deleted
			return changeOf(d, a, old), true
		}
		return changeOf(d, a, after), true
	}
	if v, ok := after[a]; ok {
		return v, true
	}
	v, ok := old[a]
	return v, ok
}

// countedBy reports whether a counter with this attribute counts the items of an action. The change of
// another action of the same call is then none of its own.
func countedBy(d *judge.Verdict, a *model.Attribute, act *judge.Action) bool {
	return slices.ContainsFunc(d.Counted, func(one *judge.Count) bool {
		return one.Counter.Attribute == a && one.Counter.Of == act.Step.Entity
	})
}

// withoutSerial returns a parameter by which a counter changes without the number that
// distinguishes the counters of several items.
func withoutSerial(param string, a *model.Attribute) string {
	if number, ok := strings.CutPrefix(param, a.Name+"_change_"); ok && strings.Trim(number, "0123456789") == "" {
		return a.Name + "_change"
	}
	return param
}

// changeOf returns by how much a counter changes: in all, or only on the item that counts
// an item with the given values.
func changeOf(d *judge.Verdict, a *model.Attribute, theirs sample.Values) sample.Value {
	total := exact.Zero
	for _, one := range d.Counted {
		if one.Counter.Attribute == a && (theirs == nil || counts(one, theirs)) {
			total = total.Add(one.By)
		}
	}
	return sample.Value{Kind: sample.Number, Text: total.String()}
}

// counts reports whether the item of a counter counts an item with these values.
func counts(one *judge.Count, theirs sample.Values) bool {
	for _, m := range one.Counter.Match {
		if v, ok := theirs[m.Theirs]; !ok || v.String() != one.Mine[m.Mine].String() {
			return false
		}
	}
	return true
}
