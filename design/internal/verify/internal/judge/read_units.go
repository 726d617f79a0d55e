package judge

import (
	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// Units returns the units that the cost model counts for the items that a request reads.
func (j *Read) Units(request bind.ReadRequest) float64 {
	path := j.Call.Read.Entry.Path
	if request.Get != nil {
		size := int64(0)
		if r := j.Tables.At(path.Table, request.Get.Key); r != nil {
			size = state.SizeOf(r.Item)
		}
		return readUnits(size, j.Call.Read.Eventual)
	}
	if request.Gets != nil {
		return j.batchUnits(request.Gets)
	}
	if j.Call.Read.Operation == resolve.Scan {
		least, _ := j.scanUnits()
		return least
	}
	var requests []call.Request
	done := map[string]bool{}
	for _, one := range request.Query.Requests {
		if key := state.DescribeItem(one.Values); !done[key] {
			done[key] = true
			requests = append(requests, one)
		}
	}
	if limit := mostOf(j.Call); limit > 0 && drops(j.Call) {
		return j.filteredUnits(request.Query.Partition, requests, limit)
	}
	units := 0.0
	for _, one := range requests {
		units += j.queryUnits(one)
	}
	return units
}

// batchUnits returns the units of a batch: each item is rounded up, and each key is read once.
func (j *Read) batchUnits(g *call.Gets) float64 {
	table, units, done := j.Call.Read.Entry.Path.Table, 0.0, map[string]bool{}
	for _, key := range g.Keys {
		text := state.DescribeItem(key)
		if done[text] {
			continue
		}
		done[text] = true
		size := int64(0)
		if r := j.Tables.At(table, key); r != nil {
			size = state.SizeOf(r.Item)
		}
		units += readUnits(size, j.Call.Read.Eventual)
	}
	return units
}

// mostOf returns the limit of a query of a read; 0: none. A collect asks for one item more than
// its own limit, to know whether there are more.
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

// queryUnits returns the units of one query: of its entries up to the limit, in pages of a
// megabyte, each rounded up.
func (j *Read) queryUnits(request call.Request) float64 {
	entries := j.entries(request)
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

// pageOf returns the entries of one page: as many as are asked for, up to a megabyte.
func pageOf(entries []entry, asked int) []entry {
	bytes := int64(0)
	for i, entry := range entries[:min(len(entries), asked)] {
		if bytes += state.SizeOf(entry.entry); i > 0 && bytes > cost.PageBytes {
			return entries[:i]
		}
	}
	return entries[:min(len(entries), asked)]
}

// pageUnits returns the units of one page.
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

// fetches reports whether a query of a local index fetches attributes that are not projected
// from the table, for each item separately.
func fetches(c *program.Call) bool {
	return len(c.Read.Missing) > 0 && c.Read.Entry.Path.Index != nil && c.Read.Entry.Path.Index.Local
}

// oneByOne returns the units of a get that reads one entry after the other until one passes.
// The last entry is followed by an empty page.
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

// readUnits returns the read units of a number of bytes.
func readUnits(size int64, eventual bool) float64 { return cost.ReadUnits(size, eventual).Float64() }
