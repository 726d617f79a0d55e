// Package counter keeps the declared counters of a design: it works out by how much each
// action of a pattern changes them, and adds the updates to the drafts of the writes.
//
// It knows how a write is drafted, and nothing of how a query is proved.
package counter

import (
	"cmp"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
	"sortkey.dev/design/internal/resolve/internal/write"
)

// A tally is the effect of all actions of a pattern together on one counter of one item.
type tally struct {
	*plan.Count
	shift shift
	terms []plan.Term
	of    []*write.Draft // for each action that changes what is counted the update that would count it alone
}

// A keeping is one write that keeps counters: an action of the pattern on the item that
// counts, or one of its own.
type keeping struct {
	draft   *write.Draft
	own     bool
	tallies []*tally
}

// A countUpdate is a shift with the item that it happens to.
type countUpdate struct {
	shift shift
	terms []plan.Term
	draft *write.Draft // an update of the item, still without any change
}

// A keeper keeps the counters of one pattern.
type keeper struct {
	*write.Transaction
	planner *write.Planner
	all     []*keeping
}

// Keep adds to a transaction the updates that keep the declared counters. The item that
// counts must follow from match: from the attributes of an item that is written whole,
// else from where.
func Keep(l *write.Planner, t *write.Transaction) {
	k := &keeper{Transaction: t, planner: l}
	for _, e := range l.Design().Entities {
		for _, counter := range e.Counters {
			k.boundByHand(e, counter)
			k.count(e, counter)
		}
	}
	k.nameApart()
	for _, one := range k.all {
		k.settle(one)
	}
	k.spreadApart()
}

// nameApart gives changes that only the caller knows a parameter of their own for each
// item that counts: they are independent of each other.
func (k *keeper) nameApart() {
	type use struct {
		count *plan.Count
		param string
	}
	seen := map[use]int{}
	for _, one := range k.all {
		for _, t := range one.tallies {
			if !t.told() {
				continue
			}
			u := use{t.Count, t.terms[0].Param}
			if seen[u]++; seen[u] > 1 {
				t.shift.param = fmt.Sprintf("%s_%d", u.param, seen[u])
				t.terms = []plan.Term{{Param: t.shift.param}}
			}
		}
	}
}

// count notes the effect of a pattern on a counter, and the updates of the items that
// count unless the counter is written by hand or the items are not known.
func (k *keeper) count(e *model.Entity, counter *model.Counter) {
	item := k.countingItem(e, counter)
	count := &plan.Count{Entity: e, Counter: counter, Kept: true}
	var updates []countUpdate
	for _, d := range k.Drafts {
		for _, s := range shifts(d.Step, counter) {
			count.Step = cmp.Or(count.Step, d.Step)
			d.Counted = true
			count.Lacks = addMissing(count.Lacks, s.lacks)
			u, found := k.update(item, counter, d, s)
			count.Kept = count.Kept && found
			updates = append(updates, u)
		}
	}
	if count.Step == nil {
		return
	}
	k.Counts = append(k.Counts, count)
	if k.writtenByHand(e, counter) {
		count.Kept = true
		return
	}
	k.Report(unshardable(count, item)...)
	if count.Kept {
		for _, u := range updates {
			k.keep(count, u)
		}
	}
}

// writtenByHand reports whether the pattern itself sets the counter or adds to it.
func (k *keeper) writtenByHand(e *model.Entity, counter *model.Counter) bool {
	return slices.ContainsFunc(k.Drafts, func(d *write.Draft) bool {
		return d.Step.Entity == e && (action.Assigned(d.Step, counter.Attribute) != nil || action.Addition(d.Step, counter.Attribute) != nil)
	})
}

// update returns the update that counts one action alone, if the action gives all that
// finds the item that counts.
func (k *keeper) update(item *model.Item, counter *model.Counter, d *write.Draft, s shift) (countUpdate, bool) {
	update := k.counting(item, counter, d.Step, s)
	if update == nil {
		return countUpdate{}, false
	}
	update.ImpliedBy(d)
	n := max(d.Step.Each, 1) / max(update.Step.Each, 1)
	return countUpdate{s.times(n, counter), s.terms(d.PlannedWrite, n, counter), update}, true
}

// addMissing adds the attributes that a list does not have yet.
func addMissing(all, more []*model.Attribute) []*model.Attribute {
	for _, a := range more {
		if !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	return all
}

// countingItem returns the item that has a counter: the entity where it lives, or one of
// the shards; nil if it lives in no table.
func (k *keeper) countingItem(e *model.Entity, counter *model.Counter) *model.Item {
	home := k.planner.Home(e)
	if home != nil && counter.Shards > 1 {
		return shardItem(home, counter)
	}
	return home
}

// counting drafts an update of the item that counts what a step writes, or returns nil if
// the step does not say which item that is.
//
// All items of a repeated step are counted by one item, as the questions of one project,
// unless their keys are made only of the attributes that find it: then there are as many
// updates as items.
func (k *keeper) counting(item *model.Item, counter *model.Counter, step *model.Step, s shift) *write.Draft {
	if item == nil {
		return nil
	}
	own := &model.Step{Verb: model.Update, Place: step.Place, Each: 1, Action: model.Action{Entity: item.Entity, WhereAt: step.Place}}
	var theirs []*model.Attribute
	for _, a := range layout.PrimaryAttributes(item) {
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
	if counted := k.planner.Home(counter.Of); counted != nil && holdsAll(theirs, layout.PrimaryAttributes(counted)) {
		own.Each = max(step.Each, 1)
	}
	d := k.planner.Draft(&write.Transaction{Pattern: k.Pattern}, own, item)
	if counter.Shards > 1 {
		shard(d, counter)
	}
	return d
}

func holdsAll(have, wanted []*model.Attribute) bool {
	return !slices.ContainsFunc(wanted, func(a *model.Attribute) bool { return !slices.Contains(have, a) })
}

// given returns the value that an action gives an attribute of its item, or nil.
func given(step *model.Step, a *model.Attribute, s shift) *model.Operand {
	if v := action.Assigned(step, a); v != nil && !s.leaves && step.Verb == model.Update {
		return v
	}
	if c := logic.Equality(step.Where, a); c != nil {
		return &c.Values[0]
	}
	if !action.WritesWhole(step.Verb) || slices.Contains(step.Remove, a) {
		return nil
	}
	value := action.Fresh(step, a)
	return &value
}

// keep finds the write for a shift: an action of the plan on the same item, which
// DynamoDB accepts once in a transaction, or a new one.
func (k *keeper) keep(count *plan.Count, u countUpdate) {
	same := func(d *write.Draft) bool {
		return d.Item == u.draft.Item && max(d.Step.Each, 1) == u.draft.Step.Each && keytext.SameKeys(d.Key, u.draft.Key)
	}
	at := slices.IndexFunc(k.all, func(one *keeping) bool { return same(one.draft) })
	if at < 0 {
		one := &keeping{draft: u.draft, own: true}
		if i := slices.IndexFunc(k.Drafts, same); i >= 0 {
			one.draft, one.own = k.Drafts[i], false
		}
		at, k.all = len(k.all), append(k.all, one)
	}
	one := k.all[at]
	if i := slices.IndexFunc(one.tallies, func(t *tally) bool { return t.Count == count }); i >= 0 {
		one.tallies[i].join(u)
	} else {
		one.tallies = append(one.tallies, &tally{count, u.shift, u.terms, []*write.Draft{u.draft}})
	}
}

// join adds one more shift. A change that only the caller knows is one number for all of
// them.
func (t *tally) join(u countUpdate) {
	t.shift = t.shift.and(u.shift, t.Counter)
	t.terms, t.of = slices.Concat(t.terms, u.terms), append(t.of, u.draft)
	if t.told() {
		t.terms = []plan.Term{{Param: t.shift.param}}
	}
}

// told reports whether the caller gives the change.
func (t *tally) told() bool {
	return slices.ContainsFunc(t.terms, func(term plan.Term) bool { return term.Of == nil })
}
