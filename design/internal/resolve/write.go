package resolve

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// planWrite finds the primary key of every action, what it does to the indexes, and the
// writes that come along.
func (l *Layout) planWrite(p *model.Pattern) *Plan {
	plan := &Plan{Pattern: p}
	for _, step := range p.Actions() {
		item := l.Home(step.Entity)
		if item == nil {
			plan.Problems = append(plan.Problems, noHome(step.Entity, step.Place))
			continue
		}
		w := l.write(plan, onlyLooks(p, step), item)
		plan.Writes = append(plan.Writes, w)
		plan.Writes = append(plan.Writes, l.guards(plan, w)...)
	}
	for _, r := range p.Requires {
		if w := l.requirement(plan, r); w != nil {
			plan.Writes = append(plan.Writes, w)
			plan.Writes = append(plan.Writes, l.guards(plan, w)...)
		}
	}
	l.keepCounters(plan)
	return plan
}

// onlyLooks makes a check of an update that changes nothing: in a transaction DynamoDB does
// not take it.
func onlyLooks(p *model.Pattern, step *model.Step) *model.Step {
	if p.Verb != model.Transact || step.Verb != model.Update || step.Entity.Version != nil || len(step.Set)+len(step.Add)+len(step.Remove) > 0 {
		return step
	}
	check := *step
	check.Verb = model.Check
	return &check
}

// operations are the requests verbs become.
var operations = map[model.Verb]Operation{
	model.Create: PutItem, model.Put: PutItem, model.Update: UpdateItem,
	model.Delete: DeleteItem, model.Check: ConditionCheck,
}

// writesWhole reports whether the verb writes the whole item, so that its key is made
// from the item itself.
func writesWhole(v model.Verb) bool { return v == model.Create || v == model.Put }

func (l *Layout) write(plan *Plan, step *model.Step, item *model.Item) *Write {
	w := &Write{Pattern: plan.Pattern, Step: step, Operation: operations[step.Verb], Item: item}
	used := map[*model.Condition]bool{}
	var missing []*model.Attribute
	for _, name := range []model.KeyName{item.Table.PK, item.Table.SK} {
		key := item.Key(name.Name)
		if key == nil {
			continue // the table has no sort key, or the entity no value for it, which is a finding of its own
		}
		text, lacking := primaryText(step, key, used)
		w.Key = append(w.Key, keyCondition(key, model.Eq, text))
		for _, a := range lacking {
			if !slices.Contains(missing, a) {
				missing = append(missing, a)
			}
		}
	}
	if len(missing) > 0 {
		plan.Problems = append(plan.Problems, l.needsKey(step, item, missing))
	}
	for _, c := range step.Where {
		if !used[c] && !(writesWhole(step.Verb) && c.Op == model.Eq) {
			w.Checks = append(w.Checks, c)
		}
	}
	w.Checks = append(w.Checks, step.If...)
	plan.Problems = append(plan.Problems, comparesNothing(step)...)
	plan.Problems = append(plan.Problems, putOverCounters(step)...)
	plan.Problems = append(plan.Problems, keyChanges(step, item)...)
	w.Indexes = l.indexWrites(step, item)
	w.holdsKeyParts()
	w.holdsLifecycle()
	return w
}

// holdsKeyParts adds that the item has what the caller says it has, of all that only
// comes along to write a key of an index anew: the key would say something else than the
// item, and no read would notice.
func (w *Write) holdsKeyParts() {
	changed := changedBy(w.Step)
	for _, index := range w.Indexes {
		for _, a := range index.Stale {
			if !slices.Contains(changed, a) {
				w.holds(a)
			}
		}
	}
}

// primaryText is a key of the item to write, and what is missing to make it.
func primaryText(step *model.Step, key *model.Key, used map[*model.Condition]bool) (Text, []*model.Attribute) {
	var text Text
	var missing []*model.Attribute
	for _, part := range key.Parts() {
		if !part.IsHole() {
			text = text.with(literal(part.Literal))
			continue
		}
		value := fresh(step, part.Attribute)
		if c := equality(step.Where, part.Attribute); c != nil {
			value = c.Values[0]
			used[c] = used[c] || keepsValue(part)
		} else if !writesWhole(step.Verb) {
			value = model.Operand{Param: part.Attribute.Name}
			missing = append(missing, part.Attribute)
		}
		text = text.with(valueText(value, part))
	}
	return text, missing
}

// equality is the condition that gives an attribute's value, or nil.
func equality(conditions []*model.Condition, a *model.Attribute) *model.Condition {
	for _, c := range conditions {
		if c.Attribute == a && c.Op == model.Eq {
			return c
		}
	}
	return nil
}

// assigned is the value a write sets an attribute to, or nil. The equalities in where of
// an item that is written whole say what it is to be, as set does; what the item it
// replaces must be stands in if.
func assigned(step *model.Step, a *model.Attribute) *model.Operand {
	for _, s := range step.Set {
		if s.Attribute != a {
			continue
		}
		if s.Value == nil {
			return &model.Operand{Param: a.Name}
		}
		return s.Value
	}
	if c := equality(step.Where, a); c != nil && writesWhole(step.Verb) {
		return &c.Values[0]
	}
	return nil
}

// fresh is the value of an attribute of a new item: what the write sets it to, the state
// its lifecycle begins with, or a parameter.
func fresh(step *model.Step, a *model.Attribute) model.Operand {
	if v := assigned(step, a); v != nil {
		return *v
	}
	if step.Verb == model.Create && a.Lifecycle != nil {
		return model.Operand{Constant: FirstState(a)}
	}
	return model.Operand{Param: a.Name}
}

// needsKey says what a write is missing and which read could find it.
func (l *Layout) needsKey(step *model.Step, item *model.Item, missing []*model.Attribute) Problem {
	place := step.WhereAt
	if place.IsZero() {
		place = step.Place
	}
	p := Problem{
		Code: "C309", Place: place,
		Message: fmt.Sprintf("%s of %s needs its primary key, and where does not give %s", step.Verb, item.Entity.Name, names(missing)),
		Fix:     fmt.Sprintf("give %s in where", names(missing)),
		Related: []diag.Related{{Place: item.Place, Message: "the key of " + item.Entity.Name}},
	}
	if finder := l.finder(step, item.Entity); finder != "" {
		p.Fix += ", or " + finder
	}
	return p
}

// finder says how the key could be read first.
func (l *Layout) finder(step *model.Step, e *model.Entity) string {
	if len(step.Where) == 0 {
		return ""
	}
	gives := func(conditions []*model.Condition) bool {
		return !slices.ContainsFunc(conditions, func(c *model.Condition) bool { return equality(step.Where, c.Attribute) == nil })
	}
	for _, p := range l.design.Patterns {
		if plan := l.plans[p]; p.Verb == model.Get && p.Entity == e && plan != nil && plan.Served() && gives(p.Where) {
			return fmt.Sprintf("read it first by %s", p.Name)
		}
	}
	q := &question{pattern: &model.Pattern{Verb: model.Get, Action: model.Action{Entity: e}}, entity: e, where: step.Where}
	for _, entry := range l.entries[e] {
		if r := take(q, entry); len(r.partition) == len(entry.PK) && len(r.leftOver()) == 0 {
			return fmt.Sprintf("read it first through %s", entry.Path)
		}
	}
	return ""
}

// keyChanges reports what an update does to the primary key, which cannot change.
func keyChanges(step *model.Step, item *model.Item) []Problem {
	if step.Verb != model.Update {
		return nil
	}
	var problems []Problem
	report := func(a *model.Attribute, place diag.Place) {
		if !slices.Contains(PrimaryAttributes(item), a) {
			return
		}
		problems = append(problems, Problem{
			Code: "K110", Place: place,
			Message: fmt.Sprintf("%s is part of the primary key of %s and cannot be updated", a.Name, item.Entity.Name),
			Related: []diag.Related{{Place: item.Place, Message: "the key of " + item.Entity.Name}},
		})
	}
	for _, s := range step.Set {
		report(s.Attribute, s.Place)
	}
	for _, s := range step.Add {
		report(s.Attribute, s.Place)
	}
	for _, a := range step.Remove {
		report(a, step.Place)
	}
	return problems
}

// comparesNothing reports conditions of a create on the item it makes: before it there is
// none, so that only what must be missing or different holds.
func comparesNothing(step *model.Step) []Problem {
	var all []Problem
	for _, c := range step.If {
		if step.Verb == model.Create && c.Op != model.Missing && c.Op != model.Ne {
			all = append(all, Problem{
				Code: "F006", Place: c.Place,
				Message: fmt.Sprintf("%s never holds: before the create there is no %s whose %s could be compared", c, step.Entity.Name, c.Attribute.Name),
				Fix:     fmt.Sprintf("remove it, fix the new value with set: { %s: … }, or use requires for another item", c.Attribute.Name),
			})
		}
	}
	return all
}

// putOverCounters says that a put replaces what counters hold by what the caller gives.
func putOverCounters(step *model.Step) []Problem {
	for _, counter := range step.Entity.Counters {
		if step.Verb != model.Put || counter.Shards > 1 || assigned(step, counter.Attribute) != nil {
			continue
		}
		return []Problem{{
			Code: "W809", Place: step.Place,
			Message: fmt.Sprintf("put of %s replaces its counter %s by whatever the caller gives", step.Entity.Name, counter.Attribute.Name),
			Fix:     fmt.Sprintf("use create for a new %s, and update to change it", step.Entity.Name),
			Related: []diag.Related{{Place: counter.Place, Message: "counts " + counter.Of.Name}},
		}}
	}
	return nil
}

// requirement is the check or change of another item in the same transaction.
func (l *Layout) requirement(plan *Plan, r *model.Requirement) *Write {
	item := l.Home(r.Entity)
	if item == nil {
		plan.Problems = append(plan.Problems, noHome(r.Entity, r.Place))
		return nil
	}
	step := &model.Step{Verb: model.Check, Place: r.Place, Each: 1, Action: model.Action{
		Entity: r.Entity, Where: r.Where, WhereAt: r.Place, Set: r.Change, If: r.If, IfAt: r.Place,
	}}
	switch {
	case r.Consume:
		step.Verb = model.Delete
	case len(r.Change) > 0:
		step.Verb = model.Update
	}
	w := l.write(plan, step, item)
	w.Implied = "requires " + r.Entity.Name
	w.Requirement = r
	if r.Missing { // what is not there has nothing to compare
		w.Checks = slices.DeleteFunc(w.Checks, func(c *model.Condition) bool { return slices.Contains(r.Where, c) && inKey(w, c.Attribute) })
	}
	return w
}

// inKey reports whether the primary key of a write is made of an attribute, if only of a
// part of it.
func inKey(w *Write, a *model.Attribute) bool { return slices.Contains(PrimaryAttributes(w.Item), a) }
