package judge

import (
	"sortkey.dev/access"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Units is what the cost model counts for the items a read reads.
func (j *Read) Units(request bind.ReadRequest) float64 {
	path := j.Call.Read.Entry.Path
	if request.Get != nil {
		size := int64(0)
		if r := j.Tables.At(path.Table, request.Get.Key); r != nil {
			size = state.SizeOf(r.Item)
		}
		return readUnits(size, j.Call.Read.Eventual)
	}
	var requests []access.Request
	done := map[string]bool{}
	for _, one := range request.Query.Requests {
		if key := state.DescribeItem(one.Values); !done[key] {
			done[key] = true
			requests = append(requests, one)
		}
	}
	if limit := mostOf(j.Call); limit > 0 && leavesOut(j.Call) {
		return j.filteredUnits(request.Query.Partition, requests, limit)
	}
	units := 0.0
	for _, one := range requests {
		units += j.queryUnits(one)
	}
	return units
}

// mostOf is how many items a query of a read asks for at most; 0: all. One that collects
// asks for one more than its limit, to know whether that is all.
func mostOf(c *program.Call) int {
	switch limit := int(c.Pattern.Limit); {
	case c.Pattern.Verb == model.Get:
		return 1
	case c.Pattern.Verb == model.Collect && limit > 0:
		return limit + 1
	default:
		return limit
	}
}

// queryUnits is what one query reads: the entries behind its key up to the limit, in
// pages of a megabyte, each rounded up.
func (j *Read) queryUnits(request access.Request) float64 {
	entries := j.behind(request)
	if j.Call.Pattern.Verb == model.Get && len(j.Call.Read.Checks) > 0 && len(j.Call.Read.Filter) == 0 {
		return j.oneByOne(entries)
	}
	if limit := mostOf(j.Call); limit > 0 && len(j.Call.Read.Filter) == 0 && len(j.Call.Read.Checks) == 0 {
		entries = entries[:min(len(entries), limit)]
	}
	units := 0.0
	for {
		page := pageOf(entries, len(entries))
		units += pageUnits(j.Call, page)
		if entries = entries[len(page):]; len(entries) == 0 {
			return units
		}
	}
}

// pageOf are the entries of one answer of DynamoDB: as many as it is asked for, up to a
// megabyte.
func pageOf(entries []entry, asked int) []entry {
	bytes := int64(0)
	for i, entry := range entries[:min(len(entries), asked)] {
		if bytes += state.SizeOf(entry.entry); i > 0 && bytes > cost.PageBytes {
			return entries[:i]
		}
	}
	return entries[:min(len(entries), asked)]
}

// pageUnits is what an answer takes.
func pageUnits(c *program.Call, page []entry) float64 {
	units, bytes := 0.0, int64(0)
	for _, entry := range page {
		bytes += state.SizeOf(entry.entry)
		if fetches(c) {
			units += readUnits(state.SizeOf(entry.item), c.Read.Eventual)
		}
	}
	return units + readUnits(bytes, c.Read.Eventual)
}

// fetches reports whether a local index reads what it does not hold from its table, each
// item alone.
func fetches(c *program.Call) bool {
	return len(c.Read.Missing) > 0 && c.Read.Entry.Path.Index != nil && c.Read.Entry.Path.Index.Local
}

// oneByOne is what a get reads that looks at one entry after the other until one passes.
// Behind the last there is a page without any.
func (j *Read) oneByOne(entries []entry) float64 {
	units := 0.0
	for _, entry := range entries {
		units += readUnits(state.SizeOf(entry.entry), j.Call.Read.Eventual)
		if fetches(j.Call) {
			units += readUnits(state.SizeOf(entry.item), j.Call.Read.Eventual)
		}
		if j.Passes(entry.item) {
			return units
		}
	}
	return units + readUnits(0, j.Call.Read.Eventual)
}

func readUnits(size int64, eventual bool) float64 { return cost.ReadUnits(size, eventual).Float64() }
