package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// buildBatch is the number of items that a build handles in one commit. They are latched
// meanwhile, so a larger batch makes writers wait longer.
const buildBatch = 256

// A build adds the rows of one path for the items that existed before the path.
// Writes maintain the path themselves, so it does not matter whether a write or the build
// handles an item first.
type build struct {
	table *catalog.Table
	path  rowformat.Path
	// add writes the row for an item, given the key of the item's row.
	add func(tx kv.Txn, key []byte, item dynamo.Item, size int)
	// waits reports whether a version of the table still waits for this build.
	waits func(t *catalog.Table) bool
}

// Build completes the indexes and expiries that were added to tables with items.
func (s *Tables) Build(ctx context.Context) error {
	for _, t := range s.catalog.Tables() {
		if t.Building != "" {
			if err := s.buildIndex(ctx, t); err != nil {
				return fmt.Errorf("build index %s of table %s: %w", t.Building, t.Name(), err)
			}
		}
		if t.Expiry != nil && t.Expiry.Building {
			if err := s.buildExpiry(ctx, t); err != nil {
				return fmt.Errorf("build the expiry rows of table %s: %w", t.Name(), err)
			}
		}
	}
	return nil
}

// buildIndex completes the index of a table that is being built.
func (s *Tables) buildIndex(ctx context.Context, t *catalog.Table) error {
	var counter *catalog.Counter
	b := &build{table: t}
	if x := t.Index(t.Building); x != nil {
		b.path, b.add, counter = x.Path, addEntry(x), x.Counter
	} else if x := t.Vector(t.Building); x != nil {
		b.path, b.add, counter = x.Path, addVectorEntry(t, x), x.Counter
	}
	b.waits = func(t *catalog.Table) bool { return t.Builds(b.path) }
	done, err := s.run(ctx, b)
	if err != nil || !done {
		return err
	}
	if err := s.recount(ctx, t, map[rowformat.Path]*catalog.Counter{b.path: counter}); err != nil {
		return err
	}
	return s.catalog.IndexBuilt(ctx, b.path)
}

// addEntry writes the entry of an item to an index that is being built. It counts the entry
// to show the progress; the entries are counted exactly at the end.
func addEntry(x *catalog.Index) func(kv.Txn, []byte, dynamo.Item, int) {
	return func(tx kv.Txn, _ []byte, item dynamo.Item, size int) {
		if e := entryOf(x, item, size); e.key != nil {
			setRow(tx, e.key, e.size, e.item)
			x.Counter.Add(0, 1, int64(e.size))
		}
	}
}

// addVectorEntry is addEntry for a vector index.
func addVectorEntry(t *catalog.Table, x *catalog.Vector) func(kv.Txn, []byte, dynamo.Item, int) {
	return func(tx kv.Txn, _ []byte, item dynamo.Item, _ int) {
		if e := vectorEntryOf(t, x, item); e.key != nil {
			tx.Set(e.key, e.row)
			x.Counter.Add(0, 1, int64(e.size))
		}
	}
}

func (s *Tables) buildExpiry(ctx context.Context, t *catalog.Table) error {
	path := t.Expiry.Path
	b := &build{
		table: t, path: path,
		add: func(tx kv.Txn, key []byte, item dynamo.Item, _ int) {
			if second := expirySecond(t.Expiry, item); second != never {
				tx.Set(rowformat.AppendExpiry(nil, path, second, key), []byte{rowformat.Version})
			}
		},
		waits: func(t *catalog.Table) bool { return t.Expiry != nil && t.Expiry.Path == path },
	}
	done, err := s.run(ctx, b)
	if err != nil || !done {
		return err
	}
	return s.catalog.ExpiryBuilt(ctx, path)
}

// run processes the items of a table. done is false if the path was dropped meanwhile.
func (s *Tables) run(ctx context.Context, b *build) (done bool, err error) {
	lo, hi := rowformat.PathSpan(b.table.Path)
	progress, err := s.catalog.BuildProgress(ctx, b.path)
	if err != nil {
		return false, err
	}
	if progress != nil {
		lo = append(progress, 0)
	}
	for {
		keys, err := s.keys(ctx, lo, hi, buildBatch)
		if err != nil {
			return false, err
		}
		if len(keys) == 0 {
			return true, nil
		}
		if ok, err := s.runBatch(ctx, b, keys); !ok || err != nil {
			return false, err
		}
		lo = append(keys[len(keys)-1], 0)
	}
}

// keys lists up to n keys of rows.
func (s *Tables) keys(ctx context.Context, lo, hi []byte, n int) (keys [][]byte, err error) {
	err = s.store.View(ctx, kv.Latest, func(r kv.Reader) error {
		return r.Scan(lo, hi, kv.ScanOptions{}, func(key, _ []byte) bool {
			keys = append(keys, bytes.Clone(key))
			return len(keys) < n
		})
	})
	return keys, err
}

// runBatch adds the rows for the items with these keys that still exist.
func (s *Tables) runBatch(ctx context.Context, b *build, keys [][]byte) (waited bool, err error) {
	t, err := s.catalog.Enter(b.table.Name())
	if _, gone := errors.AsType[*dynamo.Error](err); gone {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer t.Leave()
	if t.ID != b.table.ID || !b.waits(t) {
		return false, nil
	}
	return true, s.store.Update(ctx, keys, func(tx kv.Txn) error {
		for _, key := range keys {
			_, err := tx.Get(key, func(row []byte) error {
				size, item, err := rowformat.ParseRow(row)
				if err == nil {
					b.add(tx, key, item, size)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		catalog.NoteBuild(tx, b.path, keys[len(keys)-1])
		return nil
	})
}
