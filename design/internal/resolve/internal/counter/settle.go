package counter

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
	"sortkey.dev/design/internal/resolve/internal/write"
)

// settle adds the tallies of an item to the transaction. Tallies whose sum is zero need no
// write, and those of a deleted item are deleted with it.
func (k *keeper) settle(one *keeping) {
	one.tallies = slices.DeleteFunc(one.tallies, func(t *tally) bool {
		if t.shift.none() && one.own {
			agree(t.of[0].Origin, t, t.of[0].PlannedWrite) // one goes and one comes, but only of the same item
		}
		return t.shift.none()
	})
	if len(one.tallies) == 0 || one.draft.Step.Verb == model.Delete && one.only(func(s shift) bool { return !s.rises }) {
		return
	}
	if !one.merges() {
		k.Report(one.twice())
		return
	}
	for _, t := range one.tallies {
		if one.draft.Step.Verb == model.Create && !t.beginsWithin() {
			k.Report(t.unbounded(one.draft))
		}
	}
	found := *one.draft.PlannedWrite // finds the item that counts, whatever the draft becomes
	k.add(one)
	if one.own {
		k.Drafts = append(k.Drafts, one.draft)
	}
	for _, t := range one.tallies {
		agree(one.draft, t, &found)
		t.Told = t.Told || t.told()
	}
}

// agree notes the values that must be the same for one update to count the writes of
// several actions.
func agree(d *write.Draft, t *tally, found *plan.PlannedWrite) {
	for _, update := range t.of {
		if update.Origin == d || update.Origin == d.Origin {
			continue // it is found by that very item
		}
		for _, a := range agreements(t.Counter, update, found) {
			if d == t.of[0].Origin {
				a.Mine = a.Theirs
			}
			if !slices.Contains(d.Agree, a) {
				d.Agree = append(d.Agree, a)
			}
		}
	}
}

// agreements returns the attributes that find the item of an update, and the values that
// the counted action and the item found give them.
func agreements(counter *model.Counter, update *write.Draft, found *plan.PlannedWrite) []plan.Agreement {
	var all []plan.Agreement
	for _, m := range counter.Match {
		value := logic.Equality(update.Step.Where, m.Mine)
		if value == nil || !slices.Contains(found.Primary, m.Mine) {
			continue
		}
		a := plan.Agreement{Mine: m.Mine, Theirs: m.Theirs, Of: update.Origin.PlannedWrite, Value: value.Values[0]}
		if own := logic.Equality(found.Step.Where, m.Mine); own != nil {
			a.Own = own.Values[0]
		}
		all = append(all, a)
	}
	return all
}

// only reports whether something holds of the shifts of all tallies.
func (one *keeping) only(holds func(shift) bool) bool {
	return !slices.ContainsFunc(one.tallies, func(t *tally) bool { return !holds(t.shift) })
}

// merges reports whether the write can carry the counters too. A new item begins with the
// numbers that are added to it; a put item has the numbers of the caller.
func (one *keeping) merges() bool {
	switch d := one.draft; d.Step.Verb {
	case model.Update:
		return true
	case model.Check:
		return d.Requirement == nil || !d.Requirement.Missing
	case model.Create:
		return one.only(func(s shift) bool { return !s.falls || s.param != "" })
	}
	return false
}

// twice returns the problem that a counter would be a second action on an item.
func (one *keeping) twice() plan.Problem {
	t, step := one.tallies[0], one.draft.Step
	e, counter := t.Entity.Name, t.Counter.Attribute.Name
	p := plan.Problem{
		Code: "L706", Place: t.Step.Place,
		Message: fmt.Sprintf("it touches the same %s twice: %s, and an update of its counter %s", e, step.Verb, counter),
		Fix:     fmt.Sprintf("keep one of the two: the %s of %s, or what %s counts", step.Verb, e, counter),
		Related: []diag.Related{{Place: step.Place, Message: "the first time"}, {Place: t.Counter.Place, Message: "counts " + t.Counter.Of.Name}},
	}
	if action.WritesWhole(step.Verb) {
		p.Fix = fmt.Sprintf("set %s in the %s of %s, which writes it anyway", counter, step.Verb, e)
	}
	return p
}

// add adds the tallies to the draft of a keeping. Steps belong to the design, so the draft
// gets a step of its own, and a check becomes an update.
func (k *keeper) add(one *keeping) {
	d, step := one.draft, *one.draft.Step
	step.Add, step.Set = slices.Clone(step.Add), slices.Clone(step.Set)
	if step.Verb == model.Check {
		step.Verb = model.Update
	} else if v := step.Entity.Version; !one.own && v != nil && touches(&step) { // it does nothing but increment the version
		step.Add = append(step.Add, &model.Addition{Attribute: v, By: exact.One, Place: step.Place})
	}
	for _, t := range one.tallies {
		d.Adds(t.Counter.Attribute, t.terms)
		if step.Verb == model.Create {
			step.Set = append(step.Set, t.begins())
		} else {
			step.Add = append(step.Add, &model.Addition{Attribute: t.Counter.Attribute, By: t.shift.by, Param: t.shift.param, Place: t.Step.Place})
			bound(d, t.Counter, t.shift)
		}
		if one.own || d.Implied != "" {
			d.Imply(ruleOf(t.Count, d.Shards))
		}
	}
	k.planner.SetStep(d, &step)
}

// touches reports whether an update changes nothing but the version.
func touches(step *model.Step) bool {
	return step.Verb == model.Update && step.IsEmpty()
}

// begins returns the value of a counter on a new item.
func (t *tally) begins() *model.Assignment {
	value := &model.Operand{Param: t.shift.param}
	if t.shift.param == "" {
		value.Constant = plan.Digits(t.shift.by)
	}
	return &model.Assignment{Attribute: t.Counter.Attribute, Value: value, Place: t.Step.Place}
}

// ruleOf names the rule that adds the update of a counter.
func ruleOf(c *plan.Count, shards int64) string {
	rule := "counter " + c.Entity.Name + "." + c.Counter.Attribute.Name
	if shards > 1 {
		rule += fmt.Sprintf(", one of %d shards", shards)
	}
	return rule
}
