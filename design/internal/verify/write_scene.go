package verify

import (
	"maps"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/sample"
)

// A scenario is one call of a write before it is made: its arguments, and the rows that are
// to be there for it.
type scenario struct {
	layout  *resolve.Layout
	state   *state
	c       *program.Call
	a       *arguments
	actions []*action
	placed  map[string]*row // by table and key, besides those of the state; nil: none there
}

// An arrangement is a scenario in the making.
type arrangement struct {
	*scenario
	gen    *generator
	shared map[program.Ref]bool
	wild   bool // take fewer rows as they are
}

// clone is a scene that can be changed without changing this one.
func (s *arrangement) clone() *arrangement {
	other, scenario := *s, *s.scenario
	scenario.placed = maps.Clone(s.placed)
	scenario.a = s.a.clone()
	other.scenario = &scenario
	return &other
}

// at is the row that is there before the call, or nil.
func (s *scenario) at(t *model.Table, key access.Item) *row {
	return s.lying(address(t, key))
}

// lying is the row at an address before the call, or nil.
func (s *scenario) lying(at string) *row {
	if r, ok := s.placed[at]; ok {
		return r
	}
	return s.state.rows[at]
}

// place puts a row where it belongs, with the rows that keep its values unique.
func (s *scenario) place(r *row) {
	s.clear(r.table, r.item)
	s.placed[r.address()] = r
	for _, guard := range s.state.guards(r) {
		s.placed[guard.address()] = guard
	}
}

// clear takes a row away, if there is one.
func (s *scenario) clear(t *model.Table, key access.Item) {
	old := s.at(t, key)
	if old == nil {
		return
	}
	s.placed[old.address()] = nil
	for _, guard := range s.state.guards(old) {
		s.placed[guard.address()] = nil
	}
}

// anyRow is one of the rows of an entity, or nil.
func (s *arrangement) anyRow(e *model.Entity) *row {
	rows := s.state.of(e)
	if len(rows) == 0 {
		return nil
	}
	return rows[s.gen.rng.IntN(len(rows))]
}

// bind gives a parameter of an action its value.
func (s *arrangement) bind(act *action, param string, of *model.Attribute, v sample.Value) {
	s.set(s.c.Ref(act.write, param, of), act.i, v, true)
}

// unbind takes the value of a parameter away.
func (s *arrangement) unbind(act *action, param string, of *model.Attribute) {
	s.set(s.c.Ref(act.write, param, of), act.i, sample.Value{}, false)
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
		from, to = 0, s.a.times(ref.Input)
	}
	for n := from; n < to; n++ {
		switch ref.Input.Kind {
		case program.Key, program.Whole:
			for len(s.a.items[ref.Input]) <= n {
				s.a.items[ref.Input] = append(s.a.items[ref.Input], sample.Values{})
			}
			put(s.a.items[ref.Input][n], ref.Attribute, v, is)
		case program.Group:
			put(s.a.groups[ref.Input][n], ref.Member, v, is)
		default:
			put(s.a.values, ref.Input, v, is)
		}
	}
}

func put[K comparable](m map[K]sample.Value, key K, v sample.Value, is bool) {
	if is {
		m[key] = v
	} else {
		delete(m, key)
	}
}

// isShared reports whether all items of what is repeated must have one value.
func (s *arrangement) isShared(ref program.Ref) bool {
	ref.First = false
	return s.shared[ref]
}

// isBound reports whether a parameter has a value.
func (s *arrangement) isBound(act *action, param string, of *model.Attribute) bool {
	_, ok := s.a.at(s.c.Ref(act.write, param, of), act.i)
	return ok
}
