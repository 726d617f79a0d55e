package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
)

// A scene is one call of a write before it is made: its arguments, and the rows that are
// to be there for it.
type scene struct {
	v       *verifier
	c       *program.Call
	a       *arguments
	actions []*action
	placed  map[string]*row // by table and key, besides those of the state; nil: none there
	shared  map[program.Ref]bool
	wild    bool // take fewer rows as they are
}

// clone is a scene that can be changed without changing this one.
func (s *scene) clone() *scene {
	other := *s
	other.placed = maps.Clone(s.placed)
	other.a = &arguments{
		values: maps.Clone(s.a.values), lists: maps.Clone(s.a.lists),
		items:  map[*program.Input][]sample.Values{},
		groups: map[*program.Input][]map[*program.Input]sample.Value{},
	}
	for input, all := range s.a.items {
		for _, values := range all {
			other.a.items[input] = append(other.a.items[input], maps.Clone(values))
		}
	}
	for input, all := range s.a.groups {
		for _, values := range all {
			other.a.groups[input] = append(other.a.groups[input], maps.Clone(values))
		}
	}
	return &other
}

// at is the row that is there before the call, or nil.
func (s *scene) at(t *model.Table, key access.Item) *row {
	return s.lying(address(t, key))
}

// lying is the row at an address before the call, or nil.
func (s *scene) lying(at string) *row {
	if r, ok := s.placed[at]; ok {
		return r
	}
	return s.v.state.rows[at]
}

// place puts a row where it belongs, with the rows that keep its values unique.
func (s *scene) place(r *row) {
	s.clear(r.table, r.item)
	s.placed[r.address()] = r
	for _, guard := range s.v.state.guards(r) {
		s.placed[guard.address()] = guard
	}
}

// clear takes a row away, if there is one.
func (s *scene) clear(t *model.Table, key access.Item) {
	old := s.at(t, key)
	if old == nil {
		return
	}
	s.placed[old.address()] = nil
	for _, guard := range s.v.state.guards(old) {
		s.placed[guard.address()] = nil
	}
}

// anyRow is one of the rows of an entity, or nil.
func (s *scene) anyRow(e *model.Entity) *row {
	rows := s.v.state.of(e)
	if len(rows) == 0 {
		return nil
	}
	return rows[s.v.rng.IntN(len(rows))]
}

// bind gives a parameter of an action its value.
func (s *scene) bind(act *action, param string, of *model.Attribute, v sample.Value) {
	s.set(s.c.Ref(act.write, param, of), act.i, v, true)
}

// unbind takes the value of a parameter away.
func (s *scene) unbind(act *action, param string, of *model.Attribute) {
	s.set(s.c.Ref(act.write, param, of), act.i, sample.Value{}, false)
}

func (s *scene) set(ref program.Ref, i int, v sample.Value, is bool) {
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
func (s *scene) isShared(ref program.Ref) bool {
	ref.First = false
	return s.shared[ref]
}

// isBound reports whether a parameter has a value.
func (s *scene) isBound(act *action, param string, of *model.Attribute) bool {
	_, ok := s.a.at(s.c.Ref(act.write, param, of), act.i)
	return ok
}

// stage puts the rows of the scene into the tables.
func (s *scene) stage(ctx context.Context) error {
	for _, key := range slices.Sorted(maps.Keys(s.placed)) {
		want, have := s.placed[key], s.v.state.rows[key]
		var err error
		switch {
		case want == nil && have != nil:
			err = s.v.erase(ctx, have)
		case want != nil && (have == nil || describeItem(want.item) != describeItem(have.item)):
			err = s.v.store(ctx, want)
		}
		if err != nil {
			return fmt.Errorf("arranging rows: %w", err)
		}
		if want != nil {
			s.v.state.put(want)
		} else if have != nil {
			s.v.state.remove(have)
		}
	}
	return nil
}

// store puts a row as it is.
func (v *verifier) store(ctx context.Context, r *row) error {
	name := v.client.Table(r.table.Name)
	_, err := v.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: &name, Item: r.item})
	return err
}

// erase takes a row away.
func (v *verifier) erase(ctx context.Context, r *row) error {
	name := v.client.Table(r.table.Name)
	_, err := v.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &name, Key: keyOf(r.table, r.item)})
	return err
}

// fetch is a row as the table has it, nil if there is none.
func (v *verifier) fetch(ctx context.Context, t *model.Table, key access.Item) (access.Item, error) {
	name, consistent := v.client.Table(t.Name), true
	out, err := v.api.GetItem(ctx, &dynamodb.GetItemInput{TableName: &name, Key: keyOf(t, key), ConsistentRead: &consistent})
	if err != nil {
		return nil, fmt.Errorf("reading back: %w", err)
	}
	if len(out.Item) == 0 {
		return nil, nil
	}
	return out.Item, nil
}
