package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/state"
)

// writeUnit is the number of bytes that one write unit covers.
const writeUnit = 1024

// writeUnits returns the write units of a number of bytes.
func writeUnits(size int64) float64 { return float64(max(1, (size+writeUnit-1)/writeUnit)) }

// A Charge is the units that a change costs on one table or index.
type Charge struct {
	Path  resolve.Path
	Item  access.Item // whose partition is charged; nil: none
	Units float64
}

// changeUnits returns the units that the cost model counts for a change of one row: those of the
// larger item before and after, twice in a transaction, and those of each index that changes.
func changeUnits(c *program.Call, t *model.Table, before, after access.Item) []Charge {
	units := writeUnits(max(state.SizeOf(before), state.SizeOf(after)))
	if c.Transaction() {
		units *= 2
	}
	present := after
	if present == nil {
		present = before
	}
	all := []Charge{{resolve.Path{Table: t}, present, units}}
	for _, x := range t.Indexes {
		path := resolve.Path{Table: t, Index: x}
		gone, came := indexUnits(path, before, after)
		if gone > 0 {
			all = append(all, Charge{path, before, gone})
		}
		if came > 0 {
			all = append(all, Charge{path, after, came})
		}
	}
	return all
}

// indexUnits returns the units of an index for the old entry and for the new one. An entry that
// changes in place is counted once, as a new one.
func indexUnits(path resolve.Path, before, after access.Item) (gone, came float64) {
	old, fresh := state.EntryOf(path, before), state.EntryOf(path, after)
	partition, sort := state.PathKeys(path)
	switch {
	case old == nil && fresh == nil:
		return 0, 0
	case old == nil:
		return 0, writeUnits(state.SizeOf(fresh))
	case fresh == nil:
		return writeUnits(state.SizeOf(old)), 0
	case slices.ContainsFunc(slices.Concat(partition, sort), func(name string) bool { return !state.Same(old[name], fresh[name]) }):
		return writeUnits(state.SizeOf(old)), writeUnits(state.SizeOf(fresh))
	case !state.SameItem(old, fresh):
		return 0, writeUnits(max(state.SizeOf(old), state.SizeOf(fresh)))
	}
	return 0, 0
}
