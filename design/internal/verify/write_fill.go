package verify

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// A paramUse is a parameter that a write needs.
type paramUse struct {
	ref       program.Ref
	param     string
	attribute *model.Attribute
}

// usesOf are the parameters the statement of a write needs.
func usesOf(c *program.Call, w *program.Write) []paramUse {
	var all []paramUse
	use := func(param string, a *model.Attribute) {
		if param != "" {
			all = append(all, paramUse{c.Ref(w, param, a), param, a})
		}
	}
	text := func(t resolve.Text) {
		for _, part := range t {
			if part.Value != nil && part.Shards == 0 {
				use(part.Value.Param, part.Attribute)
			}
		}
	}
	value := func(v resolve.Value) {
		switch {
		case v.Operand == nil:
			text(v.Text)
		case len(v.Sum) > 0:
			for _, term := range v.Sum {
				if term.Param != "" {
					ref := c.Term(w, term, v.Attribute)
					ref.First = ref.First && !term.Repeated // each item has its own
					all = append(all, paramUse{ref, term.Param, v.Attribute})
				}
			}
		case v.Next:
			use(v.Attribute.Name, v.Attribute)
		default:
			use(v.Operand.Param, v.Attribute)
		}
	}
	only := func(clause *resolve.Clause, conditions []*model.Condition) {
		for _, condition := range conditions {
			for _, a := range append([]*model.Attribute{condition.Attribute}, comparedWith(condition)...) {
				use(w.Decides(clause, a).Param, a)
			}
		}
	}
	for _, k := range w.Statement.Key {
		text(k.Low)
	}
	for _, f := range w.Statement.Item {
		value(f.Value)
		only(nil, f.Only)
	}
	for _, clause := range slices.Concat(w.Statement.Update, w.Statement.Condition) {
		only(&clause, clause.Only)
		for _, one := range []*resolve.Clause{&clause, clause.Else} {
			if one == nil {
				continue
			}
			for _, v := range one.Values {
				value(v)
			}
		}
	}
	only(nil, w.Statement.Only)
	return all
}

// fill gives the parameters that follow from the rules of the design their right values:
// what an item had, what it will have, by how much a counter changes.
func (s *arrangement) fill(d *verdict) {
	for _, w := range s.c.Writes {
		times := 1
		if w.Repeats != nil {
			times = s.a.times(w.Repeats)
		}
		for i := range times {
			act := s.actionOf(w.Write, i)
			if act == nil {
				continue
			}
			for _, u := range usesOf(s.c, w) {
				if _, ok := s.a.at(u.ref, i); ok || u.ref.IsZero() || u.ref.Input.Kind == program.List {
					continue
				}
				if u.ref.Input.Repeated && i >= s.a.times(u.ref.Input) {
					continue // there is no such item
				}
				if v, ok := s.meant(d, act, u); ok {
					s.set(u.ref, i, v, true)
				}
			}
		}
	}
}

// actionOf is the action of the pattern that a write comes along with.
func (s *arrangement) actionOf(w *resolve.Write, i int) *action {
	for w.Origin != nil {
		w = w.Origin
	}
	for _, act := range s.actions {
		if act.write.Write == w && (act.i == i || act.write.Repeats == nil) {
			return act
		}
	}
	return nil
}

// meant is the value a parameter must have, by what its name says.
func (s *arrangement) meant(d *verdict, act *action, u paramUse) (sample.Value, bool) {
	a := u.attribute
	var old, after sample.Values
	if ch := d.of(act); ch != nil {
		if ch.old != nil {
			old = ch.old.values
		}
		if ch.new != nil {
			after = ch.new.values
		}
	}
	switch withoutSerial(u.param, a) {
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
		case len(d.counted) <= 1 || old == nil:
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
func changeOf(d *verdict, a *model.Attribute, theirs sample.Values) sample.Value {
	total := exact.Zero
	for _, one := range d.counted {
		belongs := one.counter.Attribute == a
		for _, m := range one.counter.Match {
			if v, ok := theirs[m.Theirs]; theirs != nil && (!ok || v.String() != one.mine[m.Mine].String()) {
				belongs = false
			}
		}
		if belongs {
			total = total.Add(one.by)
		}
	}
	return sample.Value{Kind: sample.Number, Text: total.String()}
}
