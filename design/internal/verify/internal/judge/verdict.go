package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A fault is what stands in the way of a write.
type fault string

// The faults.
const (
	exists    fault = "the item exists already"
	notFound  fault = "there is no such item"
	otherThan fault = "a condition does not hold"
	outdated  fault = "the version is not the one seen"
	taken     fault = "a unique value is taken"
)

// A verdict is what a write should do: change rows, or nothing because of faults.
type Verdict struct {
	Changes []*Change
	Spread  []*SpreadChange
	Faults  map[string]fault // by table and key
	Counted []*Count
	Twice   bool // an item would be written by two actions
}

// A change is what happens to one row.
type Change struct {
	Action   *Action // or nil: it comes along with others
	Table    *model.Table
	Key      access.Item
	Old, New *state.Row // nil: none
	checked  bool       // it is only looked at
	place    string     // its address
}

// A counted is a counter that changes, and on which item.
type Count struct {
	Entity  *model.Entity
	Counter *model.Counter
	Mine    sample.Values // of the item that has it: what finds it
	Key     access.Item
	By      exact.Number
}

// A spreadChange is the change of a counter that several rows share.
type SpreadChange struct {
	*Count
	Table *model.Table
}

func (d *Verdict) Refused() bool { return len(d.Faults) > 0 }

// fault notes what stands in the way. Of one item the version is told before conditions.
func (d *Verdict) fault(ch *Change, f fault) {
	at := state.Address(ch.Table, ch.Key)
	if have, ok := d.Faults[at]; !ok || have == otherThan {
		d.Faults[at] = f
	}
}

func (d *Verdict) Find(t *model.Table, key access.Item) *Change {
	at := state.Address(t, key)
	for _, ch := range d.Changes {
		if ch.place == at {
			return ch
		}
	}
	return nil
}

// Of is the change that an action makes, or nil.
func (d *Verdict) Of(act *Action) *Change {
	for _, ch := range d.Changes {
		if ch.Action == act {
			return ch
		}
	}
	return nil
}

// ValuesOf returns the values of the item of an action before and after the call; nil: there
// is no such item.
func (d *Verdict) ValuesOf(act *Action) (before, after sample.Values) {
	ch := d.Of(act)
	if ch == nil {
		return nil, nil
	}
	if ch.Old != nil {
		before = ch.Old.Values
	}
	if ch.New != nil {
		after = ch.New.Values
	}
	return before, after
}

func (d *Verdict) add(ch *Change) {
	ch.place = state.Address(ch.Table, ch.Key)
	if d.Find(ch.Table, ch.Key) != nil {
		d.Twice = true
	}
	d.Changes = append(d.Changes, ch)
}

// Judge decides what the call should do, from what the pattern means and the rows that
// are there.
func (s *Scenario) Judge() *Verdict {
	d := &Verdict{Faults: map[string]fault{}}
	for _, act := range s.Actions {
		s.act(d, act)
	}
	s.count(d)
	for _, ch := range slices.Clone(d.Changes) {
		if ch.Action != nil {
			s.keepUnique(d, ch)
		}
	}
	return d
}

// act judges one action.
func (s *Scenario) act(d *Verdict, act *Action) {
	e := act.Step.Entity
	key, ok := s.KeyOf(act)
	if !ok {
		d.Faults["no key of "+e.Name] = notFound
		return
	}
	ch := &Change{Action: act, Table: s.Layout.Home(e).Table, Key: key, checked: act.Step.Verb == model.Check}
	ch.Old = s.At(ch.Table, key)
	d.add(ch)
	if act.None || act.Step.Verb == model.Create {
		if ch.Old != nil {
			d.fault(ch, exists)
			return
		}
	} else if ch.Old == nil && (act.Step.Verb != model.Put && act.Step.Verb != model.Delete || s.MustFind(act)) {
		d.fault(ch, notFound)
		return
	}
	if ch.Old == nil && !act.Whole() {
		return
	}
	var old sample.Values
	if ch.Old != nil {
		old = ch.Old.Values
	}
	s.compare(d, ch, old)
	if values := s.after(act, old); values != nil {
		ch.New = s.Tables.RowOf(e, values)
	}
}

// MustFind reports whether a delete must find its item: it is required, a condition says
// something of it, or something else goes with it.
func (s *Scenario) MustFind(act *Action) bool {
	if act.Step.Verb != model.Delete {
		return false
	}
	if act.must || act.Locked() || len(s.surplus(act)) > 0 || len(s.GuardsOf(act.Step.Entity)) > 0 {
		return true
	}
	return slices.ContainsFunc(s.Layout.Design().Entities, func(e *model.Entity) bool {
		return slices.ContainsFunc(e.Counters, func(c *model.Counter) bool { return c.Of == act.Step.Entity })
	})
}

// surplus are the conditions of an action besides those that only say which item it is: a
// key that holds less than an attribute leaves the rest of it to compare.
func (s *Scenario) surplus(act *Action) []*model.Condition {
	primary := s.Primary(act.Step.Entity)
	return slices.DeleteFunc(act.Conditions(), func(c *model.Condition) bool {
		return c.Op == model.Eq && slices.Contains(primary, c.Attribute) && slices.Contains(act.Step.Where, c) && !slices.Contains(act.Write.Checks, c)
	})
}

// compare judges the conditions of an action on the item as it is.
func (s *Scenario) compare(d *Verdict, ch *Change, old sample.Values) {
	act := ch.Action
	if act.Locked() {
		s.compareVersion(d, ch, old)
	}
	for _, c := range act.Conditions() {
		if !s.Holds(act, c, old) {
			d.fault(ch, otherThan)
		}
	}
	for _, a := range s.HeldBefore(act) {
		said, ok := s.Operand(act, model.Operand{Param: OldParam(act, a)}, a, nil)
		if have, is := old[a]; is != ok || is && have.Compare(said) != 0 {
			d.fault(ch, otherThan)
		}
	}
	for _, t := range act.Write.Transitions() {
		from, is := old[t.Attribute]
		to, ok := s.Operand(act, t.To, t.Attribute, old)
		if is && ok && !t.Allows(from.Text, to.Text) {
			d.fault(ch, otherThan)
		}
	}
	for _, add := range act.Step.Add {
		by, _ := s.Addend(act, add)
		for _, counter := range act.Step.Entity.Counters {
			if counter.Attribute == add.Attribute && !Within(counter, state.NumberOf(old[add.Attribute]), by) {
				d.fault(ch, otherThan)
			}
		}
	}
}

// compareVersion judges the version the caller saw. A put whose caller saw none needs that
// there is none, even if the item there has version 0, too.
func (s *Scenario) compareVersion(d *Verdict, ch *Change, old sample.Values) {
	version := ch.Action.Step.Entity.Version
	seen, _ := s.Operand(ch.Action, model.Operand{Param: ch.Action.SeenParam()}, version, nil)
	creates := ch.Action.Step.Verb == model.Put && state.NumberOf(seen).Sign() <= 0
	have, ok := old[version]
	switch {
	case old == nil && creates:
	case old == nil:
		d.fault(ch, notFound)
	case state.NumberOf(have).Equal(state.NumberOf(seen)) && (creates || !ok):
		d.fault(ch, otherThan)
	case !ok || have.Compare(seen) != 0:
		d.fault(ch, outdated)
	}
}
