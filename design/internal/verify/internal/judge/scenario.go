// Package judge says what a call must do, from what its pattern means and the rows that are
// there: the items a read returns and their order, the rows a write changes, the reasons for
// which it is refused, and the units of both. It compares what a call did with that.
//
// It uses neither keys nor indexes to find items, only to count units. It sends nothing:
// package verify makes the calls.
package judge

import (
	"maps"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// RowAt returns the row of an action before the call, or nil.
func (s *Scenario) RowAt(act *Action) *state.Row {
	key, ok := s.KeyOf(act)
	if !ok {
		return nil
	}
	return s.At(s.Layout.Home(act.Step.Entity).Table, key)
}

// Primary returns the attributes of the primary key of an entity.
func (s *Scenario) Primary(e *model.Entity) []*model.Attribute {
	return resolve.PrimaryAttributes(s.Layout.Home(e))
}

// A Scenario is a call of a write before it is made: its arguments, and the rows that the
// tables hold.
type Scenario struct {
	Layout    *resolve.Layout
	Tables    *state.Tables
	Call      *program.Call
	Arguments *bind.Arguments
	Actions   []*Action
	Placed    map[string]*state.Row // by address, changes to Tables; nil: no row
}

// At returns the row with a key before the call, or nil.
func (s *Scenario) At(t *model.Table, key access.Item) *state.Row {
	return s.AtAddress(state.Address(t, key))
}

// AtAddress returns the row at an address before the call, or nil.
func (s *Scenario) AtAddress(at string) *state.Row {
	if r, ok := s.Placed[at]; ok {
		return r
	}
	return s.Tables.Rows[at]
}

// Place adds or replaces a row, with the rows of its guards.
func (s *Scenario) Place(r *state.Row) {
	s.Clear(r.Table, r.Item)
	s.Placed[r.Address()] = r
	for _, guard := range s.Tables.Guards(r) {
		s.Placed[guard.Address()] = guard
	}
}

// Clear removes a row, if there is one, with the rows of its guards.
func (s *Scenario) Clear(t *model.Table, key access.Item) {
	old := s.At(t, key)
	if old == nil {
		return
	}
	s.Placed[old.Address()] = nil
	for _, guard := range s.Tables.Guards(old) {
		s.Placed[guard.Address()] = nil
	}
}

// Changed returns a copy of a row with one value changed or removed.
func (s *Scenario) Changed(r *state.Row, a *model.Attribute, v sample.Value, is bool) *state.Row {
	values := maps.Clone(r.Values)
	state.Assign(values, a, v, is)
	return s.Tables.RowOf(r.Entity, values)
}
