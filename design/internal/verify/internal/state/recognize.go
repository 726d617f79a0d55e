package state

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// A kind is an entity of a table with the tests of its primary key.
type kind struct {
	entity *model.Entity
	tells  []resolve.Tell
}

// Recognized returns the entities whose items generated code takes an item of a table for, by its
// primary key, in the order in which it tries them.
func (s *Tables) Recognized(t *model.Table, item access.Item) []*model.Entity {
	kinds, known := s.kinds[t]
	if !known {
		for _, one := range resolve.NarrowestFirst(t) {
			kinds = append(kinds, kind{one.Entity, resolve.Tells(one)})
		}
		s.kinds[t] = kinds
	}
	var all []*model.Entity
	for _, k := range kinds {
		fails := func(tell resolve.Tell) bool { return !passes(t, tell, item) }
		if !slices.ContainsFunc(k.tells, fails) {
			all = append(all, k.entity)
		}
	}
	return all
}

// passes reports whether a key attribute of an item passes a test.
func passes(t *model.Table, tell resolve.Tell, item access.Item) bool {
	text, d := marshal.TextAt(item, tell.Key.Name), t.Delimiter.String()
	isShard := func(c *model.Counter) bool { return marshal.IsShard(text, d+c.Attribute.Name+d) }
	return (tell.Form == "" || marshal.HasForm(text, tell.Form)) && !slices.ContainsFunc(tell.Counters, isShard)
}
