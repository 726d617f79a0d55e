package table

import (
	"context"
	"fmt"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// counted holds the changes of a mutation to the counters of its table. They are applied
// after the mutation has been committed.
type counted struct {
	hash uint32 // selects the stripes
	n    int
	few  [3]counterChange
	more []counterChange
}

type counterChange struct {
	counter     *catalog.Counter
	rows, bytes int64
}

// add records the sizes of a row before and after the change, if it exists.
func (c *counted) add(counter *catalog.Counter, before, after bool, beforeSize, afterSize int) {
	change := counterChange{counter: counter}
	if before {
		change.rows--
		change.bytes -= int64(beforeSize)
	}
	if after {
		change.rows++
		change.bytes += int64(afterSize)
	}
	switch {
	case change.rows == 0 && change.bytes == 0:
	case c.n < len(c.few):
		c.few[c.n] = change
		c.n++
	default:
		c.more = append(c.more, change)
	}
}

// book applies the changes to the counters.
func (c *counted) book() {
	for _, change := range c.few[:c.n] {
		change.counter.Add(c.hash, change.rows, change.bytes)
	}
	for _, change := range c.more {
		change.counter.Add(c.hash, change.rows, change.bytes)
	}
}

// Recount counts the rows of all tables, which is necessary after a crash. Writes continue
// meanwhile.
func (s *Tables) Recount(ctx context.Context) error {
	for _, t := range s.catalog.Tables() {
		counters := map[rowformat.Path]*catalog.Counter{}
		t.Counters(func(p rowformat.Path, c *catalog.Counter) { counters[p] = c })
		if err := s.recount(ctx, t, counters); err != nil {
			return fmt.Errorf("count the rows of table %s: %w", t.Name(), err)
		}
	}
	return nil
}

// recount counts the rows of some paths of a table.
func (s *Tables) recount(ctx context.Context, t *catalog.Table, counters map[rowformat.Path]*catalog.Counter) error {
	s.counter.Lock()
	defer s.counter.Unlock()
	return t.Recount(counters, func(begun func()) error {
		return s.store.View(ctx, kv.Latest, func(r kv.Reader) error {
			begun()
			for path, counter := range counters {
				rows, bytes, err := countRows(ctx, r, path)
				if err != nil {
					return err
				}
				counter.Add(0, rows, bytes)
			}
			return nil
		})
	})
}

func countRows(ctx context.Context, r kv.Reader, path rowformat.Path) (rows, bytes int64, err error) {
	lo, hi := rowformat.PathSpan(path)
	scanErr := r.Scan(lo, hi, kv.ScanOptions{}, func(_, row []byte) bool {
		var size int
		if size, _, err = rowformat.ParseRow(row); err != nil {
			return false
		}
		rows++
		bytes += int64(size)
		if rows%1024 == 0 {
			err = ctx.Err()
		}
		return err == nil
	})
	if err == nil {
		err = scanErr
	}
	return rows, bytes, err
}
