// Package write plans the writes of a design: the primary key of every action, its effect
// on each index, the guard rows and required items written along, and the statements.
//
// It knows neither how a query is proved nor how a counter is kept: room counter adds to
// the drafts made here.
package write

import (
	"cmp"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/layout"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// A Planner plans the writes of a design.
type Planner struct {
	*layout.Items
	// Finder says how a read could find the key of an entity by conditions; "" if none can.
	Finder func(e *model.Entity, where []*model.Condition) string
}

// A Transaction holds the writes of one pattern while they are planned.
type Transaction struct {
	Pattern  *model.Pattern
	Drafts   []*Draft
	Counts   []*plan.Count
	Problems []plan.Problem
}

// Report adds problems of the pattern.
func (t *Transaction) Report(problems ...plan.Problem) { t.Problems = append(t.Problems, problems...) }

// Complete returns the plan of the pattern.
func (t *Transaction) Complete() *plan.Plan {
	made := &plan.Plan{Pattern: t.Pattern, Problems: t.Problems, Counts: t.Counts}
	for _, d := range t.Drafts {
		d.complete()
		made.Writes = append(made.Writes, d.PlannedWrite)
	}
	return made
}

// Plan drafts the actions of a pattern, the items that it requires, and their guard rows.
func (l *Planner) Plan(p *model.Pattern) *Transaction {
	t := &Transaction{Pattern: p}
	for _, step := range p.Actions() {
		if item := l.Home(step.Entity); item != nil {
			l.add(t, l.Draft(t, onlyChecks(p, step), item))
		} else {
			t.Report(plan.NoHome(step.Entity, step.Place))
		}
	}
	for _, r := range p.Requires {
		if item := l.Home(r.Entity); item != nil {
			l.add(t, l.requirement(t, r, item))
		} else {
			t.Report(plan.NoHome(r.Entity, r.Place))
		}
	}
	return t
}

// add adds a draft and its guard rows to a transaction.
func (l *Planner) add(t *Transaction, d *Draft) {
	t.Drafts = append(t.Drafts, d)
	t.Drafts = append(t.Drafts, l.guards(t, d)...)
}

// onlyChecks makes a check of an update that changes nothing, which DynamoDB does not
// accept in a transaction.
func onlyChecks(p *model.Pattern, step *model.Step) *model.Step {
	if p.Verb != model.Transact || step.Verb != model.Update || step.Entity.Version != nil || !step.IsEmpty() {
		return step
	}
	check := *step
	check.Verb = model.Check
	return &check
}

// operations maps verbs to the requests that they become.
var operations = map[model.Verb]plan.Operation{
	model.Create: plan.PutItem, model.Put: plan.PutItem, model.Update: plan.UpdateItem, model.Upsert: plan.UpdateItem,
	model.Delete: plan.DeleteItem, model.Check: plan.ConditionCheck,
}

// Draft drafts the write of one action and reports its problems to the transaction.
func (l *Planner) Draft(t *Transaction, step *model.Step, item *model.Item) *Draft {
	d := &Draft{PlannedWrite: &plan.PlannedWrite{Pattern: t.Pattern, Item: item, Primary: layout.PrimaryAttributes(item)}}
	used := map[*model.Condition]bool{}
	var missing []*model.Attribute
	for _, key := range layout.PrimaryKeys(item) {
		text, lacking := primaryText(step, key, used)
		d.Key = append(d.Key, keytext.NewCondition(key, model.Eq, text))
		for _, a := range lacking {
			if !slices.Contains(missing, a) {
				missing = append(missing, a)
			}
		}
	}
	if len(missing) > 0 {
		t.Report(l.needsKey(step, item, missing))
	}
	for _, c := range step.Where {
		if !used[c] && !(action.WritesWhole(step.Verb) && c.Op == model.Eq) {
			d.Checks = append(d.Checks, c)
		}
	}
	d.Checks = append(d.Checks, step.If...)
	t.Report(comparesNothing(step)...)
	t.Report(putOverCounters(step)...)
	t.Report(keyChanges(step, d)...)
	l.SetStep(d, step)
	t.Report(l.upsertProblems(d)...)
	t.Report(editProblems(step)...)
	t.Report(l.patchProblems(d)...)
	d.holdKeyParts()
	d.holdLifecycle()
	return d
}

// SetStep gives a draft its step: the operation and the effect on the indexes follow.
func (l *Planner) SetStep(d *Draft, step *model.Step) {
	d.Step, d.Operation = step, operations[step.Verb]
	d.Indexes = l.indexWrites(step, d.Item)
}

// primaryText returns the text of a key of the item to write, and the attributes that are
// missing to make it. It notes the conditions used.
func primaryText(step *model.Step, key *model.Key, used map[*model.Condition]bool) (keytext.Text, []*model.Attribute) {
	var text keytext.Text
	var missing []*model.Attribute
	for _, part := range key.Parts() {
		if !part.IsHole() {
			text = text.With(keytext.Literal(part.Literal))
			continue
		}
		value := action.Fresh(step, part.Attribute)
		if c := logic.Equality(step.Where, part.Attribute); c != nil {
			value = c.Values[0]
			used[c] = used[c] || keytext.KeepsValue(part)
		} else if !action.WritesWhole(step.Verb) {
			value = model.Operand{Param: part.Attribute.Name}
			missing = append(missing, part.Attribute)
		}
		text = text.With(keytext.Hole(value, part))
	}
	return text, missing
}

// requirement drafts the check or change of another item in the same transaction.
func (l *Planner) requirement(t *Transaction, r *model.Requirement, item *model.Item) *Draft {
	step := &model.Step{Verb: model.Check, Place: r.Place, Each: 1, Action: model.Action{
		Entity: r.Entity, Where: r.Where, WhereAt: cmp.Or(r.WhereAt, r.Place), Set: r.Change, If: r.If, IfAt: r.Place,
	}}
	switch {
	case r.Consume:
		step.Verb = model.Delete
	case len(r.Change) > 0:
		step.Verb = model.Update
	}
	d := l.Draft(t, step, item)
	d.Implied = "requires " + r.Entity.Name
	d.Requirement = r
	if r.Missing { // an absent item has nothing to compare
		d.Checks = slices.DeleteFunc(d.Checks, func(c *model.Condition) bool {
			return slices.Contains(r.Where, c) && slices.Contains(d.Primary, c.Attribute)
		})
	}
	return d
}
