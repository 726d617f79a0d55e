package across

import (
	"maps"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A staging is a write of the caller with the rows that it finds: those of the maker, and what they
// are for the caller.
type staging struct {
	*judge.Scenario                 // of the caller
	maker           *judge.Scenario // only its rows
	own             []*state.Row    // rows of entities that only the caller has
	sources         map[string]string
}

// stage makes the rows of a scenario rows of the maker, and says what they are for the caller. It
// reports false if the maker has no such rows.
func (w *world) stage(s *judge.Scenario) (*staging, bool) {
	st := &staging{
		Scenario: &judge.Scenario{Layout: s.Layout, Tables: w.oracle, Call: s.Call, Arguments: s.Arguments, Actions: s.Actions, Placed: map[string]*state.Row{}},
		maker:    &judge.Scenario{Layout: w.maker.layout, Tables: w.maker.tables, Placed: map[string]*state.Row{}},
		sources:  map[string]string{},
	}
	keys := slices.Sorted(maps.Keys(s.Placed))
	for _, at := range keys {
		if source := w.maker.tables.Rows[w.sources[at]]; source != nil && s.Tables.Rows[at] != nil && s.Tables.Rows[at].Entity != nil {
			st.maker.Clear(source.Table, source.Item)
			if row := w.oracle.Rows[w.mirrors[source.Address()]]; row != nil {
				st.Clear(row.Table, row.Item)
			}
		}
	}
	for _, at := range keys {
		if r := s.Placed[at]; r != nil && r.Entity != nil && !w.place(st, r) {
			return nil, false
		}
	}
	for _, at := range keys {
		r := s.Placed[at]
		if r == nil || r.Entity != nil || st.AtAddress(at) != nil {
			continue
		}
		if st.maker.Tables.Rows[at] == nil && !w.hasGuardAt(r) {
			return nil, false
		}
		st.Placed[at], st.maker.Placed[at] = r, r
	}
	w.recount(st)
	return st, true
}

// place places a row of the caller as the maker has it.
func (w *world) place(st *staging, r *state.Row) bool {
	e := w.same.entities[r.Entity]
	if e == nil || w.maker.layout.Home(e) == nil {
		if w.exists[r.Table.Name] {
			st.own = append(st.own, r)
		}
		st.Place(r)
		return true
	}
	values := w.same.translated(r.Values, e)
	if base, ideal := w.maker.tables.Rows[w.sources[r.Address()]], w.caller.tables.Rows[r.Address()]; base != nil && ideal != nil {
		for _, a := range e.Attributes { // what the scenario does not change stays
			from := w.same.attributes[a]
			given, ok := r.Values[from]
			have, had := ideal.Values[from]
			if v, is := base.Values[a]; from == nil && is || from != nil && ok == had && given.Compare(have) == 0 {
				state.Assign(values, a, v, is)
			}
		}
	}
	w.maker.arranger.Complete(e, values)
	for _, a := range e.Attributes { // what is absent there stays absent
		if from := w.same.attributes[a]; from != nil && a.Default != nil {
			if _, given := r.Values[from]; !given {
				delete(values, a)
			}
		}
	}
	source := w.maker.tables.RowOf(e, values)
	if have := st.maker.At(source.Table, source.Item); have != nil && have.Entity != e {
		return false
	}
	st.maker.Place(source)
	seen := w.same.translated(source.Values, r.Entity)
	if _, known := w.oracle.KeyOf(r.Entity, seen); known {
		row := w.oracle.RowOf(r.Entity, seen)
		st.Place(row)
		st.sources[row.Address()] = source.Address()
	}
	return true
}

// hasGuardAt reports whether the maker keeps the same row for the same value.
func (w *world) hasGuardAt(r *state.Row) bool {
	maker := w.maker.layout.Design()
	i := tableNamed(maker, r.Table.Name)
	if i < 0 {
		return false
	}
	for _, g := range r.Table.Guards {
		if other := w.guardOf(g); other == nil || !slices.Contains(maker.Tables[i].Guards, other) || !w.sameGuard(g, other) {
			return false
		}
	}
	return true
}

// sameGuard reports whether two guards make the same rows.
func (w *world) sameGuard(a, b *model.Guard) bool {
	return slices.EqualFunc(a.Computed, b.Computed, func(a, b *model.Computed) bool { return a.Name == b.Name && a.Template.Text == b.Template.Text })
}

// recount gives the rows of a staging the counters that the maker does not keep.
func (w *world) recount(st *staging) {
	for _, e := range w.caller.layout.Design().Entities {
		for _, c := range e.Counters {
			if c.Shards > 1 || w.same.sameCounter(e, c) || w.same.entities[e] == nil {
				continue
			}
			counted := st.rows(c.Of)
			for _, r := range st.rows(e) {
				if sum := total(c, r.Values, counted); sum.Compare(r.Values[c.Attribute]) != 0 {
					st.Place(st.Changed(r, c.Attribute, sum, true))
				}
			}
		}
	}
}

// rows returns the rows of an entity in a staging.
func (st *staging) rows(e *model.Entity) []*state.Row {
	var all []*state.Row
	for _, r := range st.Tables.Of(e) {
		if _, changed := st.Placed[r.Address()]; !changed {
			all = append(all, r)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(st.Placed)) {
		if r := st.Placed[at]; r != nil && r.Entity == e {
			all = append(all, r)
		}
	}
	return all
}

// source returns the row of the maker that a row of the oracle stands for, or nil.
func (w *world) source(st *staging, at string) *state.Row {
	if source, ok := st.sources[at]; ok {
		return st.maker.AtAddress(source)
	}
	if source, ok := w.sources[at]; ok && w.oracle.Rows[at] != nil {
		return st.maker.AtAddress(source)
	}
	return nil
}
