package arrange

import (
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
)

// fill gives the parameters that follow from the rules of the design their right values:
// what an item had, what it will have, by how much a counter changes.
func (s *arrangement) fill(d *judge.Verdict) {
	for _, w := range s.Call.Writes {
		times := 1
		if w.Repeats != nil {
			times = s.Arguments.Times(w.Repeats)
		}
		for i := range times {
			act := s.actionOf(w.Write, i)
			if act == nil {
				continue
			}
			for _, u := range bind.UsesOf(s.Call, w) {
				if _, ok := s.Arguments.At(u.Ref, i); ok || u.Ref.IsZero() || u.Ref.Input.Kind == program.List {
					continue
				}
				if u.Ref.Input.Repeated && i >= s.Arguments.Times(u.Ref.Input) {
					continue // there is no such item
				}
				if v, ok := s.meant(d, act, u); ok {
					s.set(u.Ref, i, v, true)
				}
			}
		}
	}
}

// actionOf is the action of the pattern that a write comes along with.
func (s *arrangement) actionOf(w *resolve.Write, i int) *judge.Action {
	for w.Origin != nil {
		w = w.Origin
	}
	for _, act := range s.Actions {
		if act.Write.Write == w && (act.Index == i || act.Write.Repeats == nil) {
			return act
		}
	}
	return nil
}

// meant is the value a parameter must have, by what its name says.
func (s *arrangement) meant(d *judge.Verdict, act *judge.Action, u bind.ParamUse) (sample.Value, bool) {
	a := u.Attribute
	var old, after sample.Values
	if ch := d.Of(act); ch != nil {
		if ch.Old != nil {
			old = ch.Old.Values
		}
		if ch.New != nil {
			after = ch.New.Values
		}
	}
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
		case len(d.Counted) <= 1 || old == nil:
			return changeOf(d, a, nil), true
		case after == nil: // it goes
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

// withoutSerial is the parameter by which a counter changes without the number that tells
// the counters of several items apart.
func withoutSerial(param string, a *model.Attribute) string {
	if number, ok := strings.CutPrefix(param, a.Name+"_change_"); ok && strings.Trim(number, "0123456789") == "" {
		return a.Name + "_change"
	}
	return param
}

// changeOf is by how much a counter changes, in all or only on the item that counts one
// with these values.
func changeOf(d *judge.Verdict, a *model.Attribute, theirs sample.Values) sample.Value {
	total := exact.Zero
	for _, one := range d.Counted {
		belongs := one.Counter.Attribute == a
		for _, m := range one.Counter.Match {
			if v, ok := theirs[m.Theirs]; theirs != nil && (!ok || v.String() != one.Mine[m.Mine].String()) {
				belongs = false
			}
		}
		if belongs {
			total = total.Add(one.By)
		}
	}
	return sample.Value{Kind: sample.Number, Text: total.String()}
}
