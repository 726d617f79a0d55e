package arrange

import (
	"fmt"
	"maps"
	"slices"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// tries is the number of times a call is arranged again because it could not succeed.
const tries = 40

// Scenario returns the n-th scenario of a write, and what its call must do. In every third
// one thing is wrong, if the call can be refused at all.
func (ar *Arranger) Scenario(c *program.Call, n int) (*judge.Scenario, *judge.Verdict, error) {
	s, d, err := ar.arrange(c, n)
	if err != nil {
		return nil, nil, err
	}
	if n%3 == 2 {
		if broken, verdict := (&spoiler{s}).spoil(); broken != nil {
			s, d = broken, verdict
		}
	}
	return s.Scenario, d, nil
}

// arrange builds the n-th scenario of a write, one in which the call must succeed.
func (ar *Arranger) arrange(c *program.Call, n int) (*arrangement, *judge.Verdict, error) {
	actions, err := judge.ActionsOf(c)
	if err != nil {
		return nil, nil, err
	}
	var why error
	for try := range tries {
		s := &arrangement{
			Scenario: &judge.Scenario{Layout: ar.layout, Tables: ar.tables, Call: c, Arguments: bind.NewArguments(), Placed: map[string]*state.Row{}},
			gen:      ar.generator, templates: actions, run: n, wild: try > tries/4, assumed: ar.assumed,
		}
		for _, step := range steps {
			step.run(s)
		}
		d := s.Judge()
		if why = s.refusal(d); why == nil {
			return s, d, nil
		}
	}
	return nil, nil, fmt.Errorf("no arguments were found with which it can be done: %w", why)
}

// An arrangement is a scenario under construction.
type arrangement struct {
	*judge.Scenario
	gen       *generator
	templates []*judge.Action      // the actions of the pattern, each once
	run       int                  // the number of the call
	shared    map[program.Ref]bool // the values that all repeated items share
	wild      bool                 // use existing rows less often
	assumed   *Assumed             // the items are as the estimate assumes them; nil: as they come
}

// refusal returns the reason for which the call cannot succeed, or nil.
func (s *arrangement) refusal(d *judge.Verdict) error {
	for _, key := range slices.Sorted(maps.Keys(d.Faults)) {
		return fmt.Errorf("%s: %s", key, d.Faults[key])
	}
	if d.Twice {
		return fmt.Errorf("two actions touch one item")
	}
	writes, err := bind.WriteCall(s.Call, s.Arguments)
	if err != nil {
		return err
	}
	if twice := bind.TouchedTwice(writes); twice != "" {
		return fmt.Errorf("two actions touch one item: %s", twice)
	}
	if len(writes) == 0 || len(writes) > 100 {
		return fmt.Errorf("it has %d actions", len(writes))
	}
	return nil
}

// clone returns a copy that can be changed independently.
func (s *arrangement) clone() *arrangement {
	other, scenario := *s, *s.Scenario
	scenario.Placed = maps.Clone(s.Placed)
	scenario.Arguments = s.Arguments.Clone()
	other.Scenario = &scenario
	return &other
}

// anyRow returns a random row of an entity, or nil.
func (s *arrangement) anyRow(e *model.Entity) *state.Row {
	rows := s.Tables.Of(e)
	if len(rows) == 0 {
		return nil
	}
	return rows[s.gen.rng.IntN(len(rows))]
}

// oldValues returns the values of the item of an action before the call; nil: there is no
// such item.
func (s *arrangement) oldValues(act *judge.Action) sample.Values {
	if r := s.RowAt(act); r != nil {
		return r.Values
	}
	return nil
}

// bind gives a parameter of an action a value.
func (s *arrangement) bind(act *judge.Action, param string, of *model.Attribute, v sample.Value) {
	s.set(s.Call.Ref(act.Write, param, of), act.Index, v, true)
}

// unbind removes the value of a parameter.
func (s *arrangement) unbind(act *judge.Action, param string, of *model.Attribute) {
	s.set(s.Call.Ref(act.Write, param, of), act.Index, sample.Value{}, false)
}

// isBound reports whether a parameter has a value.
func (s *arrangement) isBound(act *judge.Action, param string, of *model.Attribute) bool {
	_, ok := s.Arguments.At(s.Call.Ref(act.Write, param, of), act.Index)
	return ok
}

// set sets or removes the value that a reference means, for the i-th repeated item or for
// all of them if they share it.
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
		s.setOne(ref, n, v, is)
	}
}

// setOne sets or removes the value that a reference means for the n-th repeated item.
func (s *arrangement) setOne(ref program.Ref, n int, v sample.Value, is bool) {
	a := s.Arguments
	switch ref.Input.Kind {
	case program.Key, program.Whole:
		for len(a.Items[ref.Input]) <= n {
			a.Items[ref.Input] = append(a.Items[ref.Input], sample.Values{})
		}
		state.Assign(a.Items[ref.Input][n], ref.Attribute, v, is)
	case program.Group:
		state.Assign(a.Groups[ref.Input][n], ref.Member, v, is)
	default:
		state.Assign(a.Values, ref.Input, v, is)
	}
}

// isShared reports whether all repeated items share a value.
func (s *arrangement) isShared(ref program.Ref) bool {
	ref.First = false
	return s.shared[ref]
}
