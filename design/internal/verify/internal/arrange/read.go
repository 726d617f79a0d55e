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

// A mode is how a run chooses its values.
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

// ReadArguments chooses arguments for the n-th run of a read: mostly those of an item
// that is there, so that something is found, and ranges whose ends are values items have
// or just miss.
func (v *Arranger) ReadArguments(c *program.Call, n int) *bind.Arguments {
	entity := c.Read.Entities[n%len(c.Read.Entities)]
	return v.readArgumentsFor(c, entity, v.target(c, entity), mode(n%int(modes)), n)
}

// readArgumentsFor chooses arguments that find one item, unless the mode says otherwise.
func (v *Arranger) readArgumentsFor(c *program.Call, entity *model.Entity, target *state.Row, m mode, n int) *bind.Arguments {
	p, a := c.Pattern, bind.NewArguments()
	for _, condition := range slices.Concat(p.Where, p.Filter) {
		own := entity.Attribute(condition.Attribute.Name)
		for i, operand := range condition.Values {
			if operand.Param == "" {
				continue
			}
			input := c.Ref(nil, operand.Param, condition.Attribute).Input
			if input.Kind == program.List {
				a.Lists[input] = v.several(c, entity, own, target, m, n)
				continue
			}
			a.Values[input] = v.argument(c, entity, own, target, condition, i, m)
		}
	}
	v.straighten(c, a)
	return a
}

// target is an item of the entity that fits the constants of the pattern, or any, or nil.
// Mostly it has all that the pattern compares.
func (v *Arranger) target(c *program.Call, e *model.Entity) *state.Row {
	constants := constantConditions(c, e)
	rows := v.state.Of(e)
	fit := slices.DeleteFunc(slices.Clone(rows), func(r *state.Row) bool { return !r.Values.Holds(constants) })
	if len(fit) == 0 {
		fit = rows
	}
	if len(fit) == 0 {
		return nil
	}
	compared := comparedAttributes(c, e)
	full := slices.DeleteFunc(slices.Clone(fit), func(r *state.Row) bool { return !hasAll(r.Values, compared) })
	if len(full) > 0 && len(full) < len(fit) && v.rng.IntN(4) > 0 {
		fit = full
	}
	return fit[v.rng.IntN(len(fit))]
}

// argument is the value of one parameter.
func (v *Arranger) argument(c *program.Call, e *model.Entity, own *model.Attribute, target *state.Row, condition *model.Condition, i int, m mode) sample.Value {
	if target == nil {
		return v.unlike(own, sample.Value{})
	}
	have, ok := target.Values[own]
	if !ok {
		have = v.anyValue(e, own)
	}
	if !condition.Op.IsRange() || condition.Op == model.BeginsWith {
		switch {
		case resolve.ComparesSet(condition) && v.rng.IntN(3) == 0:
			return v.emptied(own)
		case m == nothing:
			return v.unlike(own, have)
		case condition.Op == model.BeginsWith && have.Kind == sample.Text && have.Text != "":
			runes := []rune(have.Text)
			return sample.Value{Kind: sample.Text, Text: string(runes[:1+v.rng.IntN(len(runes))])}
		}
		return have
	}
	return v.end(v.inReach(c, e, own, target), own, condition, i, m)
}

// inReach are the values of an attribute that items have which share the target's values
// of the equalities of the pattern.
func (v *Arranger) inReach(c *program.Call, e *model.Entity, own *model.Attribute, target *state.Row) []sample.Value {
	var all []sample.Value
	for _, r := range v.state.Of(e) {
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

// end is one end of a range.
func (v *Arranger) end(values []sample.Value, own *model.Attribute, condition *model.Condition, i int, m mode) sample.Value {
	if len(values) == 0 {
		return v.unlike(own, sample.Value{})
	}
	upper := i == 1 || condition.Op == model.Lt || condition.Op == model.Lte
	at := values[v.rng.IntN(len(values))]
	switch m {
	case everything:
		if upper {
			return step(values[len(values)-1], own, 1)
		}
		return step(values[0], own, -1)
	case one:
		return values[len(values)/2]
	case beside:
		if upper {
			return step(at, own, -1)
		}
		return step(at, own, 1)
	}
	return at
}

// straighten turns ranges the right way round: DynamoDB refuses others.
func (v *Arranger) straighten(c *program.Call, a *bind.Arguments) {
	for _, condition := range slices.Concat(c.Pattern.Where, c.Pattern.Filter) {
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

// several are the values of a list: those of a few items, one nobody has, one twice; now
// and then none.
func (v *Arranger) several(c *program.Call, e *model.Entity, own *model.Attribute, target *state.Row, m mode, n int) []sample.Value {
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
	rows := v.state.Of(e)
	for range 1 + v.rng.IntN(4) {
		if value, ok := rows[v.rng.IntN(len(rows))].Values[own]; ok {
			all = append(all, value)
		}
	}
	if len(all) == 0 { // none of them has the attribute
		return append(all, v.unlike(own, sample.Value{}))
	}
	if own.Type.Base != model.Enum && m != exactly {
		all = append(all, v.unlike(own, all[0]))
	}
	if m == around {
		all = append(all, all[0])
	}
	return all
}

// anyValue is a value some item has for an attribute, or one that nobody has.
func (v *Arranger) anyValue(e *model.Entity, a *model.Attribute) sample.Value {
	rows := v.state.Of(e)
	for range len(rows) {
		if value, ok := rows[v.rng.IntN(len(rows))].Values[a]; ok {
			return value
		}
	}
	return v.unlike(a, sample.Value{})
}
