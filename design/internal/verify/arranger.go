package verify

import (
	"math/rand/v2"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// A generator invents values.
type generator struct {
	layout *resolve.Layout
	rng    *rand.Rand
}

// An arranger chooses items and the arguments of calls.
type arranger struct {
	*generator
	program  *program.Program
	state    *state
	compared map[*model.Attribute]bool // by keys and patterns; made when asked for
}

// newArranger makes an arranger of calls that begin with what a state holds.
func newArranger(p *program.Program, s *state, seed uint64) *arranger {
	gen := &generator{layout: p.Layout, rng: rand.New(rand.NewPCG(seed, 1))}
	return &arranger{generator: gen, program: p, state: s}
}

// typical is up to how many items one parent has as many as the design says.
const typical = 100

// items invents items and remembers them. Some of each entity are held back: creates write
// those.
func (v *arranger) items(seed uint64, roots, children int) []*row {
	items := sample.Items(v.layout, sample.Options{Seed: seed, Roots: roots, Children: children, Typical: typical})
	var all []*row
	v.fit(items)
	for _, item := range items {
		if item.Table == nil {
			continue
		}
		r := v.state.row(item.Entity, inBounds(item.Entity, v.filled(item)))
		rows := append(v.state.guards(r), r)
		if slices.ContainsFunc(rows, func(r *row) bool { return v.state.at(r.table, r.item) != nil }) {
			continue // made to fit a read, it is the same as another
		}
		for _, r := range rows {
			v.state.put(r)
		}
		all = append(all, rows...)
	}
	return all
}

// inBounds are values with every counter between its bounds. What the items add up to may be
// outside; a table that only the design's own patterns wrote holds no such item, and whether
// one that is outside already may change further the design does not say.
func inBounds(e *model.Entity, values sample.Values) sample.Values {
	for _, c := range e.Counters {
		if have, ok := values[c.Attribute]; ok {
			values[c.Attribute] = sample.Value{Kind: sample.Number, Text: resolve.Digits(sample.Inside(c, numberOf(have)))}
		}
	}
	return values
}

// fit changes a few items so that every read finds something: with constants in its
// conditions that no item fulfils all of, or attributes that no item has all of, it never
// would.
func (v *arranger) fit(items []*sample.Item) {
	const few = 3
	for _, c := range v.program.Calls {
		if c.Read == nil {
			continue
		}
		for _, e := range c.Read.Entities {
			constants, compared := constantConditions(c, e), comparedAttributes(c, e)
			own := slices.DeleteFunc(slices.Clone(items), func(i *sample.Item) bool { return i.Entity != e })
			if slices.ContainsFunc(own, func(i *sample.Item) bool { return i.Values().Holds(constants) && hasAll(i.Values(), compared) }) {
				continue
			}
			for range min(few, len(own)) {
				item := own[v.rng.IntN(len(own))]
				item.Fulfil(constants)
				v.complete(item, own, compared)
			}
		}
	}
}

// complete gives an item the attributes it lacks: the values of another, or new ones.
func (v *arranger) complete(item *sample.Item, others []*sample.Item, attributes []*model.Attribute) {
	for _, a := range attributes {
		if _, ok := item.Get(a.Stored); ok {
			continue
		}
		value := v.invent(a, sample.Value{})
		for _, other := range others {
			if theirs, ok := other.Values()[a]; ok && !isUnique(item.Entity, a) {
				value = theirs
				break
			}
		}
		item.Attributes = append(item.Attributes, sample.Attribute{Name: a.Stored, Origin: a, Value: value})
	}
}

// isUnique reports whether no two items may have the same value of an attribute.
func isUnique(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(e.Unique, func(u *model.Unique) bool { return slices.Contains(u.Attributes, a) })
}
