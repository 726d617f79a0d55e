package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
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

// readArguments chooses arguments for the n-th run of a read: mostly those of an item
// that is there, so that something is found, and ranges whose ends are values items have
// or just miss.
func (v *arranger) readArguments(c *program.Call, n int) *arguments {
	entity := c.Read.Entities[n%len(c.Read.Entities)]
	return v.readArgumentsFor(c, entity, v.target(c, entity), mode(n%int(modes)), n)
}

// readArgumentsFor chooses arguments that find one item, unless the mode says otherwise.
func (v *arranger) readArgumentsFor(c *program.Call, entity *model.Entity, target *row, m mode, n int) *arguments {
	p, a := c.Pattern, newArguments()
	for _, condition := range slices.Concat(p.Where, p.Filter) {
		own := entity.Attribute(condition.Attribute.Name)
		for i, operand := range condition.Values {
			if operand.Param == "" {
				continue
			}
			input := c.Ref(nil, operand.Param, condition.Attribute).Input
			if input.Kind == program.List {
				a.lists[input] = v.several(c, entity, own, target, m, n)
				continue
			}
			a.values[input] = v.argument(c, entity, own, target, condition, i, m)
		}
	}
	v.straighten(c, a)
	return a
}

// target is an item of the entity that fits the constants of the pattern, or any, or nil.
// Mostly it has all that the pattern compares.
func (v *arranger) target(c *program.Call, e *model.Entity) *row {
	constants := constantConditions(c, e)
	rows := v.state.of(e)
	fit := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return !r.values.Holds(constants) })
	if len(fit) == 0 {
		fit = rows
	}
	if len(fit) == 0 {
		return nil
	}
	compared := comparedAttributes(c, e)
	full := slices.DeleteFunc(slices.Clone(fit), func(r *row) bool { return !hasAll(r.values, compared) })
	if len(full) > 0 && len(full) < len(fit) && v.rng.IntN(4) > 0 {
		fit = full
	}
	return fit[v.rng.IntN(len(fit))]
}

// comparedAttributes are the attributes of an entity that must be there for a read to find
// an item.
func comparedAttributes(c *program.Call, e *model.Entity) []*model.Attribute {
	var all []*model.Attribute
	for _, condition := range slices.Concat(c.Pattern.Where, c.Pattern.Filter) {
		own := e.Attribute(condition.Attribute.Name)
		if own != nil && condition.Op != model.Missing && condition.Op != model.Ne && !slices.Contains(all, own) {
			all = append(all, own)
		}
	}
	return all
}

func hasAll(values sample.Values, attributes []*model.Attribute) bool {
	return !slices.ContainsFunc(attributes, func(a *model.Attribute) bool { _, ok := values[a]; return !ok })
}

// constantConditions are the conditions of a read that compare constants, on the
// attributes of one of its entities.
func constantConditions(c *program.Call, e *model.Entity) []*model.Condition {
	var all []*model.Condition
	for _, condition := range slices.Concat(c.Pattern.Where, c.Pattern.Filter) {
		own := e.Attribute(condition.Attribute.Name)
		if own == nil || slices.ContainsFunc(condition.Values, func(o model.Operand) bool { return !o.IsConstant() }) {
			continue
		}
		bound := *condition
		bound.Attribute = own
		all = append(all, &bound)
	}
	return all
}

// argument is the value of one parameter.
func (v *arranger) argument(c *program.Call, e *model.Entity, own *model.Attribute, target *row, condition *model.Condition, i int, m mode) sample.Value {
	if target == nil {
		return v.unlike(own, sample.Value{})
	}
	have, ok := target.values[own]
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

// emptied is a set without values.
func (g *generator) emptied(a *model.Attribute) sample.Value {
	set := g.typed(a.Type)
	set.Elements = nil
	return set
}

// inReach are the values of an attribute that items have which share the target's values
// of the equalities of the pattern.
func (v *arranger) inReach(c *program.Call, e *model.Entity, own *model.Attribute, target *row) []sample.Value {
	var all []sample.Value
	for _, r := range v.state.of(e) {
		same := true
		for _, condition := range c.Pattern.Where {
			a := e.Attribute(condition.Attribute.Name)
			if condition.Op == model.Eq && a != nil && r.values[a].String() != target.values[a].String() {
				same = false
			}
		}
		if value, ok := r.values[own]; ok && same {
			all = append(all, value)
		}
	}
	slices.SortFunc(all, sample.Value.Compare)
	return slices.CompactFunc(all, func(a, b sample.Value) bool { return a.Compare(b) == 0 })
}

// end is one end of a range.
func (v *arranger) end(values []sample.Value, own *model.Attribute, condition *model.Condition, i int, m mode) sample.Value {
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
func (v *arranger) straighten(c *program.Call, a *arguments) {
	for _, condition := range slices.Concat(c.Pattern.Where, c.Pattern.Filter) {
		if condition.Op != model.Between || condition.Values[0].Param == "" || condition.Values[1].Param == "" {
			continue
		}
		low := c.Ref(nil, condition.Values[0].Param, condition.Attribute).Input
		high := c.Ref(nil, condition.Values[1].Param, condition.Attribute).Input
		if a.values[low].Compare(a.values[high]) > 0 {
			a.values[low], a.values[high] = a.values[high], a.values[low]
		}
	}
}

// several are the values of a list: those of a few items, one nobody has, one twice; now
// and then none.
func (v *arranger) several(c *program.Call, e *model.Entity, own *model.Attribute, target *row, m mode, n int) []sample.Value {
	if n%11 == 10 || target == nil {
		return nil
	}
	var all []sample.Value
	if value, ok := target.values[own]; ok {
		all = append(all, value)
	}
	if m == one {
		return all
	}
	rows := v.state.of(e)
	for range 1 + v.rng.IntN(4) {
		if value, ok := rows[v.rng.IntN(len(rows))].values[own]; ok {
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
func (v *arranger) anyValue(e *model.Entity, a *model.Attribute) sample.Value {
	rows := v.state.of(e)
	for range len(rows) {
		if value, ok := rows[v.rng.IntN(len(rows))].values[a]; ok {
			return value
		}
	}
	return v.unlike(a, sample.Value{})
}

// step is the value just after or just before another.
func step(value sample.Value, a *model.Attribute, by int64) sample.Value {
	switch a.Type.Base {
	case model.Timestamp:
		t := timeOf(value).Add(time.Duration(by) * time.Millisecond)
		return sample.Value{Kind: sample.Text, Text: access.FormatTime(t)}
	case model.Integer, model.Unixtime:
		n, err := strconv.ParseInt(value.Text, 10, 64)
		if err != nil || n+by < 0 {
			return value
		}
		return sample.Value{Kind: sample.Number, Text: strconv.FormatInt(n+by, 10)}
	case model.Date:
		if t, err := time.Parse(time.DateOnly, value.Text); err == nil {
			return sample.Value{Kind: sample.Text, Text: t.AddDate(0, 0, int(by)).Format(time.DateOnly)}
		}
	}
	return value
}

// unlike is a value of an attribute that no item has. The last character of an id
// changes, so that it shares all but the end with one that is there.
func (g *generator) unlike(a *model.Attribute, like sample.Value) sample.Value {
	serial := strconv.Itoa(100 + g.rng.IntN(900))
	switch a.Type.Base {
	case model.Integer, model.Unixtime:
		return sample.Value{Kind: sample.Number, Text: ("77" + serial)[:g.digits(a)]}
	case model.Numeric, model.Decimal:
		return sample.Value{Kind: sample.Number, Text: "77" + serial + ".5"}
	case model.Bool:
		return sample.Value{Kind: sample.Truth, Truth: !like.Truth}
	case model.Enum:
		return constant(a, a.Type.Values[g.rng.IntN(len(a.Type.Values))])
	case model.Timestamp:
		return sample.Value{Kind: sample.Text, Text: fmt.Sprintf("2031-01-01T00:00:00.%sZ", serial)}
	case model.Date:
		return sample.Value{Kind: sample.Text, Text: "2031-01-01"}
	case model.Week:
		return sample.Value{Kind: sample.Text, Text: "2031-W01"}
	case model.Bytes:
		return sample.Value{Kind: sample.Binary, Text: "nobody" + serial}
	case model.Geohash:
		return sample.Value{Kind: sample.Text, Text: strings.Repeat("z", max(len(like.Text), 1))}
	case model.JSON, model.ListOf, model.SetOf, model.MapOf, model.StructOf:
		return g.typed(a.Type)
	}
	if last, n := utf8.DecodeLastRuneInString(like.Text); len(like.Text) > n {
		other := "Z"
		if last == 'Z' {
			other = "Y"
		}
		return sample.Value{Kind: sample.Text, Text: like.Text[:len(like.Text)-n] + other}
	}
	if a.Type.Base == model.ULID || a.Type.Base == model.UUIDv7 { // a key may hold the time in it
		return g.typed(a.Type)
	}
	return sample.Value{Kind: sample.Text, Text: "nobody" + serial}
}

// digits is how many digits a number may have that is padded in a key, or five.
func (g *generator) digits(a *model.Attribute) int {
	most := 5
	for _, e := range g.layout.Design().Entities {
		for _, entry := range g.layout.Entries(e) {
			for _, key := range slices.Concat(entry.PK, entry.SK) {
				for _, part := range key.Parts() {
					if f, ok := part.Filter(model.Pad); ok && part.Attribute == a {
						most = min(most, f.N)
					}
				}
			}
		}
	}
	return most
}

// describeArguments is what was asked for, for a difference.
func describeArguments(c *program.Call, a *arguments) string {
	var all []string
	for _, input := range c.Inputs {
		switch input.Kind {
		case program.Value:
			if value, ok := a.values[input]; ok {
				all = append(all, input.Name+" = "+value.String())
			}
		case program.List:
			all = append(all, input.Name+" = "+sample.Value{Kind: sample.List, Elements: a.lists[input]}.String())
		case program.Key, program.Whole:
			for _, values := range a.items[input] {
				all = append(all, input.Name+" = "+identity(input, values))
			}
		case program.Group:
			for _, group := range a.groups[input] {
				for _, member := range input.Members {
					all = append(all, member.Name+" = "+group[member].String())
				}
			}
		}
	}
	return join(all)
}

// identity is which item it is.
func identity(input *program.Input, values sample.Values) string {
	attributes := input.Entity.ID
	if input.Kind == program.Key {
		attributes = nil
		for _, member := range input.Members {
			attributes = append(attributes, member.Attribute)
		}
	}
	var all []string
	for _, a := range attributes {
		all = append(all, a.Name+" "+values[a].String())
	}
	return "{" + join(all) + "}"
}
