package resolve

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// A Count is a declared counter whose value a pattern changes by what it writes.
type Count struct {
	Entity  *model.Entity // the one that has the counter
	Counter *model.Counter
	Step    *model.Step // the first action that changes what is counted
	// Kept says that the counter is right after the pattern: it is written by hand along
	// with what it counts, or by a write of the plan. Where DynamoDB refuses that write,
	// a problem of the plan says so.
	Kept bool
	// Told says that the caller tells by how much the counter changes, and nothing can check
	// it: of the attributes in Lacks the pattern does not say enough.
	Told  bool
	Lacks []*model.Attribute
}

// A tally is what all actions of a pattern together do to one counter of one item.
type tally struct {
	*Count
	shift shift
	terms []Term
	of    []*Write // for each action that changes what is counted the update that would count it alone
}

// A keeping is one write that keeps counters: an action of the pattern on the item that
// counts, or one of its own.
type keeping struct {
	write   *Write
	own     bool
	tallies []*tally
}

// A countUpdate is a shift with the item it happens to.
type countUpdate struct {
	shift shift
	terms []Term
	write *Write // an update of the item, still without any change
}

// keepCounters adds to a plan what keeps the declared counters. The item that counts must
// follow from match: from the attributes of an item that is written whole, else from where.
func (l *Layout) keepCounters(plan *Plan) {
	var all []*keeping
	for _, e := range l.design.Entities {
		for _, counter := range e.Counters {
			plan.boundByHand(e, counter)
			count, updates := l.count(plan, e, counter)
			if count == nil {
				continue
			}
			plan.Counts = append(plan.Counts, count)
			for _, u := range updates {
				all = plan.keep(all, count, u)
			}
		}
	}
	tellApart(all)
	for _, k := range all {
		plan.settle(l, k)
	}
	plan.spreadApart()
}

// tellApart gives what only the caller knows a name of its own for each item that counts: by
// how much one of them changes says nothing of another.
func tellApart(all []*keeping) {
	seen := map[*Count]map[string]int{}
	for _, k := range all {
		for _, t := range k.tallies {
			if !t.told() {
				continue
			}
			if seen[t.Count] == nil {
				seen[t.Count] = map[string]int{}
			}
			param := t.terms[0].Param
			if seen[t.Count][param]++; seen[t.Count][param] > 1 {
				t.shift.param = fmt.Sprintf("%s_%d", param, seen[t.Count][param])
				t.terms = []Term{{Param: t.shift.param}}
			}
		}
	}
}

// count is what a pattern does to a counter, nil if nothing, and the items to change for
// that unless it is written by hand or the items are not known.
func (l *Layout) count(plan *Plan, e *model.Entity, counter *model.Counter) (*Count, []countUpdate) {
	var count *Count
	var updates []countUpdate
	item, found := l.countingItem(e, counter), true
	for _, w := range plan.Writes {
		for _, s := range shifts(w.Step, counter) {
			if count == nil {
				count = &Count{Entity: e, Counter: counter, Step: w.Step}
			}
			w.counted = true
			for _, a := range s.lacks {
				if !slices.Contains(count.Lacks, a) {
					count.Lacks = append(count.Lacks, a)
				}
			}
			update := l.counting(plan.Pattern, item, counter, w.Step, s)
			if update == nil {
				found = false
				continue
			}
			n := max(w.Step.Each, 1) / max(update.Step.Each, 1)
			update.Origin = w
			updates = append(updates, countUpdate{s.times(n, counter), s.terms(w, n, counter), update})
		}
	}
	if count == nil {
		return nil, nil
	}
	byHand := slices.ContainsFunc(plan.Writes, func(w *Write) bool {
		return w.Step.Entity == e && (assigned(w.Step, counter.Attribute) != nil || addition(w.Step, counter.Attribute) != nil)
	})
	count.Kept = byHand || found
	if !byHand {
		plan.Problems = append(plan.Problems, unshardable(count, item)...)
	}
	if byHand || !found {
		updates = nil
	}
	return count, updates
}

// boundByHand keeps a counter between min and max where the pattern itself adds to it.
// What it counts in the same pattern says which way a parameter goes.
func (p *Plan) boundByHand(e *model.Entity, counter *model.Counter) {
	var counted []shift
	for _, w := range p.Writes {
		counted = append(counted, shifts(w.Step, counter)...)
	}
	for _, w := range p.Writes {
		add := addition(w.Step, counter.Attribute)
		if w.Item.Entity != e || w.Step.Verb != model.Update || add == nil {
			continue
		}
		s := fixed(add.By)
		if add.Param != "" {
			s = shift{param: add.Param, rises: len(counted) == 0, falls: len(counted) == 0}
			for _, c := range counted {
				s.rises, s.falls = s.rises || c.rises, s.falls || c.falls
			}
		}
		w.Checks = append(w.Checks, w.bounds(counter, s)...)
	}
}

// countingItem is the item that has a counter: the entity where it lives, or one of the
// shards; nil if it lives in no table.
func (l *Layout) countingItem(e *model.Entity, counter *model.Counter) *model.Item {
	home := l.Home(e)
	if home != nil && counter.Shards > 1 {
		return shardItem(home, counter)
	}
	return home
}

// counting is an update of the item that counts what a step writes, or nil if the step
// does not tell which one it is.
//
// Of the repeated items of a step all are counted by one item, as the questions of one
// project, unless their keys are made of nothing but what finds it: then there are as
// many as there are items.
func (l *Layout) counting(p *model.Pattern, item *model.Item, counter *model.Counter, step *model.Step, s shift) *Write {
	if item == nil {
		return nil
	}
	own := &model.Step{Verb: model.Update, Place: step.Place, Each: 1, Action: model.Action{Entity: item.Entity, WhereAt: step.Place}}
	var theirs []*model.Attribute
	for _, a := range PrimaryAttributes(item) {
		match := slices.IndexFunc(counter.Match, func(m model.Match) bool { return m.Mine == a })
		if match < 0 {
			return nil
		}
		their := counter.Match[match].Theirs
		value := given(step, their, s)
		if value == nil {
			return nil
		}
		theirs = append(theirs, their)
		own.Where = append(own.Where, &model.Condition{Attribute: a, Op: model.Eq, Values: []model.Operand{*value}, Place: step.Place})
	}
	if counted := l.Home(counter.Of); counted != nil && holdsAll(theirs, PrimaryAttributes(counted)) {
		own.Each = max(step.Each, 1)
	}
	w := l.write(&Plan{Pattern: p}, own, item)
	w.unseen = true
	if counter.Shards > 1 {
		w.shard(counter)
	}
	return w
}

func holdsAll(have, wanted []*model.Attribute) bool {
	return !slices.ContainsFunc(wanted, func(a *model.Attribute) bool { return !slices.Contains(have, a) })
}

// given is the value an action gives of an attribute of its item, or nil.
func given(step *model.Step, a *model.Attribute, s shift) *model.Operand {
	if v := assigned(step, a); v != nil && !s.leaves && step.Verb == model.Update {
		return v
	}
	if c := equality(step.Where, a); c != nil {
		return &c.Values[0]
	}
	if !writesWhole(step.Verb) || slices.Contains(step.Remove, a) {
		return nil
	}
	value := fresh(step, a)
	return &value
}

// keep finds the write for a shift: an action of the plan on the same item, which
// DynamoDB takes once in a transaction, or a new one.
func (p *Plan) keep(all []*keeping, count *Count, u countUpdate) []*keeping {
	same := func(w *Write) bool {
		return w.Item == u.write.Item && max(w.Step.Each, 1) == u.write.Step.Each && samePartition(w.Key, u.write.Key)
	}
	at := slices.IndexFunc(all, func(k *keeping) bool { return same(k.write) })
	if at < 0 {
		k := &keeping{write: u.write, own: true}
		if i := slices.IndexFunc(p.Writes, same); i >= 0 {
			k.write, k.own = p.Writes[i], false
		}
		at, all = len(all), append(all, k)
	}
	k := all[at]
	if i := slices.IndexFunc(k.tallies, func(t *tally) bool { return t.Count == count }); i >= 0 {
		k.tallies[i].join(u)
	} else {
		k.tallies = append(k.tallies, &tally{count, u.shift, u.terms, []*Write{u.write}})
	}
	return all
}

// join adds one more shift. What only the caller knows is one number for all of them.
func (t *tally) join(u countUpdate) {
	t.shift = t.shift.and(u.shift, t.Counter)
	t.terms, t.of = slices.Concat(t.terms, u.terms), append(t.of, u.write)
	if t.told() {
		t.terms = []Term{{Param: t.shift.param}}
	}
}

// told reports whether the caller tells the change.
func (t *tally) told() bool {
	return slices.ContainsFunc(t.terms, func(term Term) bool { return term.Of == nil })
}

// settle writes the tallies of an item into the plan. Those that add up to nothing need
// no write, and those of an item that goes are gone with it.
func (p *Plan) settle(l *Layout, k *keeping) {
	k.tallies = slices.DeleteFunc(k.tallies, func(t *tally) bool {
		if t.shift.none() && k.own {
			t.of[0].Origin.agree(t, t.of[0]) // one goes and one comes, but only of the same item
		}
		return t.shift.none()
	})
	if len(k.tallies) == 0 || k.write.Step.Verb == model.Delete && k.only(func(s shift) bool { return !s.rises }) {
		return
	}
	if !k.merges() {
		p.Problems = append(p.Problems, k.twice())
		return
	}
	for _, t := range k.tallies {
		if k.write.Step.Verb == model.Create && !t.beginsWithin() {
			p.Problems = append(p.Problems, t.unbounded(k.write))
		}
	}
	found := *k.write // by which the item that counts is found, whatever it becomes
	k.write.count(l, k)
	if k.own {
		p.Writes = append(p.Writes, k.write)
	}
	for _, t := range k.tallies {
		k.write.agree(t, &found)
		t.Told = t.Told || t.told()
	}
}

// agree notes what must be the same for one update to count what several actions write.
func (w *Write) agree(t *tally, found *Write) {
	primary := PrimaryAttributes(found.Item)
	for _, update := range t.of {
		if update.Origin == w || update.Origin == w.Origin {
			continue // it is found by that very item
		}
		for _, m := range t.Counter.Match {
			value, own := equality(update.Step.Where, m.Mine), equality(found.Step.Where, m.Mine)
			if value == nil || !slices.Contains(primary, m.Mine) {
				continue
			}
			a := Agreement{Mine: m.Mine, Theirs: m.Theirs, Of: update.Origin, Value: value.Values[0]}
			if own != nil {
				a.Own = own.Values[0]
			}
			if w == t.of[0].Origin {
				a.Mine = m.Theirs
			}
			if !slices.Contains(w.Agree, a) {
				w.Agree = append(w.Agree, a)
			}
		}
	}
}

func (k *keeping) only(holds func(shift) bool) bool {
	return !slices.ContainsFunc(k.tallies, func(t *tally) bool { return !holds(t.shift) })
}

// merges reports whether the write can carry the counters too. A new item begins with
// what is added to it; one that is put gets whatever the caller says.
func (k *keeping) merges() bool {
	switch k.write.Step.Verb {
	case model.Update:
		return true
	case model.Check:
		return k.write.Requirement == nil || !k.write.Requirement.Missing
	case model.Create:
		return k.only(func(s shift) bool { return !s.falls || s.param != "" })
	}
	return false
}

// twice says that a counter would be a second action on an item.
func (k *keeping) twice() Problem {
	t, w := k.tallies[0], k.write
	e, counter := t.Entity.Name, t.Counter.Attribute.Name
	p := Problem{
		Code: "L706", Place: t.Step.Place,
		Message: fmt.Sprintf("it touches the same %s twice: %s, and an update of its counter %s", e, w.Step.Verb, counter),
		Fix:     fmt.Sprintf("keep one of the two: the %s of %s, or what %s counts", w.Step.Verb, e, counter),
		Related: []diag.Related{{Place: w.Step.Place, Message: "the first time"}, {Place: t.Counter.Place, Message: "counts " + t.Counter.Of.Name}},
	}
	if writesWhole(w.Step.Verb) {
		p.Fix = fmt.Sprintf("set %s in the %s of %s, which writes it anyway", counter, w.Step.Verb, e)
	}
	return p
}

// count adds the tallies to a write. Steps belong to the design, so it gets one of its
// own, and with a change in it a check becomes an update.
func (w *Write) count(l *Layout, k *keeping) {
	step := *w.Step
	step.Add, step.Set = slices.Clone(step.Add), slices.Clone(step.Set)
	if step.Verb == model.Check {
		step.Verb, w.Operation, w.unseen = model.Update, UpdateItem, true
	}
	for _, t := range k.tallies {
		w.sum(t.Counter.Attribute, t.terms)
		if step.Verb == model.Create {
			step.Set = append(step.Set, t.begins())
		} else {
			step.Add = append(step.Add, &model.Addition{Attribute: t.Counter.Attribute, By: t.shift.by, Param: t.shift.param, Place: t.Step.Place})
			w.Checks = append(w.Checks, w.bounds(t.Counter, t.shift)...)
		}
		if k.own || w.Implied != "" {
			w.implyCounter(t.Count)
		}
	}
	w.Step = &step
	w.Indexes = l.indexWrites(w.Step, w.Item)
}

// begins is the value of a counter on a new item.
func (t *tally) begins() *model.Assignment {
	value := &model.Operand{Param: t.shift.param}
	if t.shift.param == "" {
		value.Constant = Digits(t.shift.by)
	}
	return &model.Assignment{Attribute: t.Counter.Attribute, Value: value, Place: t.Step.Place}
}

// implyCounter names a counter among the rules that add the write.
func (w *Write) implyCounter(c *Count) {
	if w.Implied != "" {
		w.Implied += ", "
	}
	w.Implied += "counter " + c.Entity.Name + "." + c.Counter.Attribute.Name
	if w.Shards > 1 {
		w.Implied += fmt.Sprintf(", one of %d shards", w.Shards)
	}
}
