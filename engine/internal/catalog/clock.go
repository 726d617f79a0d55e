package catalog

import (
	"sync/atomic"
	"time"

	"sortkey.dev/engine/internal/rowformat"
)

// A Clock dates the records of streams. It follows the database's clock but never runs
// backwards: not when that clock is set back, and not over a restart. While it is ahead it
// stands still. Its resolution is a millisecond, as in the records. It is safe for
// concurrent use.
//
// Times that are compared with the wall clock of callers, like the expiry of
// items, use [Catalog.Now] instead: a clock that was wrong for a moment must not
// expire items until it has caught up.
type Clock struct {
	now  func() time.Time
	last atomic.Int64 // the latest returned time, in milliseconds
}

// Tick returns the time of a change that is being made.
func (c *Clock) Tick() time.Time { return c.Advance(c.now()) }

// Advance moves the clock to at least t, and returns its time.
func (c *Clock) Advance(t time.Time) time.Time {
	for ms := t.UnixMilli(); ; {
		last := c.last.Load()
		if ms <= last {
			return time.UnixMilli(last).UTC()
		}
		if c.last.CompareAndSwap(last, ms) {
			return time.UnixMilli(ms).UTC()
		}
	}
}

// Newest returns the newest time in the database: of a stream record or of a table.
func (c *Catalog) Newest() time.Time {
	newest := time.UnixMilli(c.Clock.last.Load()).UTC()
	for _, t := range c.Tables() {
		if t.Created.After(newest) {
			newest = t.Created
		}
	}
	return newest
}

// Stamp returns a function that dates the records of one commit, all with the same time,
// which is taken at the first call: see [kv.Txn.Stamp].
func (c *Clock) Stamp() func(record []byte) {
	var now time.Time
	return func(record []byte) {
		if now.IsZero() {
			now = c.Tick()
		}
		rowformat.StampChange(record, now)
	}
}

// advanceBy advances the clock to the latest time that a stream of the catalog knows.
func (c *Clock) advanceBy(s *Stream) {
	for _, shard := range s.Shards {
		c.Advance(shard.Created)
		if shard.Closed != nil {
			c.Advance(*shard.Closed)
		}
	}
}
