package judge

import (
	"slices"

	"sortkey.dev/access/call"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// drops reports whether a read with a limit may have to read more entries than it returns: a
// filter drops some, or shards of counters are among them.
func drops(c *program.Call) bool {
	return len(c.Read.Filter) > 0 || c.Pattern.Verb == model.List && len(c.Read.Checks) == 0 && amongShards(c)
}

// A filteredRead simulates a read with a limit that drops some of the entries it reads. Its
// requests ask for as many entries as those of access.List, and continue until enough items
// are found.
type filteredRead struct {
	*Read
	queries []*filteredQuery
	left    int // items that are still wanted
	kept    int // items since the last requests
	barren  int // times in a row that requests brought no item, at most mostBarren
	units   float64
}

// mostBarren is the number of times the number of entries of a request doubles.
const mostBarren = 10

// A filteredQuery is one query of a filteredRead.
type filteredQuery struct {
	request call.Request
	unread  []entry
	ready   []entry // read and passed by the filter, but not yet taken
	ended   bool
	passed  int // entries of the last page that the filter passed
	asked   int // entries that the last request asked for
	wanted  int // items that were wanted at the last request
	kept    int // items taken since the last request
}

// filteredUnits returns the units of a read with a limit that drops some of the entries it
// reads.
func (j *Read) filteredUnits(partition []string, requests []call.Request, limit int) float64 {
	slices.SortStableFunc(requests, func(a, b call.Request) int { // as call.List does
		for _, name := range partition {
			if n := state.CompareKeys(a.Values[name], b.Values[name]); n != 0 {
				return n
			}
		}
		return 0
	})
	f := &filteredRead{Read: j, left: limit, barren: -1}
	for _, one := range requests {
		f.queries = append(f.queries, &filteredQuery{request: one, unread: j.entries(one)})
	}
	for f.left > 0 {
		if slices.ContainsFunc(f.queries, (*filteredQuery).dry) {
			f.request()
		}
		q := f.next()
		if q == nil {
			break
		}
		f.take(q)
	}
	return f.units
}

// request sends the next request of all queries that have nothing ready, and of those that
// soon will.
func (f *filteredRead) request() {
	if f.barren = min(f.barren+1, mostBarren); f.kept > 0 {
		f.barren = 0
	}
	f.kept = 0
	for _, q := range f.queries {
		soon := len(f.queries) > 1 && f.Call.Pattern.Verb != model.Get && !q.ended && len(q.ready) <= q.passed/4
		if q.dry() || soon {
			f.ask(q)
		}
	}
}

// take takes the next entry of a query.
func (f *filteredRead) take(q *filteredQuery) {
	if item := q.ready[0].item; f.Passes(item) && !f.IsShard(item) {
		q.kept++
		f.kept++
		f.left--
	}
	q.ready = q.ready[1:]
}

// dry reports whether a query has nothing ready but may have more entries.
func (q *filteredQuery) dry() bool { return len(q.ready) == 0 && !q.ended }

// ask sends requests of a query until it has something ready. Without a filter a request asks
// for the wanted number of entries, doubled each time that no item came.
func (f *filteredRead) ask(q *filteredQuery) {
	for {
		n := max(10*f.left, 100)
		if q.asked > 0 && q.kept+len(q.ready) < q.wanted {
			n = max(n, 2*q.asked)
		}
		if len(f.Call.Read.Filter) == 0 {
			n = f.left << f.barren
		}
		q.asked, q.wanted, q.kept, q.passed = n, f.left, 0, 0
		page := pageOf(q.unread, n)
		f.units += pageUnits(f.Call, page)
		q.unread = q.unread[len(page):]
		q.ended = len(q.unread) == 0 && len(page) < n
		for _, one := range page {
			if r := f.Tables.At(f.Call.Read.Entry.Path.Table, one.item); r != nil && f.filterPasses(r) {
				q.ready = append(q.ready, one)
				q.passed++
			}
		}
		if !q.dry() {
			return
		}
	}
}

// filterPasses reports whether the filter of a read passes a row. The shard of a counter has
// only its number.
func (j *Read) filterPasses(r *state.Row) bool {
	e, values := r.Entity, r.Values
	if e == nil {
		e, values = j.Call.Read.Entities[0], sample.Values{}
		for _, counter := range e.Counters {
			if n, has := r.Item[counter.Attribute.Stored]; has {
				values[counter.Attribute] = state.KeyOrder(n)
			}
		}
	}
	return values.Holds(j.bound(e, j.Call.Read.Filter))
}

// next returns the query whose next entry comes first in the order of the sort key, or nil.
func (f *filteredRead) next() *filteredQuery {
	var best *filteredQuery
	for _, q := range f.queries {
		switch {
		case len(q.ready) == 0:
		case best == nil:
			best = q
		default:
			if n := compareEntries(f.Call, q, best); f.Call.Read.Descending && n > 0 || !f.Call.Read.Descending && n < 0 {
				best = q
			}
		}
	}
	return best
}

// compareEntries compares the next entries of two queries by their sort keys without the lead
// of each.
func compareEntries(c *program.Call, a, b *filteredQuery) int {
	for i, name := range c.Read.Sort {
		x, y := state.KeyOrder(a.ready[0].entry[name]), state.KeyOrder(b.ready[0].entry[name])
		if i == 0 && x.Kind != sample.Number {
			x.Text, y.Text = x.Text[min(a.request.Lead, len(x.Text)):], y.Text[min(b.request.Lead, len(y.Text)):]
		}
		if n := x.Compare(y); n != 0 {
			return n
		}
	}
	return 0
}
