package table

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// A mutation is the change of one item. Every write of the engine is one or
// several mutations handed to writeAll.
type mutation struct {
	table *catalog.Table
	key   []byte // of the item's row

	// next returns the item after the change and its size, given the item before
	// it (nil where there is none); a nil result deletes. The item before is valid
	// only during the call. An error cancels the whole write.
	next func(old dynamo.Item) (item dynamo.Item, size int, err error)

	// blind says that next ignores the old item and nobody asks for it.
	blind bool
	// keepOld and meter ask for the results old and account.
	keepOld bool
	meter   bool

	old     dynamo.Item
	account capacity.Account
}

// writeOne carries out the mutation of one item.
func (s *Tables) writeOne(ctx context.Context, m *mutation) error {
	defer m.table.Leave()
	if !m.table.Enter() {
		return dynamo.TableNotFound()
	}
	return s.store.Update(ctx, [][]byte{m.key}, m.run)
}

// writeAll carries the mutations out in one atomic commit: all or none. It
// returns when they are durable. No two mutations may change the same item.
func (s *Tables) writeAll(ctx context.Context, ms []*mutation) error {
	leave, err := enter(ms)
	defer leave()
	if err != nil {
		return err
	}
	latches := make([][]byte, len(ms))
	for i, m := range ms {
		latches[i] = m.key
	}
	return s.store.Update(ctx, latches, func(tx kv.Txn) error {
		for _, m := range ms {
			if err := m.run(tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// enter keeps the tables of the mutations from being deleted until leave is called.
func enter(ms []*mutation) (leave func(), err error) {
	var entered []*catalog.Table // each once: a table waiting to be deleted lets nobody in twice
	for _, m := range ms {
		if slices.Contains(entered, m.table) {
			continue
		}
		entered = append(entered, m.table)
		if !m.table.Enter() {
			err = dynamo.TableNotFound()
			break
		}
	}
	return func() {
		for _, t := range entered {
			t.Leave()
		}
	}, err
}

// run reads the old item, computes the new one and writes the difference.
func (m *mutation) run(tx kv.Txn) error {
	m.account = capacity.Account{}
	if m.needsNoOld() {
		return m.change(tx, nil, 0)
	}
	found, err := tx.Get(m.key, func(row []byte) error {
		size, old, err := rowformat.ParseRow(row)
		if err != nil {
			return fmt.Errorf("table %s: %w", m.table.Name(), err)
		}
		return m.change(tx, old, size)
	})
	if found || err != nil {
		return err
	}
	return m.change(tx, nil, 0)
}

// needsNoOld reports whether the row can be written without looking: nobody
// asked and no index has to follow.
func (m *mutation) needsNoOld() bool {
	return m.blind && !m.meter && len(m.table.Indexes) == 0
}

// change goes from old to the next item.
func (m *mutation) change(tx kv.Txn, old dynamo.Item, oldSize int) error {
	if m.keepOld {
		m.old = old.Clone()
	}
	next, nextSize, err := m.next(old)
	if err != nil {
		return err
	}
	m.account.Table(capacity.WriteUnits(max(oldSize, nextSize)))
	switch {
	case next == nil && (old != nil || m.needsNoOld()):
		tx.Delete(m.key)
	case next == nil: // there was nothing to delete
	case !bytes.Equal(old, next):
		setRow(tx, m.key, nextSize, next)
	}
	for _, x := range m.table.Indexes {
		m.follow(tx, x, entryOf(x, old, oldSize), entryOf(x, next, nextSize))
	}
	return nil
}

// rows are buffers to build rows in; a transaction copies what it is given.
var rows = sync.Pool{New: func() any { return new([]byte) }}

func setRow(tx kv.Txn, key []byte, size int, item dynamo.Item) {
	row := rows.Get().(*[]byte)
	*row = rowformat.AppendRow((*row)[:0], size, item)
	tx.Set(key, *row)
	rows.Put(row)
}

// follow brings one index from the entry before to the entry after.
func (m *mutation) follow(tx kv.Txn, x *catalog.Index, before, after entry) {
	moved := before.key != nil && after.key != nil && !bytes.Equal(before.key, after.key)
	changed := !bytes.Equal(before.item, after.item)
	if before.key != nil && (after.key == nil || moved) {
		tx.Delete(before.key)
	}
	if after.key != nil && (before.key == nil || moved || changed) {
		setRow(tx, after.key, after.size, after.item)
	}
	units := capacity.IndexWriteUnits(before.size, after.size, moved, changed)
	if x.Local {
		m.account.Local(x.Name, units)
	} else {
		m.account.Global(x.Name, units)
	}
}
