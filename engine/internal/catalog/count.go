package catalog

import (
	"context"
	"fmt"
	"maps"
	"sync/atomic"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// A Counter counts the rows of one path and their bytes. Writers of different
// items mostly add to different stripes, which avoids contention.
type Counter struct {
	stripes [counterStripes]struct {
		rows, bytes atomic.Int64
		_           [48]byte // a stripe fills a cache line
	}
	stale atomic.Pointer[[2]int64] // the counts before a crash, until the rows have been counted
}

const counterStripes = 8

// Add counts rows and bytes; hash is any number that differs between items.
func (c *Counter) Add(hash uint32, rows, bytes int64) {
	s := &c.stripes[hash%counterStripes]
	if rows != 0 {
		s.rows.Add(rows)
	}
	if bytes != 0 {
		s.bytes.Add(bytes)
	}
}

// Sum returns the counts. After a crash it returns the counts that were last saved until the
// rows have been counted.
func (c *Counter) Sum() (rows, bytes int64) {
	if stale := c.stale.Load(); stale != nil {
		return stale[0], stale[1]
	}
	for i := range c.stripes {
		rows += c.stripes[i].rows.Load()
		bytes += c.stripes[i].bytes.Load()
	}
	return max(0, rows), max(0, bytes)
}

// Reset sets the counter to zero. No write may be under way.
func (c *Counter) Reset() {
	for i := range c.stripes {
		c.stripes[i].rows.Store(0)
		c.stripes[i].bytes.Store(0)
	}
}

// counts holds the rows and the bytes of each path. The exact counts are in the store only
// while the database is closed; those to show after a crash are saved from time to time.
type counts map[string][2]int64

func countName(p rowformat.Path) string { return fmt.Sprintf("%d/%d", p.Table, p.Index) }

// Counters calls fn for every counter of the table.
func (t *Table) Counters(fn func(rowformat.Path, *Counter)) {
	fn(t.Path, t.Counter)
	for _, x := range t.Indexes {
		fn(x.Path, x.Counter)
	}
	for _, x := range t.Vectors {
		fn(x.Path, x.Counter)
	}
}

// takeCounts sets the counters to the saved ones. Without exact counts the rows must be
// counted, and until then the counters show the counts that were last saved.
func (c *Catalog) takeCounts() {
	tables := c.Tables()
	c.uncounted = c.counts == nil && len(tables) > 0
	c.saved.Store(c.counts != nil)
	for _, t := range tables {
		t.Counters(func(p rowformat.Path, counter *Counter) {
			n := c.counts[countName(p)]
			counter.Add(0, n[0], n[1])
			if stale, noted := c.noted[countName(p)]; noted && c.uncounted {
				counter.stale.Store(&stale)
			}
		})
	}
	c.counts = nil
}

// sums returns what the counters show.
func (c *Catalog) sums() counts {
	sums := counts{}
	for _, t := range c.Tables() {
		t.Counters(func(p rowformat.Path, counter *Counter) {
			rows, bytes := counter.Sum()
			sums[countName(p)] = [2]int64{rows, bytes}
		})
	}
	return sums
}

// forgetCounts removes the exact counts and the time before the first write makes them wrong,
// and keeps the counts to show after a crash. A database that is only read keeps them all.
func (c *Catalog) forgetCounts() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.saved.Load() {
		return nil
	}
	sums := c.sums()
	err := c.commit(context.Background(), func(tx kv.Txn) error {
		tx.Delete(rowformat.CatalogKey(countsRow))
		tx.Delete(rowformat.CatalogKey(clockRow))
		return setRow(tx, notedRow, sums)
	})
	if err == nil {
		c.saved.Store(false)
		c.noted = sums
	}
	return err
}

// NoteCounts saves what the counters show, if it has changed. A database that was not closed
// cleanly shows it until the rows have been counted.
func (c *Catalog) NoteCounts(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	sums := c.sums()
	if c.saved.Load() || maps.Equal(sums, c.noted) {
		return nil
	}
	err := c.store.Update(ctx, [][]byte{rowformat.CatalogKey("")}, func(tx kv.Txn) error {
		return setRow(tx, notedRow, sums)
	})
	if err == nil {
		c.noted = sums
	}
	return err
}

// Uncounted reports whether the rows of the tables must be recounted, because the database
// was not closed cleanly.
func (c *Catalog) Uncounted() bool { return c.uncounted }

// Undated reports whether the latest time of the clock must be read from the records of the
// streams, because the database was not closed cleanly.
func (c *Catalog) Undated() bool { return c.undated }

// SaveCounts saves the counters and the time for the next start. The gates must be closed.
func (c *Catalog) SaveCounts(ctx context.Context) error {
	if c.saved.Load() {
		return nil // nothing was written
	}
	return c.store.Update(ctx, [][]byte{rowformat.CatalogKey("")}, func(tx kv.Txn) error {
		if err := setRow(tx, clockRow, c.Clock.last.Load()); err != nil {
			return err
		}
		tx.Delete(rowformat.CatalogKey(notedRow))
		return setRow(tx, countsRow, c.sums())
	})
}

// Recount recounts some rows of a table. It resets the counters and calls count while no
// write is under way. count calls begun when it has a snapshot of the rows; writes then
// continue. Until count has succeeded, stale counters stay as they are.
func (t *Table) Recount(counters map[rowformat.Path]*Counter, count func(begun func()) error) error {
	t.gate.mu.Lock()
	for _, c := range counters {
		c.Reset()
	}
	inside := true
	begun := func() {
		if inside {
			inside = false
			t.gate.mu.Unlock()
		}
	}
	defer begun()
	if err := count(begun); err != nil {
		return err
	}
	for _, c := range counters {
		c.stale.Store(nil)
	}
	return nil
}
