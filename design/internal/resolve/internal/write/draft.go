package write

import (
	"cmp"
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/action"
	"sortkey.dev/design/internal/resolve/internal/logic"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// A Draft is a write while the plan of its pattern is made. Guards and counters change it.
type Draft struct {
	*plan.PlannedWrite
	Origin      *Draft             // the action that this one is implied by, or nil
	Kind        string             // the value of the type attribute of the table; "": the name of the entity
	Counted     bool               // a counter or a guard changes with it, so a delete must find the item
	FromNothing []*model.Condition // those of Checks that an absent number fulfils too

	optional []*model.Attribute                // guarded attributes that may be absent
	held     []*model.Condition                // those of Checks that compare a guarded value
	terms    map[*model.Attribute][]plan.Term  // the parts of what is added to counters
	limits   map[*model.Condition]exact.Number // of those of Checks that keep a counter within its bounds
}

// ImpliedBy sets the action that a draft is implied by.
func (d *Draft) ImpliedBy(origin *Draft) {
	d.Origin, d.PlannedWrite.Origin = origin, origin.PlannedWrite
}

// Imply adds a rule to those that add the write.
func (d *Draft) Imply(rule string) {
	if d.Implied != "" {
		rule = d.Implied + ", " + rule
	}
	d.Implied = rule
}

// Adds sets the parts of what the write adds to a counter.
func (d *Draft) Adds(counter *model.Attribute, terms []plan.Term) {
	if d.terms == nil {
		d.terms = map[*model.Attribute][]plan.Term{}
	}
	d.terms[counter] = terms
}

// added returns the parts of what is added to an attribute.
func (d *Draft) added(a *model.Attribute) []plan.Term {
	if terms := d.terms[a]; terms != nil {
		return terms
	}
	if add := action.Addition(d.Step, a); add != nil {
		return []plan.Term{{By: add.By, Param: add.Param}}
	}
	return nil
}

// Limit adds a condition that keeps a counter within a limit.
func (d *Draft) Limit(c *model.Condition, limit exact.Number) {
	if d.limits == nil {
		d.limits = map[*model.Condition]exact.Number{}
	}
	d.limits[c] = limit
	d.Checks = append(d.Checks, c)
}

// hold adds the condition that the item has the value that the caller says it has.
func (d *Draft) hold(a *model.Attribute) {
	known := logic.Equality(action.Known(d.Step), a) != nil || logic.Equality(d.held, a) != nil || logic.Absent(d.Step.If, a)
	if known {
		return
	}
	if a.Type.Optional {
		d.optional = append(d.optional, a)
	}
	held := &model.Condition{Attribute: a, Op: model.Eq, Values: []model.Operand{action.Old(d.Step, a)}, Place: d.Step.Place}
	d.held = append(d.held, held)
	d.Checks = append(d.Checks, held)
}

// holdKeyParts adds the condition that the item has the values that only come along to
// write a key of an index: otherwise the key would differ from the item, and no read
// would notice.
func (d *Draft) holdKeyParts() {
	changed := action.Changed(d.Step)
	for _, index := range d.Indexes {
		for _, a := range index.Stale {
			if !slices.Contains(changed, a) {
				d.hold(a)
			}
		}
	}
}

// typeName returns the value of the attribute that tells items apart.
func (d *Draft) typeName() string { return cmp.Or(d.Kind, d.Item.Entity.TypeName()) }

// expects returns what must be true of the presence of the item. The first write of a
// shard creates it.
func (d *Draft) expects() plan.Expectation {
	verb := d.Step.Verb
	switch {
	case verb == model.Create || d.Requirement != nil && d.Requirement.Missing:
		return plan.Absent
	case d.Shards > 1:
	case verb == model.Update || verb == model.Check || d.Requirement != nil || verb == model.Delete && (d.Counted || d.heldByNothing()):
		return plan.Present
	}
	return plan.Anything
}

// heldByNothing reports whether there are conditions and an absent item fulfils them all:
// it differs from every value, and lacks every attribute, also that of an empty set.
func (d *Draft) heldByNothing() bool {
	return len(d.Checks) > 0 && !d.locked() && !slices.ContainsFunc(d.Checks, func(c *model.Condition) bool { return !logic.HeldByNothing(c) })
}

// locked reports whether the condition compares the version that the caller saw.
func (d *Draft) locked() bool {
	v := d.Item.Entity.Version
	if v == nil || action.OnlyAdds(d.Step) || logic.Equality(action.Known(d.Step), v) != nil {
		return false
	}
	return d.Step.Verb == model.Update || d.Step.Verb == model.Delete || d.Step.Verb == model.Put
}

// stored returns the value that an item written whole gets for an attribute.
func (d *Draft) stored(a *model.Attribute) model.Operand {
	value := action.Fresh(d.Step, a)
	if action.Assigned(d.Step, a) != nil {
		return value
	}
	counts := slices.ContainsFunc(d.Item.Entity.Counters, func(c *model.Counter) bool { return c.Attribute == a && c.Shards <= 1 })
	switch {
	case counts && d.Step.Verb == model.Create:
		return model.Operand{Constant: "0"} // nothing is counted yet
	case a != d.Item.Entity.Version:
		return value
	}
	switch d.Step.Verb {
	case model.Create:
		return model.Operand{Constant: "1"}
	case model.Put:
		value.Param += "_next" // the current version is in the condition
	}
	return value
}

// complete gives the write its statement and the facts that follow from it.
func (d *Draft) complete() {
	facts := plan.Facts{Expects: d.expects(), Locked: d.locked(), Transitions: d.transitions(), Bounds: d.limits}
	facts.Unheld = d.unheld(facts.Transitions)
	if d.Operation == plan.PutItem {
		facts.Stored = make(map[*model.Attribute]model.Operand, len(d.Item.Entity.Attributes))
		for _, a := range d.Item.Entity.Attributes {
			facts.Stored[a] = d.stored(a)
		}
	}
	d.Complete(d.statement(facts), facts)
}
