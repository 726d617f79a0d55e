package arrange

import (
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A mode says how the values of one call are chosen.
type mode int

const (
	exactly    mode = iota // values that items have
	around                 // ranges that begin and end at values items have
	beside                 // ranges that just miss the values items have, at either end
	one                    // ranges of one value
	nothing                // values no item has
	everything             // ranges that hold all
	modes
)

// ReadArguments chooses arguments for the n-th call of a read: mostly the values of an
// existing item, so that something is found, and ranges that end at or just beside values
// of items.
func (ar *Arranger) ReadArguments(c *program.Call, n int) *bind.Arguments {
	if len(c.Parts) > 0 {
		return ar.snapshotArguments(c, n)
	}
	entity := c.Read.Entities[n%len(c.Read.Entities)]
	return ar.argumentsFor(c, entity, ar.target(c, entity), mode(n%int(modes)), n)
}

// argumentsFor chooses arguments that find a target, unless the mode says otherwise.
func (ar *Arranger) argumentsFor(c *program.Call, entity *model.Entity, target *state.Row, m mode, n int) *bind.Arguments {
	p, a := c.Pattern, bind.NewArguments()
	for _, condition := range model.Comparisons(slices.Concat(p.Where, p.Filter)) {
		own := entity.Attribute(condition.Attribute.Name)
		for i, operand := range condition.Values {
			if operand.Param == "" {
				continue
			}
			input := c.Ref(nil, operand.Param, condition.Attribute).Input
			if input.Kind == program.List {
				a.Lists[input] = ar.several(c, entity, own, target, m, n)
				continue
			}
			a.Values[input] = ar.argument(c, entity, own, target, condition, i, m)
		}
	}
	ar.straighten(c, a)
	ar.fitSpans(c, a, n)
	return a
}

// target returns a random row of an entity that meets the constant conditions of a pattern,
// or any row if none does, or nil. Mostly it has all attributes that the pattern compares.
func (ar *Arranger) target(c *program.Call, e *model.Entity) *state.Row {
	constants := constantConditions(c, e)
	rows := ar.tables.Of(e)
	fit := slices.DeleteFunc(slices.Clone(rows), func(r *state.Row) bool { return !r.Values.Holds(constants) })
	if len(fit) == 0 {
		fit = rows
	}
	if len(fit) == 0 {
		return nil
	}
	compared := comparedAttributes(c, e)
	full := slices.DeleteFunc(slices.Clone(fit), func(r *state.Row) bool { return !hasAll(r.Values, compared) })
	if len(full) > 0 && len(full) < len(fit) && ar.rng.IntN(4) > 0 {
		fit = full
	}
	return fit[ar.rng.IntN(len(fit))]
}

// argument chooses the i-th value of a condition.
func (ar *Arranger) argument(c *program.Call, e *model.Entity, own *model.Attribute, target *state.Row, condition *model.Condition, i int, m mode) sample.Value {
	if target == nil {
		return ar.unlike(own, sample.Value{})
	}
	have, ok := target.Values[own]
	if !ok {
		have = ar.anyValue(e, own)
	}
	if !condition.Op.IsRange() || condition.Op == model.BeginsWith {
		switch {
		case resolve.ComparesSet(condition) && ar.rng.IntN(3) == 0:
			return ar.emptied(own)
		case m == nothing:
			return ar.unlike(own, have)
		case condition.Op == model.BeginsWith && have.Kind == sample.Text && have.Text != "":
			runes := []rune(have.Text)
			return sample.Value{Kind: sample.Text, Text: string(runes[:1+ar.rng.IntN(len(runes))])}
		}
		return have
	}
	return ar.end(ar.inReach(c, e, own, target), own, condition, i, m)
}

// inReach returns the values of an attribute, sorted, of the items that have the target's
// values of all attributes the pattern compares for equality.
func (ar *Arranger) inReach(c *program.Call, e *model.Entity, own *model.Attribute, target *state.Row) []sample.Value {
	var all []sample.Value
	for _, r := range ar.tables.Of(e) {
		same := true
		for _, condition := range c.Pattern.Where {
			a := e.Attribute(condition.Attribute.Name)
			if condition.Op == model.Eq && a != nil && r.Values[a].String() != target.Values[a].String() {
				same = false
			}
		}
		if value, ok := r.Values[own]; ok && same {
			all = append(all, value)
		}
	}
	slices.SortFunc(all, sample.Value.Compare)
	return slices.CompactFunc(all, func(a, b sample.Value) bool { return a.Compare(b) == 0 })
}

// end chooses one end of a range.
func (ar *Arranger) end(values []sample.Value, own *model.Attribute, condition *model.Condition, i int, m mode) sample.Value {
	if len(values) == 0 {
		return ar.unlike(own, sample.Value{})
	}
	upper := i == 1 || condition.Op == model.Lt || condition.Op == model.Lte
	at := values[ar.rng.IntN(len(values))]
	switch m {
	case everything:
		if upper {
			return stepBy(values[len(values)-1], own, 1)
		}
		return stepBy(values[0], own, -1)
	case one:
		return values[len(values)/2]
	case beside:
		if upper {
			return stepBy(at, own, -1)
		}
		return stepBy(at, own, 1)
	}
	return at
}

// straighten exchanges the ends of inverted ranges, which DynamoDB refuses.
func (ar *Arranger) straighten(c *program.Call, a *bind.Arguments) {
	for _, condition := range model.Comparisons(slices.Concat(c.Pattern.Where, c.Pattern.Filter)) {
		if condition.Op != model.Between || condition.Values[0].Param == "" || condition.Values[1].Param == "" {
			continue
		}
		low := c.Ref(nil, condition.Values[0].Param, condition.Attribute).Input
		high := c.Ref(nil, condition.Values[1].Param, condition.Attribute).Input
		if a.Values[low].Compare(a.Values[high]) > 0 {
			a.Values[low], a.Values[high] = a.Values[high], a.Values[low]
		}
	}
}

// several chooses the values of a list: of a few items, one that no item has, one twice;
// now and then none.
func (ar *Arranger) several(c *program.Call, e *model.Entity, own *model.Attribute, target *state.Row, m mode, n int) []sample.Value {
	if n%11 == 10 || target == nil {
		return nil
	}
	var all []sample.Value
	if value, ok := target.Values[own]; ok {
		all = append(all, value)
	}
	if m == one {
		return all
	}
	rows := ar.tables.Of(e)
	for range 1 + ar.rng.IntN(4) {
		if value, ok := rows[ar.rng.IntN(len(rows))].Values[own]; ok {
			all = append(all, value)
		}
	}
	if len(all) == 0 { // none of them has the attribute
		return append(all, ar.unlike(own, sample.Value{}))
	}
	if own.Type.Base != model.Enum && m != exactly {
		all = append(all, ar.unlike(own, all[0]))
	}
	if m == around {
		all = append(all, all[0])
	}
	return all
}

// anyValue returns the value of a random item, or one that no item has.
func (ar *Arranger) anyValue(e *model.Entity, a *model.Attribute) sample.Value {
	rows := ar.tables.Of(e)
	for range len(rows) {
		if value, ok := rows[ar.rng.IntN(len(rows))].Values[a]; ok {
			return value
		}
	}
	return ar.unlike(a, sample.Value{})
}
