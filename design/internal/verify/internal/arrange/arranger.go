// Package arrange builds what a call needs before it is made: items in the tables and
// arguments, so that a read has something to find, and a write something to change or to be
// refused for.
//
// It sends nothing: package verify stores the rows and makes the calls. What a call with
// these arguments must do is for package judge to say.
package arrange

import (
	"math/rand/v2"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// An Arranger chooses items for the tables, and arguments and rows for calls.
type Arranger struct {
	*generator
	program  *program.Program
	tables   *state.Tables
	compared attributeSet // by keys and patterns; nil until first needed
	assumed  *Assumed     // of a typical scenario; nil: of any other
	Sparse   bool         // invent items for every index that holds only some of them
}

// New returns an Arranger for the calls of a program. Its random choices follow from seed.
func New(p *program.Program, tables *state.Tables, seed uint64) *Arranger {
	gen := &generator{layout: p.Layout, rng: rand.New(rand.NewPCG(seed, 1))}
	return &Arranger{generator: gen, program: p, tables: tables}
}

// Invent returns a value of an attribute that most likely no item has.
func (ar *Arranger) Invent(a *model.Attribute) sample.Value { return ar.invent(a, sample.Value{}) }

// Complete gives values the attributes that an item of an entity must have and that they lack.
func (ar *Arranger) Complete(e *model.Entity, values sample.Values) {
	for _, a := range e.Attributes {
		if _, ok := values[a]; ok || a.Type.Optional || a.Type.Base == model.SetOf {
			continue
		}
		values[a] = ar.invent(a, sample.Value{})
		if a.Default != nil {
			values[a] = state.Constant(a, *a.Default)
		}
	}
	agree(e, values)
}

// Items invents the items of all entities, adds their rows to the tables and returns them.
func (ar *Arranger) Items(o sample.Options) []*state.Row {
	items := sample.Items(ar.layout, o)
	var all []*state.Row
	ar.withDelimiters(items)
	ar.withNeighbours(items)
	ar.fit(items)
	if ar.Sparse {
		ar.fitIndexes(items)
	}
	for _, item := range items {
		if item.Table == nil {
			continue
		}
		r := ar.tables.RowOf(item.Entity, inBounds(item.Entity, ar.filled(item)))
		rows := append(ar.tables.Guards(r), r)
		if slices.ContainsFunc(rows, func(r *state.Row) bool { return ar.tables.At(r.Table, r.Item) != nil }) {
			continue // changed to fit a read, it has the key of another
		}
		for _, r := range rows {
			ar.tables.Put(r)
		}
		all = append(all, rows...)
	}
	return all
}
