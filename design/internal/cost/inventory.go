package cost

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// An inventory knows the entries of entities, their sizes and the number of stored items
// under one workload. It computes each of them once.
type inventory struct {
	layout   plans
	options  Options
	byEntity map[*model.Entity][]*resolve.Entry
	sizes    map[*resolve.Entry]model.Size
	counts   map[*model.Entity]exact.Number
}

func newInventory(l plans, o Options) *inventory {
	return &inventory{
		layout: l, options: o,
		byEntity: map[*model.Entity][]*resolve.Entry{},
		sizes:    map[*resolve.Entry]model.Size{},
		counts:   map[*model.Entity]exact.Number{},
	}
}

// entries returns the entries of an entity on all paths.
func (v *inventory) entries(e *model.Entity) []*resolve.Entry {
	all, ok := v.byEntity[e]
	if !ok {
		all = v.layout.Entries(e)
		v.byEntity[e] = all
	}
	return all
}

// entryOn returns the entry of an entity on a path, or nil.
func (v *inventory) entryOn(e *model.Entity, path resolve.Path) *resolve.Entry {
	for _, entry := range v.entries(e) {
		if entry.Path == path {
			return entry
		}
	}
	return nil
}

// size returns the size of an entry.
func (v *inventory) size(e *resolve.Entry) model.Size {
	size, ok := v.sizes[e]
	if !ok {
		size = EntrySize(e)
		v.sizes[e] = size
	}
	return size
}

// count returns the number of stored items of an entity.
func (v *inventory) count(e *model.Entity) exact.Number {
	n, ok := v.counts[e]
	if !ok {
		n = Stored(e, v.options)
		v.counts[e] = n
	}
	return n
}
