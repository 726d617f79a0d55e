package table

import (
	"slices"

	"sortkey.dev/engine/internal/catalog"
)

// enter lets a write to several tables in, which may be named more than once. When
// there is no error, leave must be called after the write.
func (s *Tables) enter(names []string) (tables []*catalog.Table, leave func(), err error) {
	tables = make([]*catalog.Table, len(names))
	var inside []*catalog.Table // each once: a table waiting for a new version lets nobody in twice
	leave = func() {
		for _, t := range inside {
			t.Leave()
		}
	}
	for i, name := range names {
		if j := slices.Index(names[:i], name); j >= 0 {
			tables[i] = tables[j]
			continue
		}
		t, err := s.enterOnce(name, inside)
		if err != nil {
			leave()
			return nil, nil, err
		}
		if !slices.Contains(inside, t) {
			inside = append(inside, t)
		}
		tables[i] = t
	}
	return tables, leave, nil
}

// enterOnce enters a table, unless it is among those inside under another name, as its ARN is one.
func (s *Tables) enterOnce(name string, inside []*catalog.Table) (*catalog.Table, error) {
	t, err := s.lookup(name)
	if err != nil {
		return nil, err
	}
	for _, other := range inside {
		if other.Name() == t.Name() {
			return other, nil
		}
	}
	return s.catalog.Enter(name)
}
