package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/state"
)

// writeUnit is how many bytes one write unit writes.
const writeUnit = 1024

func writeUnits(size int64) float64 { return float64(max(1, (size+writeUnit-1)/writeUnit)) }

// A charge is what a change takes of one path.
type Charge struct {
	Path  resolve.Path
	Item  access.Item // whose partition it is; nil: none
	Units float64
}

// changeUnits is what the cost model counts for a change of one row: the larger of the
// item before and after, twice in a transaction, and what changes in each index.
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

// indexUnits is what an index takes for the entry that was there and for the one that
// comes. An entry that changes in place is counted once, as what comes.
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
	case state.DescribeItem(old) != state.DescribeItem(fresh):
		return 0, writeUnits(max(state.SizeOf(old), state.SizeOf(fresh)))
	}
	return 0, 0
}
