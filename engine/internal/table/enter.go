package table

import (
	"maps"
	"slices"

	"sortkey.dev/engine/internal/catalog"
)

// enter lets a write to several tables in, which may be named more than once. When
// there is no error, leave must be called after the write.
//
// All writes enter tables in the order of their names. Otherwise two of them could
// wait for each other, each inside a table that is about to change.
func (s *Tables) enter(names []string) (tables []*catalog.Table, leave func(), err error) {
	inside := map[string]*catalog.Table{} // by the table's own name: requests may use its ARN
	own := make([]string, len(names))
	for i, name := range names {
		t, err := s.lookup(name)
		if err != nil {
			return nil, nil, err
		}
		own[i] = t.Name()
		inside[own[i]] = nil
	}
	leave = func() {
		for _, t := range inside {
			if t != nil {
				t.Leave()
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(inside)) {
		if inside[name], err = s.catalog.Enter(name); err != nil {
			leave()
			return nil, nil, err
		}
	}
	tables = make([]*catalog.Table, len(names))
	for i, name := range own {
		tables[i] = inside[name]
	}
	return tables, leave, nil
}
