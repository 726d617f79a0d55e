package cost

import (
	"cmp"
	"slices"
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// mostValues is the maximum number of values of a key of enums and flags that are
// distinguished.
const mostValues = 32

// A reach describes which values of a key a load reaches, "" for any, and the share of the load
// on each of them.
type reach struct {
	values []string
	share  exact.Number
	stated bool // the design states the value, so the whole load is on it
}

// anyValue returns the reach of a load whose hottest value has a share of it.
func anyValue(share exact.Number) reach { return reach{values: []string{""}, share: share} }

// statedValue returns the reach of a load on the one value of a key that a design states, as
// where: { name: hits } does. It returns false if a part of the key comes from the caller.
func statedValue(keys []*model.Key, constant func(*model.Attribute) string) (reach, bool) {
	var values []string
	for _, key := range keys {
		for _, part := range key.Parts() {
			if _, shard := part.Filter(model.Shard); !part.IsHole() || shard {
				continue
			}
			value := constant(part.Attribute)
			if value == "" {
				return reach{}, false
			}
			values = append(values, value)
		}
	}
	return reach{values: []string{strings.Join(values, ", ")}, share: exact.One, stated: true}, len(values) > 0
}

// keyAttributes returns the attributes of all keys.
func keyAttributes(keys []*model.Key) []*model.Attribute {
	var all []*model.Attribute
	for _, key := range keys {
		all = append(all, key.Attributes()...)
	}
	return all
}

// keyConstants returns a function for the constants in the key of a write that no step states,
// such as that of a counter.
func keyConstants(w *resolve.PlannedWrite) func(*model.Attribute) string {
	return func(a *model.Attribute) string {
		for _, key := range w.Key {
			for _, part := range key.Low {
				if part.Attribute == a && part.Value != nil && part.Value.IsConstant() {
					return part.Value.Constant
				}
			}
		}
		return ""
	}
}

// constantsOf returns a function for the constants that conditions compare attributes with.
func constantsOf(conditions []*model.Condition) func(*model.Attribute) string {
	return func(a *model.Attribute) string {
		for _, c := range conditions {
			if c.Attribute == a && c.Op == model.Eq && c.Values[0].IsConstant() {
				return c.Values[0].Constant
			}
		}
		return ""
	}
}

// read adds a read to the hottest partition it reaches. Queries over several values each
// reach another value; queries over shards each reach another shard of the same value.
func (m *heatMap) read(c *PatternCost, r *resolve.Read, units exact.Number, queries, shards int64) {
	s := m.shape(r.Entry)
	to := s.reads(r.Entry, cmp.Or(r.Pattern, c.Pattern))
	if hot, ok := HotShare(c.Pattern, keyAttributes(r.Entry.PK), m.items.options); ok && !to.stated {
		to.share = hot
	}
	if queries > shards {
		to.share = to.share.Times(queries / shards).Min(exact.One)
	}
	if shards < s.shards {
		to.share = to.share.Over(s.shards / shards)
	}
	m.add(c, r.Entry, to, to.share.Mul(units), exact.Zero)
}

// reads returns the values of a key that a pattern reads.
func (s *shape) reads(e *resolve.Entry, p *model.Pattern) reach {
	if to, ok := statedValue(e.PK, constantsOf(p.Where)); ok {
		return to
	}
	if len(s.states) > 0 {
		return s.spread(s.base(false), func(a *model.Attribute) []string { return statesLeft(a, p.Where) })
	}
	return anyValue(s.hot)
}

// add adds a load to each partition of a reach.
func (m *heatMap) add(c *PatternCost, e *resolve.Entry, to reach, read, write exact.Number) {
	for _, value := range to.values {
		if hottest := m.partitionOf(e, value); hottest != nil {
			hottest.stated = hottest.stated || to.stated
			hottest.add(c, read, write)
		}
	}
}

// write adds a write of a table's item to the hottest partition it reaches.
func (m *heatMap) write(c *PatternCost, w *resolve.PlannedWrite, units int64) {
	if w.Guard != nil {
		return // one row per value: never hot
	}
	if entry := m.items.entryOn(w.Item.Entity, resolve.Path{Table: w.Item.Table}); entry != nil {
		m.writeEntry(c, w, entry, exact.Zero, exact.Int(units))
	}
}

// writeEntry adds a write of an item or an index entry to the hottest partitions it reaches: the
// units of what goes to that of the old key, of what comes to that of the new one.
func (m *heatMap) writeEntry(c *PatternCost, w *resolve.PlannedWrite, e *resolve.Entry, gone, came exact.Number) {
	s, n := m.shape(e), repeated(w)
	before, after := m.landing(c.Pattern, w, e, s)
	if gone.Sign() > 0 {
		m.writeReach(c, w, e, before, gone.Over(n))
	} else if leaves(w, e, s) {
		after = before
	}
	m.writeReach(c, w, e, after, came.Over(n))
}

// writeReach adds the write of one item and its repetitions.
func (m *heatMap) writeReach(c *PatternCost, w *resolve.PlannedWrite, e *resolve.Entry, to reach, units exact.Number) {
	s, n := m.shape(e), repeated(w)
	// A new item with its own partition is never the hottest key, regardless of hot, which is
	// about keys that calls share.
	fresh := s.single && w.Step != nil && w.Step.Verb == model.Create
	hot, stated := HotShare(c.Pattern, keyAttributes(e.PK), m.items.options)
	stated = stated && !fresh && !to.stated
	if stated {
		to.share = hot
	}
	switch together := n > 1 && (to.stated || sharePartition(c.Pattern, w, e, s)); {
	case together:
		units = units.Times(n)
	case n > 1 && !stated: // any of them may have the hottest key, but only one does
		to.share = to.share.Times(n).Min(exact.One)
	}
	reaching := to.share.Mul(units).Mul(fits(c, w, s, to.share))
	if s.shards > 1 {
		reaching = reaching.Over(s.shards)
	}
	m.add(c, e, to, exact.Zero, reaching)
}

// isNew reports whether all items a write creates have the key of the current time.
func (s *shape) isNew(w *resolve.PlannedWrite) bool {
	if !s.now || w.Step == nil {
		return false
	}
	return w.Step.Verb == model.Put || w.Step.Verb == model.Upsert || w.Step.Verb == model.Create && !s.single
}

// sharePartition reports whether the repeated items of a step are in one partition: another
// action of the transaction has the attributes of the key, as an order has those of its
// lines. In contrast, fifty memberships of one room belong to fifty users.
func sharePartition(p *model.Pattern, w *resolve.PlannedWrite, e *resolve.Entry, s *shape) bool {
	if s.single {
		return false
	}
	others := slices.DeleteFunc(slices.Clone(p.Steps), func(step *model.Step) bool { return step == w.Step })
	if len(others)+len(p.Requires) == 0 {
		return true
	}
	for _, key := range e.PK {
		for _, part := range key.Parts() {
			if _, shard := part.Filter(model.Shard); !part.IsHole() || shard || isTime(part) || possible(part.Attribute.Type) > 0 {
				continue
			}
			if !knownElsewhere(part.Attribute.Name, others, p.Requires) {
				return false
			}
		}
	}
	return true
}

func knownElsewhere(name string, steps []*model.Step, requires []*model.Requirement) bool {
	names := func(c *model.Condition) bool { return c.Attribute.Name == name }
	return slices.ContainsFunc(steps, func(step *model.Step) bool {
		made := (step.Verb == model.Create || step.Verb == model.Put) && step.Each <= 1
		return made && step.Entity.Attribute(name) != nil || slices.ContainsFunc(step.Where, names)
	}) || slices.ContainsFunc(requires, func(r *model.Requirement) bool { return slices.ContainsFunc(r.Where, names) })
}

// fits returns the share of a pattern's new items in one second that the hottest partition
// can hold: it never has more items than the stated maximum.
func fits(c *PatternCost, w *resolve.PlannedWrite, s *shape, hot exact.Number) exact.Number {
	arriving := c.Peak.Mul(hot)
	creates := w.Step != nil && w.Step.Verb == model.Create
	if !creates || s.largest.IsZero() || !s.largest.Less(arriving) {
		return exact.One
	}
	room, ok := s.largest.Div(arriving)
	if !ok {
		return exact.One
	}
	return room
}

// base returns the share of a load on the hottest time of a key with states.
func (s *shape) base(isNew bool) exact.Number {
	if isNew || s.even {
		return exact.One
	}
	return s.hot
}

// spread divides a load evenly over all combinations of values of the states.
func (s *shape) spread(share exact.Number, of func(*model.Attribute) []string) reach {
	to := reach{share: share}
	for i, a := range s.states {
		values := of(a)
		to.share = to.share.Over(max(int64(len(values)), 1))
		if i == 0 {
			to.values = values
			continue
		}
		var longer []string
		for _, head := range to.values {
			for _, value := range values {
				longer = append(longer, head+", "+value)
			}
		}
		to.values = longer
	}
	return to
}

// landing returns the values of the key of an item before and after a write.
func (m *heatMap) landing(pattern *model.Pattern, w *resolve.PlannedWrite, e *resolve.Entry, s *shape) (before, after reach) {
	if len(s.states) == 0 {
		return s.landing(w, e)
	}
	share := s.base(s.isNew(w))
	known := conditionsOf(pattern, w.Step)
	before = s.spread(share, func(a *model.Attribute) []string { return statesBefore(a, w.Step, known) })
	after = s.spread(share, func(a *model.Attribute) []string { return m.statesAfter(a, w.Step, known) })
	return before, after
}

// landing returns the values of a key without states: those a step states, else any.
func (s *shape) landing(w *resolve.PlannedWrite, e *resolve.Entry) (before, after reach) {
	hot := s.hot
	if s.isNew(w) {
		hot = s.newest
	}
	before, after = anyValue(hot), anyValue(hot)
	where := keyConstants(w)
	if w.Step != nil {
		where = constantsOf(w.Step.Where)
	}
	if to, ok := statedValue(e.PK, where); ok {
		before = to
	}
	set := func(a *model.Attribute) string { return cmp.Or(constantOf(w.Step, a), where(a)) }
	if to, ok := statedValue(e.PK, set); ok {
		after = to
	}
	return before, after
}

// conditionsOf returns the conditions an item meets before a step: those of the step and
// those of the reads it is based on.
func conditionsOf(pattern *model.Pattern, step *model.Step) []*model.Condition {
	if step == nil {
		return nil
	}
	known := slices.Concat(step.Where, step.If)
	for _, read := range pattern.BasedOn {
		if read.Entity == step.Entity {
			known = slices.Concat(known, read.Where)
		}
		for _, part := range read.Parts {
			if part.Entity == step.Entity {
				known = slices.Concat(known, part.Where)
			}
		}
	}
	return known
}

// statesBefore returns the values an item can have before a step: those its conditions
// allow, else those with a transition to the new value.
func statesBefore(a *model.Attribute, step *model.Step, known []*model.Condition) []string {
	left, named := resolve.StatesLeft(a, known)
	if named && left != nil {
		return slices.DeleteFunc(valuesOf(a), func(value string) bool { return !left[value] })
	}
	to := constantOf(step, a)
	from := slices.DeleteFunc(valuesOf(a), func(value string) bool {
		return value == to || to != "" && a.Lifecycle != nil && !a.Lifecycle.Allows(value, to)
	})
	if len(from) == 0 {
		return valuesOf(a)
	}
	return from
}

// statesAfter returns the values an item can have after a step.
func (m *heatMap) statesAfter(a *model.Attribute, step *model.Step, known []*model.Condition) []string {
	switch to := constantOf(step, a); {
	case to != "":
		return []string{to}
	case step == nil || step.Verb == model.Put || step.Verb == model.Upsert || sets(step, a):
		return valuesOf(a)
	case step.Verb == model.Create && m.isState(step.Entity, a):
		return []string{resolve.FirstState(a)}
	case step.Verb == model.Create:
		return valuesOf(a)
	}
	return statesBefore(a, step, known)
}

// isState reports whether an enum has an initial value and later changes, as a status does
// and a category does not.
func (m *heatMap) isState(entity *model.Entity, a *model.Attribute) bool {
	if a.Type.Base != model.Enum {
		return false
	}
	name := strings.ToLower(a.Name)
	called := slices.ContainsFunc([]string{"status", "state", "stage", "phase"}, func(word string) bool { return strings.HasSuffix(name, word) })
	return called || a.Lifecycle != nil || slices.ContainsFunc(m.design.Patterns, func(pattern *model.Pattern) bool {
		return slices.ContainsFunc(pattern.Actions(), func(step *model.Step) bool {
			return step.Entity == entity && step.Verb.InPlace() && constantOf(step, a) != ""
		})
	})
}

// leaves reports whether a write removes an item from an index that contains only some of
// the states.
func leaves(w *resolve.PlannedWrite, e *resolve.Entry, s *shape) bool {
	return slices.ContainsFunc(s.states, func(a *model.Attribute) bool {
		to := constantOf(w.Step, a)
		left, _ := resolve.StatesLeft(a, e.When())
		return to != "" && left != nil && !left[to]
	})
}

// statesLeft returns the values that conditions allow.
func statesLeft(a *model.Attribute, conditions []*model.Condition) []string {
	left, _ := resolve.StatesLeft(a, conditions)
	if left == nil {
		return valuesOf(a)
	}
	return slices.DeleteFunc(valuesOf(a), func(value string) bool { return !left[value] })
}

// valuesOf returns all values of an enum or a flag.
func valuesOf(a *model.Attribute) []string {
	if a.Type.Base == model.Bool {
		return []string{"false", "true"}
	}
	return slices.Clone(a.Type.Values)
}

func sets(step *model.Step, a *model.Attribute) bool {
	return slices.ContainsFunc(step.Set, func(set *model.Assignment) bool { return set.Attribute == a })
}

// constantOf returns the constant a step sets an attribute to, or "".
func constantOf(step *model.Step, a *model.Attribute) string {
	if step == nil {
		return ""
	}
	for _, set := range step.Set {
		if set.Attribute == a && set.Value != nil && set.Value.IsConstant() {
			return set.Value.Constant
		}
	}
	return ""
}
