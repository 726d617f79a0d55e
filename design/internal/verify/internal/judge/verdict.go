package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A fault is a reason to refuse a write.
type fault string

// The faults.
const (
	exists    fault = "the item exists already"
	notFound  fault = "there is no such item"
	otherThan fault = "a condition does not hold"
	outdated  fault = "the version is not the one seen"
	taken     fault = "a unique value is taken"
	unchanged fault = "the caller gives nothing to change"
)

// A Verdict says what a write must do: change rows, or be refused because of faults.
type Verdict struct {
	Changes []*Change
	Sharded []*ShardedChange
	Faults  map[string]fault // by table and key
	Counted []*Count
	Twice   bool // two actions touch one item
}

// A Change describes how a call must change one row.
type Change struct {
	Action   *Action // nil: the change follows from those of other rows
	Table    *model.Table
	Key      access.Item
	Old, New *state.Row // nil: no row
	checked  bool       // the row is only checked
	address  string
}

// A Count is the change of a counter of one item.
type Count struct {
	Entity  *model.Entity
	Counter *model.Counter
	Mine    sample.Values // the values that identify the item
	Key     access.Item
	By      exact.Number
}

// A ShardedChange is the change of a sharded counter.
type ShardedChange struct {
	*Count
	Table *model.Table
}

// Refused reports whether the call must be refused.
func (d *Verdict) Refused() bool { return len(d.Faults) > 0 }

// fault adds a fault of one item. An outdated version comes before conditions.
func (d *Verdict) fault(ch *Change, f fault) {
	at := state.Address(ch.Table, ch.Key)
	if have, ok := d.Faults[at]; !ok || have == otherThan {
		d.Faults[at] = f
	}
}

// Find returns the change of a row, or nil.
func (d *Verdict) Find(t *model.Table, key access.Item) *Change {
	at := state.Address(t, key)
	for _, ch := range d.Changes {
		if ch.address == at {
			return ch
		}
	}
	return nil
}

// Of returns the change that an action makes, or nil.
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

// add adds a change.
func (d *Verdict) add(ch *Change) {
	ch.address = state.Address(ch.Table, ch.Key)
	if d.Find(ch.Table, ch.Key) != nil {
		d.Twice = true
	}
	d.Changes = append(d.Changes, ch)
}

// Judge returns what the call must do, given the meaning of its pattern and the rows of the
// scenario.
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

// act adds the change of one action.
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
	if s.givesNothing(act) {
		d.fault(ch, unchanged)
	}
	if act.None || act.Step.Verb == model.Create {
		if ch.Old != nil {
			d.fault(ch, exists)
			return
		}
	} else if ch.Old == nil && !act.upserts() && (act.Step.Verb != model.Put && act.Step.Verb != model.Delete || s.MustFind(act)) {
		d.fault(ch, notFound)
		return
	}
	if ch.Old == nil && !act.Whole() && !act.upserts() {
		return
	}
	var old sample.Values
	if ch.Old != nil {
		old = ch.Old.Values
	}
	if old != nil || !act.upserts() { // an upsert compares only an item that exists
		s.compare(d, ch, old)
	}
	if values := s.after(act, old); values != nil {
		ch.New = s.Tables.RowOf(e, values)
	}
}

// MustFind reports whether a delete must find its item: the item is required, has conditions,
// or is counted or guarded.
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

// surplus returns the conditions of an action that do more than identify its item. A key that
// holds only a part of an attribute leaves the rest to compare.
func (s *Scenario) surplus(act *Action) []*model.Condition {
	primary := s.Primary(act.Step.Entity)
	return slices.DeleteFunc(act.Conditions(), func(c *model.Condition) bool {
		return c.Op == model.Eq && slices.Contains(primary, c.Attribute) && slices.Contains(act.Step.Where, c) && !slices.Contains(act.Write.Checks, c)
	})
}

// compare adds the faults of an action on the item as it is before the call.
func (s *Scenario) compare(d *Verdict, ch *Change, old sample.Values) {
	act := ch.Action
	if act.Locked() {
		s.compareVersion(d, ch, old)
	}
	met := s.conditionsMet(act, old) && s.heldBeforeMet(act, old) && s.transitionsMet(act, old) && s.boundsMet(act, old) && s.maximumsMet(act, old)
	if !met {
		d.fault(ch, otherThan)
	}
}

// conditionsMet reports whether the conditions of an action hold.
func (s *Scenario) conditionsMet(act *Action, old sample.Values) bool {
	return !slices.ContainsFunc(act.Conditions(), func(c *model.Condition) bool { return !s.Holds(act, c, old) })
}

// heldBeforeMet reports whether the caller knows the old values that guards are made of.
func (s *Scenario) heldBeforeMet(act *Action, old sample.Values) bool {
	for _, a := range s.HeldBefore(act) {
		given, ok := s.Operand(act, model.Operand{Param: OldParam(act, a)}, a, nil)
		if have, is := old[a]; is != ok || is && have.Compare(given) != 0 {
			return false
		}
	}
	return true
}

// transitionsMet reports whether lifecycles allow the changes of state.
func (s *Scenario) transitionsMet(act *Action, old sample.Values) bool {
	for _, t := range act.Write.Transitions() {
		from, is := old[t.Attribute]
		to, ok := s.Operand(act, t.To, t.Attribute, old)
		if is && ok && !t.Allows(from.Text, to.Text) {
			return false
		}
	}
	return true
}

// boundsMet reports whether additions leave counters within their bounds.
func (s *Scenario) boundsMet(act *Action, old sample.Values) bool {
	for _, add := range act.Step.Add {
		by, _ := s.Addend(act, add)
		for _, counter := range act.Step.Entity.Counters {
			if counter.Attribute == add.Attribute && !Within(counter, state.NumberOf(old[add.Attribute]), by) {
				return false
			}
		}
	}
	return true
}

// maximumsMet reports whether edits leave collections within their maximum. Elements that a set
// has already count, too.
func (s *Scenario) maximumsMet(act *Action, old sample.Values) bool {
	return s.roomForEntries(act, old) && !slices.ContainsFunc(act.Step.Edits, func(edit *model.Edit) bool {
		return s.Room(act, edit, old) < 0
	})
}

// Room returns how many more elements a collection may have after an edit, negative if the edit
// takes it over its maximum. An edit that needs no room leaves 0.
func (s *Scenario) Room(act *Action, edit *model.Edit, old sample.Values) int64 {
	given, _ := s.Operand(act, model.Operand{Param: edit.Param}, edit.Attribute, nil)
	have, is := old[edit.Attribute]
	if !is || !edit.Bounded() {
		return 0
	}
	return edit.Attribute.Max - int64(len(have.Elements)+len(given.Elements))
}

// compareVersion adds the fault of the version that the caller has seen. A put whose caller has
// seen version 0 needs that there is no item, even if the item has version 0.
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
