package lease

import "time"

// A Watch judges which owners of rows are alive, by heartbeats and its own clock. It is used by one goroutine at a time.
type Watch struct {
	Now  func() time.Time
	Time time.Duration // a row that was seen unchanged for so long has no living owner
	seen map[string]observation
}

// An observation is since when a row has had no heartbeat.
type observation struct {
	owner, wanted string
	lease, beat   int64
	since         time.Time
}

// NewWatch returns a watch for leases of a length.
func NewWatch(now func() time.Time, length time.Duration) *Watch {
	return &Watch{Now: now, Time: length, seen: map[string]observation{}}
}

// See notes a row as it was read at a time. The rows of one read have one time.
func (w *Watch) See(id string, r Row, at time.Time) {
	is := observation{r.Owner, r.Wanted, r.Lease, r.Beat, at}
	if was, known := w.seen[id]; known {
		is.since = was.since
		if is != was {
			is.since = at
		}
	}
	w.seen[id] = is
}

// Forget forgets the rows that are not there any more, and calls forgot for each.
func (w *Watch) Forget(there func(id string) bool, forgot func(id string)) {
	for id := range w.seen {
		if !there(id) {
			delete(w.seen, id)
			forgot(id)
		}
	}
}

// Live reports whether a process has the row, or is about to take it. A row that was not seen yet has none.
func (w *Watch) Live(id string, r Row) bool {
	return (r.Owner != "" || r.Wanted != "") && w.Now().Sub(w.seen[id].since) < w.Time
}
