package verify

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
)

// judge compares what came back with the rows that should, and the units with those of the
// cost model.
func (j *reading) judge(r *result, request readRequest, want []*row, got []access.Item) {
	r.Expected = j.readUnits(request)
	if !j.stopsSomewhere(request) {
		r.compareUnits()
	}
	r.Items = len(got)
	if len(got) > 0 {
		r.Found = 1
	}
	j.compareAnswer(r, want, got)
}

// stopsSomewhere reports whether a read ends as soon as one of several queries finds an
// item that passes: how far the others went by then is not for the design to say.
func (j *reading) stopsSomewhere(request readRequest) bool {
	return j.c.Pattern.Verb == model.Get && len(j.c.Read.Checks) > 0 && request.query != nil && len(request.query.Requests) > 1
}

// comparePages compares the addresses of what came back in pages with those of what came
// back at once: they must be the same.
func comparePages(r *result, size int, keys, want []string) {
	if len(keys) < len(want) || !slices.Equal(keys[:len(want)], want) {
		r.differ("page", fmt.Sprintf("pages of %d give other items or another order than all at once", size))
	}
}

// compareAnswer compares what came back with the rows that should.
func (j *reading) compareAnswer(r *result, want []*row, got []access.Item) {
	table := j.c.Read.Entry.Path.Table
	wanted := map[string]*row{}
	for _, w := range want {
		wanted[address(table, w.item)] = w
	}
	var found []*row
	seen := map[string]bool{}
	for _, item := range got {
		key := address(table, item)
		w := wanted[key]
		switch {
		case seen[key]:
			r.differ("content", key+" came twice")
		case w == nil:
			r.differ("surplus", key+" came back and does not match")
		default:
			found = append(found, w)
			j.compareItem(r, w, item)
		}
		seen[key] = true
	}
	j.compareCount(r, want, found)
	j.compareOrder(r, want, found)
}

// compareCount reports rows that should have come back: all, up to the limit.
func (j *reading) compareCount(r *result, want, found []*row) {
	most := len(want)
	switch {
	case j.c.Pattern.Verb == model.Get:
		most = min(most, 1)
	case j.c.Pattern.Limit > 0:
		most = min(most, int(j.c.Pattern.Limit))
	}
	if len(found) >= most {
		return
	}
	var missing []string
	for _, w := range want {
		if !slices.Contains(found, w) && len(missing) < 3 {
			missing = append(missing, describeItem(keyOf(w.table, w.item)))
		}
	}
	r.differ("missing", fmt.Sprintf("%d of %d came back; missing for example %s", len(found), most, strings.Join(missing, "; ")))
}

// compareOrder reports rows out of the order the pattern asks for, and under a limit rows
// that should have come before those that did.
func (j *reading) compareOrder(r *result, want, found []*row) {
	order := j.c.Pattern.Order
	if order == nil || len(found) == 0 {
		return
	}
	loose := false
	if key, _ := j.c.Read.SortsLoosely(); key != nil {
		loose = true
	}
	compare := func(a, b *row) int {
		n := ordered(a, order.Attribute, loose).Compare(ordered(b, order.Attribute, loose))
		if order.Descending {
			return -n
		}
		return n
	}
	if !slices.IsSortedFunc(found, compare) {
		r.differ("order", "not ordered by "+order.Attribute.Name+": "+listOf(found, order.Attribute))
		return
	}
	slices.SortStableFunc(want, compare)
	for i, f := range found {
		if compare(f, want[i]) != 0 {
			r.differ("order", fmt.Sprintf("place %d has %s %s, and %s should come first", i+1, order.Attribute.Name,
				f.values[order.Attribute], want[i].values[order.Attribute]))
			return
		}
	}
}

// ordered is the value a row is ordered by. A text that a delimiter follows in the key
// sorts as if it ended with it.
func ordered(r *row, a *model.Attribute, loose bool) sample.Value {
	value := r.values[r.entity.Attribute(a.Name)]
	if loose {
		value.Text += model.Delimiter
	}
	return value
}

func listOf(rows []*row, a *model.Attribute) string {
	var all []string
	for _, r := range rows[:min(len(rows), 6)] {
		all = append(all, r.values[r.entity.Attribute(a.Name)].String())
	}
	return join(all)
}

// compareItem compares what came back of one item: all of it, or what is selected.
func (j *reading) compareItem(r *result, want *row, got access.Item) {
	for name, value := range got {
		if !same(value, want.item[name]) {
			r.differ("content", difference(access.Item{name: want.item[name]}, access.Item{name: value}))
			return
		}
	}
	expected := want.item
	if path := j.c.Read.Entry.Path; !j.c.Read.Statement.All {
		expected = entryOf(path, want.item)
	}
	if j.c.Read.Rows != nil {
		expected = access.Item{}
		for _, held := range j.c.Read.Rows[want.entity] {
			if value, ok := want.item[held.Name]; ok {
				expected[held.Name] = value
			}
		}
	}
	for name, value := range expected {
		if got[name] == nil {
			r.differ("content", fmt.Sprintf("%s is missing; it should be %s", name, describe(value)))
			return
		}
	}
}

// readUnits is what the cost model counts for the items a read reads.
func (j *reading) readUnits(request readRequest) float64 {
	path := j.c.Read.Entry.Path
	if request.get != nil {
		size := int64(0)
		if r := j.state.at(path.Table, request.get.Key); r != nil {
			size = sizeOf(r.item)
		}
		return readUnits(size, j.c.Read.Eventual)
	}
	var requests []access.Request
	done := map[string]bool{}
	for _, one := range request.query.Requests {
		if key := describeItem(one.Values); !done[key] {
			done[key] = true
			requests = append(requests, one)
		}
	}
	if limit := mostOf(j.c); limit > 0 && leavesOut(j.c) {
		return j.filteredUnits(request.query.Partition, requests, limit)
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
func (j *reading) queryUnits(request access.Request) float64 {
	entries := j.behind(request)
	if j.c.Pattern.Verb == model.Get && len(j.c.Read.Checks) > 0 && len(j.c.Read.Filter) == 0 {
		return j.oneByOne(entries)
	}
	if limit := mostOf(j.c); limit > 0 && len(j.c.Read.Filter) == 0 && len(j.c.Read.Checks) == 0 {
		entries = entries[:min(len(entries), limit)]
	}
	units := 0.0
	for {
		page := pageOf(entries, len(entries))
		units += pageUnits(j.c, page)
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
		if bytes += sizeOf(entry.entry); i > 0 && bytes > cost.PageBytes {
			return entries[:i]
		}
	}
	return entries[:min(len(entries), asked)]
}

// pageUnits is what an answer takes.
func pageUnits(c *program.Call, page []entry) float64 {
	units, bytes := 0.0, int64(0)
	for _, entry := range page {
		bytes += sizeOf(entry.entry)
		if fetches(c) {
			units += readUnits(sizeOf(entry.item), c.Read.Eventual)
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
func (j *reading) oneByOne(entries []entry) float64 {
	units := 0.0
	for _, entry := range entries {
		units += readUnits(sizeOf(entry.entry), j.c.Read.Eventual)
		if fetches(j.c) {
			units += readUnits(sizeOf(entry.item), j.c.Read.Eventual)
		}
		if j.passes(entry.item) {
			return units
		}
	}
	return units + readUnits(0, j.c.Read.Eventual)
}

func readUnits(size int64, eventual bool) float64 { return cost.ReadUnits(size, eventual).Float64() }
