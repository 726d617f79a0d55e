package arrange

import (
	"maps"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// An arrangement is a scenario in the making.
type arrangement struct {
	*judge.Scenario
	gen    *generator
	shared map[program.Ref]bool
	wild   bool // take fewer rows as they are
}

// clone is a scene that can be changed without changing this one.
func (s *arrangement) clone() *arrangement {
	other, scenario := *s, *s.Scenario
	scenario.Placed = maps.Clone(s.Placed)
	scenario.Arguments = s.Arguments.Clone()
	other.Scenario = &scenario
	return &other
}

// anyRow is one of the rows of an entity, or nil.
func (s *arrangement) anyRow(e *model.Entity) *state.Row {
	rows := s.Tables.Of(e)
	if len(rows) == 0 {
		return nil
	}
	return rows[s.gen.rng.IntN(len(rows))]
}

// bind gives a parameter of an action its value.
func (s *arrangement) bind(act *judge.Action, param string, of *model.Attribute, v sample.Value) {
	s.set(s.Call.Ref(act.Write, param, of), act.Index, v, true)
}

// unbind takes the value of a parameter away.
func (s *arrangement) unbind(act *judge.Action, param string, of *model.Attribute) {
	s.set(s.Call.Ref(act.Write, param, of), act.Index, sample.Value{}, false)
}

func (s *arrangement) set(ref program.Ref, i int, v sample.Value, is bool) {
	if ref.IsZero() {
		return
	}
	from, to := i, i+1
	switch {
	case !ref.Input.Repeated:
		from, to = 0, 1
	case ref.First || s.isShared(ref):
		from, to = 0, s.Arguments.Times(ref.Input)
	}
	for n := from; n < to; n++ {
		switch ref.Input.Kind {
		case program.Key, program.Whole:
			for len(s.Arguments.Items[ref.Input]) <= n {
				s.Arguments.Items[ref.Input] = append(s.Arguments.Items[ref.Input], sample.Values{})
			}
			state.Assign(s.Arguments.Items[ref.Input][n], ref.Attribute, v, is)
		case program.Group:
			state.Assign(s.Arguments.Groups[ref.Input][n], ref.Member, v, is)
		default:
			state.Assign(s.Arguments.Values, ref.Input, v, is)
		}
	}
}

// isShared reports whether all items of what is repeated must have one value.
func (s *arrangement) isShared(ref program.Ref) bool {
	ref.First = false
	return s.shared[ref]
}

// isBound reports whether a parameter has a value.
func (s *arrangement) isBound(act *judge.Action, param string, of *model.Attribute) bool {
	_, ok := s.Arguments.At(s.Call.Ref(act.Write, param, of), act.Index)
	return ok
}
