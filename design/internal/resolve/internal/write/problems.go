package write

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// needsKey returns the problem that a write lacks a part of its primary key, with the read
// that could find it.
func (l *Planner) needsKey(step *model.Step, item *model.Item, missing []*model.Attribute) plan.Problem {
	place := step.WhereAt
	if place.IsZero() {
		place = step.Place
	}
	p := plan.Problem{
		Code: "C309", Place: place,
		Message: fmt.Sprintf("%s of %s needs its primary key, and where does not give %s", step.Verb, item.Entity.Name, plan.Names(missing)),
		Fix:     fmt.Sprintf("give %s in where", plan.Names(missing)),
		Related: []diag.Related{{Place: item.Place, Message: "the key of " + item.Entity.Name}},
	}
	if finder := l.Finder(item.Entity, step.Where); finder != "" {
		p.Fix += ", or " + finder
	}
	return p
}

// keyChanges reports updates of the primary key, which cannot change.
func keyChanges(step *model.Step, d *Draft) []plan.Problem {
	if !step.Verb.InPlace() {
		return nil
	}
	var problems []plan.Problem
	report := func(a *model.Attribute, place diag.Place) {
		if !slices.Contains(d.Primary, a) {
			return
		}
		problems = append(problems, plan.Problem{
			Code: "K110", Place: place,
			Message: fmt.Sprintf("%s is part of the primary key of %s and cannot be updated", a.Name, d.Item.Entity.Name),
			Related: []diag.Related{{Place: d.Item.Place, Message: "the key of " + d.Item.Entity.Name}},
		})
	}
	for _, s := range slices.Concat(step.Set, step.Initial) {
		report(s.Attribute, s.Place)
	}
	for _, s := range step.Add {
		report(s.Attribute, s.Place)
	}
	for _, a := range step.Remove {
		report(a, step.Place)
	}
	for _, edit := range step.Edits {
		report(edit.Attribute, edit.Place)
	}
	return problems
}

// comparesNothing reports conditions of a create on the item that it makes: there is none
// before, so that only "missing" and "different" hold.
func comparesNothing(step *model.Step) []plan.Problem {
	var all []plan.Problem
	for _, c := range step.If {
		if step.Verb != model.Create || logic.HeldByNothing(c) && !logic.ComparesSet(c) {
			continue
		}
		name := logic.Compared(c)[0].Name
		all = append(all, plan.Problem{
			Code: "F006", Place: c.Place,
			Message: fmt.Sprintf("%s never holds: before the create there is no %s whose %s could be compared", c, step.Entity.Name, name),
			Fix:     fmt.Sprintf("remove it, fix the new value with set: { %s: … }, or use requires for another item", name),
		})
	}
	return all
}

// putOverCounters reports a put that replaces counters by values of the caller.
func putOverCounters(step *model.Step) []plan.Problem {
	for _, counter := range step.Entity.Counters {
		if step.Verb != model.Put || counter.Shards > 1 || action.Assigned(step, counter.Attribute) != nil {
			continue
		}
		return []plan.Problem{{
			Code: "W809", Place: step.Place,
			Message: fmt.Sprintf("put of %s replaces its counter %s by whatever the caller gives", step.Entity.Name, counter.Attribute.Name),
			Fix:     fmt.Sprintf("use create for a new %s, and update to change it", step.Entity.Name),
			Related: []diag.Related{{Place: counter.Place, Message: "counts " + counter.Of.Name}},
		}}
	}
	return nil
}

// putOverGuard reports a put that does not know the value it replaces: the row of that
// value would stay behind, and its own row stops it when the value stays the same.
func putOverGuard(g *model.Guard, step *model.Step) plan.Problem {
	e, value := g.Entity.Name, plan.Names(g.Attributes)
	return plan.Problem{
		Code: "W809", Place: step.Place,
		Message: fmt.Sprintf("put of %s may replace one whose %s is not known, and the guard row of that value stays", e, value),
		Fix:     fmt.Sprintf("use create for a new %s, update to change it, and delete to take it away", e),
		Related: []diag.Related{{Place: g.Place, Message: "the guard"}},
	}
}

// guardOfMany reports a guard of a set: one row cannot keep its values unique.
func guardOfMany(g *model.Guard, a *model.Attribute, step *model.Step) plan.Problem {
	return plan.Problem{
		Code: "W809", Place: step.Place,
		Message: fmt.Sprintf("%s of %s is a set, and its guard is one row for all of its values", a.Name, g.Entity.Name),
		Fix:     fmt.Sprintf("give each of the %s an item of its own, and create these in the same transaction with each", a.Name),
		Related: []diag.Related{{Place: g.Place, Message: "the guard"}},
	}
}

// addToGuarded reports an addition to a guarded value: the request cannot know the value
// whose row is to be written.
func addToGuarded(g *model.Guard, add *model.Addition) plan.Problem {
	return plan.Problem{
		Code: "W809", Place: add.Place,
		Message: fmt.Sprintf("add makes %s of %s a value that is not known before, and its guard row has to be written with it", add.Attribute.Name, g.Entity.Name),
		Fix:     fmt.Sprintf("set %s to the new value instead", add.Attribute.Name),
		Related: []diag.Related{{Place: g.Place, Message: "the guard"}},
	}
}
