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

// An arranger chooses items and the arguments of calls.
type Arranger struct {
	*generator
	program  *program.Program
	state    *state.Tables
	compared map[*model.Attribute]bool // by keys and patterns; made when asked for
}

// New makes an arranger of calls that begin with what a state holds.
func New(p *program.Program, s *state.Tables, seed uint64) *Arranger {
	gen := &generator{layout: p.Layout, rng: rand.New(rand.NewPCG(seed, 1))}
	return &Arranger{generator: gen, program: p, state: s}
}

// typical is up to how many items one parent has as many as the design says.
const typical = 100

// Items invents items and remembers them. Some of each entity are held back: creates write
// those.
func (v *Arranger) Items(seed uint64, roots, children int) []*state.Row {
	items := sample.Items(v.layout, sample.Options{Seed: seed, Roots: roots, Children: children, Typical: typical})
	var all []*state.Row
	v.fit(items)
	for _, item := range items {
		if item.Table == nil {
			continue
		}
		r := v.state.RowOf(item.Entity, inBounds(item.Entity, v.filled(item)))
		rows := append(v.state.Guards(r), r)
		if slices.ContainsFunc(rows, func(r *state.Row) bool { return v.state.At(r.Table, r.Item) != nil }) {
			continue // made to fit a read, it is the same as another
		}
		for _, r := range rows {
			v.state.Put(r)
		}
		all = append(all, rows...)
	}
	return all
}
