package verify

import (
	"maps"
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
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
type verdict struct {
	changes []*change
	spread  []*spreadChange
	faults  map[string]fault // by table and key
	counted []*counted
	twice   bool // an item would be written by two actions
}

// A change is what happens to one row.
type change struct {
	act      *action // or nil: it comes along with others
	table    *model.Table
	key      access.Item
	old, new *row   // nil: none
	checked  bool   // it is only looked at
	place    string // its address
}

// A counted is a counter that changes, and on which item.
type counted struct {
	entity  *model.Entity
	counter *model.Counter
	mine    sample.Values // of the item that has it: what finds it
	key     access.Item
	by      exact.Number
}

// A spreadChange is the change of a counter that several rows share.
type spreadChange struct {
	*counted
	table *model.Table
}

func (d *verdict) refused() bool { return len(d.faults) > 0 }

// fault notes what stands in the way. Of one item the version is told before conditions.
func (d *verdict) fault(ch *change, f fault) {
	at := address(ch.table, ch.key)
	if have, ok := d.faults[at]; !ok || have == otherThan {
		d.faults[at] = f
	}
}

func (d *verdict) find(t *model.Table, key access.Item) *change {
	at := address(t, key)
	for _, ch := range d.changes {
		if ch.place == at {
			return ch
		}
	}
	return nil
}

// of is the change that an action makes, or nil.
func (d *verdict) of(act *action) *change {
	for _, ch := range d.changes {
		if ch.act == act {
			return ch
		}
	}
	return nil
}

func (d *verdict) add(ch *change) {
	ch.place = address(ch.table, ch.key)
	if d.find(ch.table, ch.key) != nil {
		d.twice = true
	}
	d.changes = append(d.changes, ch)
}

// judge decides what the call should do, from what the pattern means and the rows that
// are there.
func (s *scenario) judge() *verdict {
	d := &verdict{faults: map[string]fault{}}
	for _, act := range s.actions {
		s.act(d, act)
	}
	s.count(d)
	for _, ch := range slices.Clone(d.changes) {
		if ch.act != nil {
			s.keepUnique(d, ch)
		}
	}
	return d
}

// act judges one action.
func (s *scenario) act(d *verdict, act *action) {
	e := act.step.Entity
	key, ok := s.key(act)
	if !ok {
		d.faults["no key of "+e.Name] = notFound
		return
	}
	ch := &change{act: act, table: s.layout.Home(e).Table, key: key, checked: act.step.Verb == model.Check}
	ch.old = s.at(ch.table, key)
	d.add(ch)
	if act.none || act.step.Verb == model.Create {
		if ch.old != nil {
			d.fault(ch, exists)
			return
		}
	} else if ch.old == nil && (act.step.Verb != model.Put && act.step.Verb != model.Delete || s.mustFind(act)) {
		d.fault(ch, notFound)
		return
	}
	if ch.old == nil && !act.whole() {
		return
	}
	var old sample.Values
	if ch.old != nil {
		old = ch.old.values
	}
	s.compare(d, ch, old)
	if values := s.after(act, old); values != nil {
		ch.new = s.state.row(e, values)
	}
}

// mustFind reports whether a delete must find its item: it is required, a condition says
// something of it, or something else goes with it.
func (s *scenario) mustFind(act *action) bool {
	if act.step.Verb != model.Delete {
		return false
	}
	if act.must || act.locked() || len(s.surplus(act)) > 0 || len(s.guardsOf(act.step.Entity)) > 0 {
		return true
	}
	return slices.ContainsFunc(s.layout.Design().Entities, func(e *model.Entity) bool {
		return slices.ContainsFunc(e.Counters, func(c *model.Counter) bool { return c.Of == act.step.Entity })
	})
}

// surplus are the conditions of an action besides those that only say which item it is: a
// key that holds less than an attribute leaves the rest of it to compare.
func (s *scenario) surplus(act *action) []*model.Condition {
	primary := s.primary(act.step.Entity)
	return slices.DeleteFunc(act.conditions(), func(c *model.Condition) bool {
		return c.Op == model.Eq && slices.Contains(primary, c.Attribute) && slices.Contains(act.step.Where, c) && !slices.Contains(act.write.Checks, c)
	})
}

// compare judges the conditions of an action on the item as it is.
func (s *scenario) compare(d *verdict, ch *change, old sample.Values) {
	act := ch.act
	if act.locked() {
		s.compareVersion(d, ch, old)
	}
	for _, c := range act.conditions() {
		if !s.holds(act, c, old) {
			d.fault(ch, otherThan)
		}
	}
	for _, a := range s.heldBefore(act) {
		said, ok := s.operand(act, model.Operand{Param: oldParam(act, a)}, a, nil)
		if have, is := old[a]; is != ok || is && have.Compare(said) != 0 {
			d.fault(ch, otherThan)
		}
	}
	for _, t := range act.write.Transitions() {
		from, is := old[t.Attribute]
		to, ok := s.operand(act, t.To, t.Attribute, old)
		if is && ok && !t.Allows(from.Text, to.Text) {
			d.fault(ch, otherThan)
		}
	}
	for _, add := range act.step.Add {
		by, _ := s.addend(act, add)
		for _, counter := range act.step.Entity.Counters {
			if counter.Attribute == add.Attribute && !within(counter, numberOf(old[add.Attribute]), by) {
				d.fault(ch, otherThan)
			}
		}
	}
}

// compareVersion judges the version the caller saw. A put whose caller saw none needs that
// there is none, even if the item there has version 0, too.
func (s *scenario) compareVersion(d *verdict, ch *change, old sample.Values) {
	version := ch.act.step.Entity.Version
	seen, _ := s.operand(ch.act, model.Operand{Param: ch.act.seenParam()}, version, nil)
	creates := ch.act.step.Verb == model.Put && numberOf(seen).Sign() <= 0
	have, ok := old[version]
	switch {
	case old == nil && creates:
	case old == nil:
		d.fault(ch, notFound)
	case numberOf(have).Equal(numberOf(seen)) && (creates || !ok):
		d.fault(ch, otherThan)
	case !ok || have.Compare(seen) != 0:
		d.fault(ch, outdated)
	}
}

// within reports whether a counter stays between its bounds.
func within(c *model.Counter, have, by exact.Number) bool {
	total := have.Add(by)
	if c.Shards > 1 {
		return true
	}
	return !(c.Max != nil && by.Sign() > 0 && c.Max.Less(total)) && !(c.Min != nil && by.Sign() < 0 && total.Less(*c.Min))
}

// guardsOf are the guards that keep values of an entity unique.
func (s *scenario) guardsOf(e *model.Entity) []*model.Guard {
	var all []*model.Guard
	for _, t := range s.layout.Design().Tables {
		for _, g := range t.Guards {
			if g.Entity == e {
				all = append(all, g)
			}
		}
	}
	return all
}

// guarded are the attributes that the row of a guard is made of.
func guarded(g *model.Guard) []*model.Attribute {
	all := slices.Clone(g.Attributes)
	for _, c := range g.Computed {
		for _, part := range c.Template.Parts {
			if part.IsHole() && !slices.Contains(all, part.Attribute) {
				all = append(all, part.Attribute)
			}
		}
	}
	return all
}

// frees reports whether an action takes the row of a guard away.
func (act *action) frees(g *model.Guard) bool {
	return act.step.Verb == model.Delete || act.step.Verb == model.Update && slices.ContainsFunc(guarded(g), act.changes)
}

// heldBefore are the attributes whose old value the caller must know, because the row
// that keeps it unique goes.
func (s *scenario) heldBefore(act *action) []*model.Attribute {
	var all []*model.Attribute
	for _, g := range s.guardsOf(act.step.Entity) {
		if !act.frees(g) {
			continue
		}
		for _, a := range guarded(g) {
			missing := slices.ContainsFunc(act.step.If, func(c *model.Condition) bool { return c.Attribute == a && c.Op == model.Missing })
			if equality(act.conditions(), a) == nil && !missing && !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// oldParam is the parameter that holds the value an attribute had.
func oldParam(act *action, a *model.Attribute) string {
	if act.step.Verb == model.Update && act.changes(a) {
		return "old_" + a.Name
	}
	return a.Name
}

// keepUnique is what happens to the rows that keep the values of an item unique.
func (s *scenario) keepUnique(d *verdict, ch *change) {
	for _, t := range s.layout.Design().Tables {
		for _, g := range t.Guards {
			if g.Entity != ch.act.step.Entity || !ch.act.whole() && !ch.act.frees(g) || ch.act.none {
				continue
			}
			var before, after *row
			if ch.old != nil && !ch.act.whole() {
				before = guardRow(t, g, ch.old.values)
			}
			if ch.new != nil {
				after = guardRow(t, g, ch.new.values)
			}
			s.moveGuard(d, before, after)
		}
	}
}

func (s *scenario) moveGuard(d *verdict, before, after *row) {
	if before != nil && after != nil && describeItem(before.item) == describeItem(after.item) {
		return
	}
	if before != nil {
		d.add(&change{table: before.table, key: keyOf(before.table, before.item), old: s.at(before.table, before.item)})
	}
	if after != nil {
		ch := &change{table: after.table, key: keyOf(after.table, after.item), old: s.at(after.table, after.item), new: after}
		d.add(ch)
		if ch.old != nil {
			d.fault(ch, taken)
		}
	}
}

// changed is a row with one value changed.
func (s *scenario) changed(r *row, a *model.Attribute, v sample.Value, is bool) *row {
	values := maps.Clone(r.values)
	put(values, a, v, is)
	return s.state.row(r.entity, values)
}
