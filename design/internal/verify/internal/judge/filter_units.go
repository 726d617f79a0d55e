package judge

import (
	"slices"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/sample"
	"sortkey.dev/design/internal/verify/internal/state"
)

// A filtered is one query of a read that leaves out some of what it reads, as it goes on.
type filtered struct {
	request access.Request
	behind  []entry // what it has not read yet
	ready   []entry // what it has read, the filter lets through, and nobody took
	ended   bool
	full    int // how many entries the last answer let through
	asked   int // of the last answer
	wanted  int // when it was asked for
	kept    int // of the last answer
}

// leavesOut reports whether a read with a limit may have to go on behind as many entries as
// it wants: a filter drops some, or rows of a counter that is spread lie among them.
func leavesOut(c *program.Call) bool {
	return len(c.Read.Filter) > 0 || c.Pattern.Verb == model.List && len(c.Read.Checks) == 0 && amongShards(c)
}

// filteredUnits is what a read takes that leaves out some of what it reads. Its requests ask
// for as many entries as access.List.PageSize says, and go on until enough are found.
func (j *Read) filteredUnits(partition []string, requests []access.Request, limit int) float64 {
	slices.SortStableFunc(requests, func(a, b access.Request) int { // as access.NewList does
		for _, name := range partition {
			if n := state.CompareKeys(a.Values[name], b.Values[name]); n != 0 {
				return n
			}
		}
		return 0
	})
	var all []*filtered
	for _, one := range requests {
		all = append(all, &filtered{request: one, behind: j.behind(one)})
	}
	units, barren, kept := 0.0, -1, 0
	for left := limit; left > 0; {
		if slices.ContainsFunc(all, (*filtered).dry) {
			if barren = min(barren+1, 10); kept > 0 {
				barren = 0
			}
			kept = 0
			for _, q := range all {
				together := j.Call.Pattern.Verb != model.Get && !q.ended && len(q.ready) <= q.full/4
				if q.dry() || len(all) > 1 && together {
					units += j.ask(q, left, barren)
				}
			}
		}
		q := first(j.Call, all)
		if q == nil {
			return units
		}
		if j.Passes(q.ready[0].item) && !j.IsShard(q.ready[0].item) {
			q.kept++
			kept++
			left--
		}
		q.ready = q.ready[1:]
	}
	return units
}

// dry reports whether a query has to be asked before anything can be taken.
func (q *filtered) dry() bool { return len(q.ready) == 0 && !q.ended }

// ask asks a query until there is something to take, and returns the units. Without a filter
// it asks for what is wanted, and for twice as many after each time that nothing was.
func (j *Read) ask(q *filtered, wanted, barren int) float64 {
	units := 0.0
	for {
		n := max(10*wanted, 100)
		if q.asked > 0 && q.kept+len(q.ready) < q.wanted {
			n = max(n, 2*q.asked)
		}
		if len(j.Call.Read.Filter) == 0 {
			n = wanted << barren
		}
		q.asked, q.wanted, q.kept, q.full = n, wanted, 0, 0
		page := pageOf(q.behind, n)
		units += pageUnits(j.Call, page)
		q.behind = q.behind[len(page):]
		q.ended = len(q.behind) == 0 && len(page) < n
		for _, one := range page {
			if r := j.Tables.At(j.Call.Read.Entry.Path.Table, one.item); r != nil && j.lets(r) {
				q.ready = append(q.ready, one)
				q.full++
			}
		}
		if !q.dry() {
			return units
		}
	}
}

// lets reports whether the filter of a read lets a row through. One of a counter that is
// spread has nothing but its number.
func (j *Read) lets(r *state.Row) bool {
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

// first is the query whose next entry comes first in the order of the sort key.
func first(c *program.Call, all []*filtered) *filtered {
	var best *filtered
	for _, q := range all {
		switch {
		case len(q.ready) == 0:
		case best == nil:
			best = q
		default:
			if n := compareEntries(c, q, best); c.Read.Descending && n > 0 || !c.Read.Descending && n < 0 {
				best = q
			}
		}
	}
	return best
}

// compareEntries compares the next entries of two queries by what follows the lead of each.
func compareEntries(c *program.Call, a, b *filtered) int {
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
