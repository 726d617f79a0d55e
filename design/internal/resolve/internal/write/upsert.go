package write

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/expression"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// identity returns the clauses that give a new item the attributes that where names. Those
// that are keys of the table are in the key of the request.
func (d *Draft) identity(x *expression.Writer) []plan.Clause {
	var all []plan.Clause
	for _, c := range d.Step.Where {
		a := c.Attribute
		if c.Op == model.Eq && !a.InKey && a.Stored != d.Item.Table.PK.Name && a.Stored != d.Item.Table.SK.Name {
			all = append(all, d.assignment(x, a))
		}
	}
	return all
}

// computedKeys returns the computed attributes of the item besides its primary key.
func (d *Draft) computedKeys() []*model.Key {
	var all []*model.Key
	for _, c := range d.Item.Computed {
		if c.Name != d.Item.Table.PK.Name && c.Name != d.Item.Table.SK.Name {
			all = append(all, &model.Key{Name: c.Name, Template: c.Template, When: c.When, Place: c.Place})
		}
	}
	return all
}

// initial returns the clause that sets an attribute unless the item has it, if the caller
// gives a value.
func (d *Draft) initial(x *expression.Writer, a *model.Attribute) plan.Clause {
	value := *action.Initial(d.Step, a)
	hint := expression.Hint(&model.Condition{Attribute: a}, value)
	clause := unlessPresent(x, a.Stored, func() string { return x.Operand(hint, a, value) })
	if a.Type.Optional && value.Param != "" || a.Type.Base == model.SetOf { // DynamoDB has no empty sets
		clause.Only, clause.Own = []*model.Condition{logic.Exists(a)}, true
	}
	return clause
}

// unlessPresent returns the clause that sets an attribute unless the item has it.
func unlessPresent(x *expression.Writer, stored string, value func() string) plan.Clause {
	return set(x, stored, func() string { return fmt.Sprintf("if_not_exists(%s, %s)", x.Name(stored), value()) })
}

// orNew changes a condition of an upsert, and its alternative, so that it also holds if there
// is no item.
func (d *Draft) orNew(x *expression.Writer, clause *plan.Clause) {
	pk := d.Item.Table.PK.Name
	for c := clause; c != nil; c = c.Else {
		missing := x.Missing(pk)
		c.Or, c.Text = missing.Text, fmt.Sprintf("(%s OR %s)", missing.Text, c.Text)
		for _, n := range missing.Names {
			if !slices.Contains(c.Names, n) {
				c.Names = append(c.Names, n)
			}
		}
	}
}

// upsertProblems returns what keeps an action from being an upsert.
func (l *Planner) upsertProblems(d *Draft) []plan.Problem {
	if d.Step.Verb != model.Upsert {
		return nil
	}
	all := slices.Concat(l.ruled(d.Step), unidentified(d), unchecked(d.Step))
	if len(all) > 0 {
		return all // others follow from these
	}
	return slices.Concat(notGiven(d), unknownKeys(d))
}

// upsertProblem returns a problem of an upsert.
func upsertProblem(step *model.Step, message, fix string, related ...diag.Related) plan.Problem {
	return plan.Problem{Code: "F020", Place: step.Place, Message: message, Fix: fix, Related: related}
}

// ruled returns the rules of the entity that an upsert would break, because it does not know
// whether it makes the item.
func (l *Planner) ruled(step *model.Step) []plan.Problem {
	e := step.Entity
	for _, u := range e.Unique {
		return []plan.Problem{upsertProblem(step,
			fmt.Sprintf("an upsert of %s cannot keep %s unique: it does not know whether it makes the item or which value the item had", e.Name, plan.Names(u.Attributes)),
			fmt.Sprintf("use create for a new %s, and update to change it", e.Name),
			diag.Related{Place: u.Place, Message: "the unique value"})}
	}
	for _, owner := range l.Design().Entities {
		for _, counter := range owner.Counters {
			if counter.Of == e {
				return []plan.Problem{upsertProblem(step,
					fmt.Sprintf("an upsert of %s cannot update %s.%s: it does not know whether it makes an item that is counted", e.Name, owner.Name, counter.Attribute.Name),
					fmt.Sprintf("use create for a new %s, and update to change it", e.Name),
					diag.Related{Place: counter.Place, Message: "counts " + e.Name})}
			}
			if owner == e && action.Addition(step, counter.Attribute) != nil && (counter.Min != nil || counter.Max != nil) {
				return []plan.Problem{upsertProblem(step,
					fmt.Sprintf("nothing keeps %s of a %s that an upsert makes within its bounds", counter.Attribute.Name, e.Name),
					fmt.Sprintf("use create for a new %s, and update to add to %s", e.Name, counter.Attribute.Name),
					diag.Related{Place: counter.Place, Message: "counts " + counter.Of.Name})}
			}
		}
	}
	return nil
}

// unidentified returns the problems of where: it must give the whole id, and nothing else.
func unidentified(d *Draft) []plan.Problem {
	var all []plan.Problem
	e := d.Item.Entity
	for _, a := range e.ID {
		if logic.Equality(d.Step.Where, a) == nil && !slices.Contains(d.Primary, a) { // C309 reports parts of the key
			all = append(all, upsertProblem(d.Step, fmt.Sprintf("upsert of %s needs the whole id, and where does not give %s", e.Name, a.Name),
				fmt.Sprintf("give %s in where", a.Name)))
		}
	}
	for _, c := range d.Step.Where {
		if c.Op != model.Eq || !slices.Contains(e.ID, c.Attribute) && !slices.Contains(d.Primary, c.Attribute) {
			p := upsertProblem(d.Step, fmt.Sprintf("where of an upsert gives the id of the item, and %s is a condition on it", c),
				fmt.Sprintf("move %s to if, or to set if the upsert writes it", c.Attribute.Name))
			p.Place = c.Place
			all = append(all, p)
		}
	}
	return all
}

// unchecked returns the attributes with a lifecycle of which an upsert cannot check the
// transition. A new item begins in the first state, and the state of another stays.
func unchecked(step *model.Step) []plan.Problem {
	var all []plan.Problem
	for _, a := range step.Entity.Attributes {
		if a.Lifecycle == nil {
			continue
		}
		first := logic.FirstState(a)
		v := action.Initial(step, a)
		begins := v == nil || v.IsConstant() && v.Constant == first
		if begins && action.Assigned(step, a) == nil && !slices.Contains(step.Remove, a) {
			continue
		}
		all = append(all, upsertProblem(step,
			fmt.Sprintf("an upsert cannot check a transition of %s, because it does not know whether there is an item", a.Name),
			fmt.Sprintf("write initial: { %s: %s }, and change it with update", a.Name, first),
			diag.Related{Place: a.Lifecycle.Place, Message: "the lifecycle"}))
	}
	return all
}

// notGiven returns the problem that a new item would lack required attributes. An item
// without a set has an empty one.
func notGiven(d *Draft) []plan.Problem {
	var missing, values []string
	step, e := d.Step, d.Item.Entity
	for _, a := range e.Attributes {
		given := action.Assigned(step, a) != nil || action.Initial(step, a) != nil || action.Addition(step, a) != nil || action.Edits(step, a)
		if given || a.MayBeMissing() || a.Type.Base == model.SetOf || a == e.Version || slices.Contains(d.Primary, a) {
			continue
		}
		value := "$"
		switch {
		case a.Lifecycle != nil:
			value = logic.FirstState(a)
		case slices.ContainsFunc(e.Counters, func(c *model.Counter) bool { return c.Attribute == a }):
			value = "0"
		}
		missing, values = append(missing, a.Name), append(values, a.Name+": "+value)
	}
	if len(missing) == 0 {
		return nil
	}
	return []plan.Problem{upsertProblem(step,
		fmt.Sprintf("a %s that this upsert makes lacks %s", e.Name, strings.Join(missing, ", ")),
		fmt.Sprintf("write initial: { %s }, or set them", strings.Join(values, ", ")))}
}

// unknownKeys returns the index keys that an upsert would have to write without knowing all
// of their attributes.
func unknownKeys(d *Draft) []plan.Problem {
	var all []plan.Problem
	for _, key := range d.computedKeys() {
		for _, a := range updateKey(d.Step, key).stale {
			p := upsertProblem(d.Step,
				fmt.Sprintf("an upsert writes the key %s of %s, and does not know %s", key.Name, d.Item.Entity.Name, a.Name),
				fmt.Sprintf("set %s, or use create and update", a.Name))
			if action.Initial(d.Step, a) != nil {
				p.Message += ": the item may have another value than initial gives"
				p.Fix = fmt.Sprintf("set %s instead, or use create and update", a.Name)
			}
			all = append(all, p)
		}
	}
	return all
}
