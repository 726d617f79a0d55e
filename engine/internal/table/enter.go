package table

import (
	"slices"

	"sortkey.dev/engine/internal/catalog"
)

// enter starts a write to several tables, which may be named more than once. Unless it
// fails, leave must be called after the write.
//
// All writes enter tables in the order of their names. Otherwise two of them could
// deadlock, each inside a table that is about to change.
func (s *Tables) enter(names []string) (tables []*catalog.Table, leave func(), err error) {
	own := make([]string, len(names)) // requests may use a table's ARN
	for i, name := range names {
		t, err := s.lookup(name)
		if err != nil {
			return nil, nil, err
		}
		own[i] = t.Name()
	}
	order := slices.Clone(own)
	slices.Sort(order)
	order = slices.Compact(order)
	inside := make([]*catalog.Table, 0, len(order))
	leave = func() {
		for _, t := range inside {
			t.Leave()
		}
	}
	for _, name := range order {
		t, err := s.catalog.Enter(name)
		if err != nil {
			leave()
			return nil, nil, err
		}
		inside = append(inside, t)
	}
	tables = make([]*catalog.Table, len(names))
	for i, name := range own {
		at, _ := slices.BinarySearch(order, name)
		tables[i] = inside[at]
	}
	return tables, leave, nil
}
