package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Foreign reports whether an item that a scan returns is of another entity, which generated code
// recognizes by its key. A scan that filters by the type attribute returns none.
func (j *Read) Foreign(item access.Item) bool {
	r := j.Call.Read
	if r.Operation != resolve.Scan || slices.ContainsFunc(r.Marks, func(m resolve.Mark) bool { return !m.Prefix }) {
		return false
	}
	row := j.Tables.At(r.Entry.Path.Table, item)
	return row == nil || row.Entity != r.Entities[0]
}

// scanUnits returns the least and the most units of a scan of everything. Each page and each
// partition is rounded up, and where they end is up to the hash of the partition keys.
func (j *Read) scanUnits() (least, most float64) {
	entries := j.entries(call.Request{})
	bytes := int64(0)
	for _, one := range entries {
		bytes += state.SizeOf(one.entry)
	}
	eventual := j.Call.Read.Eventual
	pages := 1 + bytes/cost.PageBytes
	rounded := (pages + cost.NewPartitions) * max(1, j.Call.Pattern.Segments)
	least = readUnits(bytes, eventual)
	if j.Call.Pattern.Limit > 0 { // it ends early, and every request is rounded up and reads at least one item
		least, rounded = 0, rounded+int64(len(entries))
	}
	return least, readUnits(bytes, eventual) + float64(rounded)*readUnits(1, eventual)
}

// judgeScan compares the units of a scan.
func (j *Read) judgeScan(r *Result) {
	least, most := j.scanUnits()
	if r.Measured < least || r.Measured > most {
		r.CompareUnits()
	}
	r.Expected = r.Measured
}
