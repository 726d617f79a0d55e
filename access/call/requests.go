package call

import (
	"bytes"
	"maps"
	"slices"
)

// distinctRequests returns the requests of a query without those that repeat another, in an
// order that their values alone decide. Cursors count on it: callers give sets, such as the
// keys of a map. Those of an empty range are left out, too.
func distinctRequests(q *Query) []Request {
	inverted := func(r Request) bool {
		return q.Between[0] != "" && compareValues(r.Values[q.Between[0]], 0, r.Values[q.Between[1]], 0) > 0
	}
	if slices.ContainsFunc(q.Requests, inverted) {
		q.Requests = slices.DeleteFunc(slices.Clone(q.Requests), inverted)
	}
	if len(q.Requests) < 2 {
		return q.Requests
	}
	type named struct {
		request Request
		text    []byte
	}
	all := make([]named, len(q.Requests))
	for i, r := range q.Requests {
		all[i] = named{r, appendItem(nil, r.Values)}
	}
	placeholders := placeholdersOf(q)
	slices.SortStableFunc(all, func(a, b named) int {
		for _, name := range placeholders {
			if order := compareValues(a.request.Values[name], 0, b.request.Values[name], 0); order != 0 {
				return order
			}
		}
		return bytes.Compare(a.text, b.text)
	})
	all = slices.CompactFunc(all, func(a, b named) bool { return bytes.Equal(a.text, b.text) })
	requests := make([]Request, len(all))
	for i := range all {
		requests[i] = all[i].request
	}
	return requests
}

// placeholdersOf returns the placeholders of a query's values: those of the partition first,
// because the others may change from page to page.
func placeholdersOf(q *Query) []string {
	isPartition := make(map[string]bool, len(q.Partition))
	for _, name := range q.Partition {
		isPartition[name] = true
	}
	rest := slices.Sorted(maps.Keys(q.Requests[0].Values))
	rest = slices.DeleteFunc(rest, func(name string) bool { return isPartition[name] })
	return slices.Concat(q.Partition, rest)
}
