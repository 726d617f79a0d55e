package table

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/rowformat"
)

// A mutation is the change of one item. Every write of the engine is one or
// several mutations passed to writeAll or to a transaction.
type mutation struct {
	table *catalog.Table // entered
	key   []byte         // of the item's row

	// next returns the item after the change and its size, given the item before
	// it (nil if there is none); a nil result deletes. The item before is valid
	// only during the call. An error cancels the whole write.
	next func(old dynamo.Item) (item dynamo.Item, size int, err error)

	keepOld       bool // keep the old item as a result
	transactional bool // costs twice as much
	byService     bool // it deletes an expired item
	clock         *catalog.Clock

	old     dynamo.Item
	size    int // of the larger of the items before and after; of a batch's put also before it runs
	account capacity.Account
	counted counted
}

// writeOne executes the mutation of one item.
func (s *Tables) writeOne(ctx context.Context, m *mutation) error {
	if s.claims.has(m.key) {
		return dynamo.Errorf(dynamo.TransactionConflict, conflictMessage)
	}
	m.clock = &s.catalog.Clock
	if err := s.store.Update(ctx, [][]byte{m.key}, s.inTime(ctx, m.run)); err != nil {
		return err
	}
	m.counted.book()
	return nil
}

// writeAll executes the mutations in one atomic commit: all or none. It
// returns when they are durable. No two mutations may change the same item.
func (s *Tables) writeAll(ctx context.Context, ms []*mutation) error {
	latches := make([][]byte, len(ms))
	for i, m := range ms {
		latches[i], m.clock = m.key, &s.catalog.Clock
	}
	err := s.store.Update(ctx, latches, s.inTime(ctx, func(tx kv.Txn) error {
		for _, m := range ms {
			if err := m.run(tx); err != nil {
				return err
			}
		}
		return nil
	}))
	if err != nil {
		return err
	}
	for _, m := range ms {
		m.counted.book()
	}
	return nil
}

// inTime returns a write that fails if it is too late to commit it: its request may have waited for latches, or the process may
// have been stopped.
func (s *Tables) inTime(ctx context.Context, write func(kv.Txn) error) func(kv.Txn) error {
	if !dynamo.HasUntil(ctx) {
		return write
	}
	return func(tx kv.Txn) error {
		if err := write(tx); err != nil {
			return err
		}
		return dynamo.CheckUntil(ctx, s.catalog.Now)
	}
}

// run reads the old item, computes the new one and writes the difference.
func (m *mutation) run(tx kv.Txn) error {
	m.account, m.counted = capacity.Account{}, counted{hash: rowformat.PartitionHash(m.key)}
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

// change replaces old with the next item. Everything that depends on an item is
// derived from these two.
func (m *mutation) change(tx kv.Txn, old dynamo.Item, oldSize int) error {
	if m.keepOld {
		m.old = old.Clone()
	}
	next, nextSize, err := m.next(old)
	if err != nil {
		return err
	}
	m.size = max(oldSize, nextSize)
	m.charge(capacity.WriteUnits(max(billedSize(m.table, old, oldSize), billedSize(m.table, next, nextSize))))
	if bytes.Equal(old, next) {
		return nil
	}
	if next == nil {
		tx.Delete(m.key)
	} else {
		setRow(tx, m.key, nextSize, next)
	}
	m.counted.add(m.table.Counter, old != nil, next != nil, oldSize, nextSize)
	for _, x := range m.table.Indexes {
		m.follow(tx, x, entryOf(x, old, oldSize), entryOf(x, next, nextSize))
	}
	for _, x := range m.table.Vectors {
		m.followVector(tx, x, vectorEntryOf(m.table, x, old), vectorEntryOf(m.table, x, next))
	}
	if m.table.Expiry != nil {
		m.followExpiry(tx, old, next)
	}
	if stream := m.table.Stream; stream != nil {
		m.record(tx, stream.LogOf(m.counted.hash), stream.View, old, next)
	}
	if m.table.SinkLog != 0 {
		m.record(tx, m.table.SinkLog, dynamo.ViewNewAndOldImages, old, next)
	}
	return nil
}

// charge adds units of the table itself. Transactions cost twice as many.
func (m *mutation) charge(units float64) {
	if m.transactional {
		units *= 2
	}
	m.account.Table(units)
}

// buffers holds buffers for building rows and records; a transaction copies its arguments.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func setRow(tx kv.Txn, key []byte, size int, item dynamo.Item) {
	row := buffers.Get().(*[]byte)
	*row = rowformat.AppendRow((*row)[:0], size, item)
	tx.Set(key, *row)
	buffers.Put(row)
}

// follow updates one index from the entry before to the entry after.
func (m *mutation) follow(tx kv.Txn, x *catalog.Index, before, after entry) {
	moved := before.key != nil && after.key != nil && !bytes.Equal(before.key, after.key)
	changed := !bytes.Equal(before.item, after.item)
	if before.key != nil && (after.key == nil || moved) {
		tx.Delete(before.key)
	}
	if after.key != nil && (before.key == nil || moved || changed) {
		setRow(tx, after.key, after.size, after.item)
	}
	m.counted.add(x.Counter, before.key != nil, after.key != nil, before.size, after.size)
	units := capacity.IndexWriteUnits(before.size, after.size, moved, changed)
	switch {
	case x.Building: // free until it can be read
	case x.Local:
		m.account.Local(x.Name, units)
	default:
		m.account.Global(x.Name, units)
	}
}

// followExpiry updates the expiry row of the item from old to next.
func (m *mutation) followExpiry(tx kv.Txn, old, next dynamo.Item) {
	before, after := expirySecond(m.table.Expiry, old), expirySecond(m.table.Expiry, next)
	if before == after {
		return
	}
	if before != never {
		tx.Delete(rowformat.AppendExpiry(nil, m.table.Expiry.Path, before, m.key))
	}
	if after != never {
		tx.Set(rowformat.AppendExpiry(nil, m.table.Expiry.Path, after, m.key), []byte{rowformat.Version})
	}
}

// record adds the change to a log, with the images of the view. Its time is
// set when its sequence number is assigned. All records of a commit share one stamp.
func (m *mutation) record(tx kv.Txn, log uint32, view string, old, next dynamo.Item) {
	change := rowformat.Change{Kind: rowformat.Modify, ByService: m.byService}
	image := next
	switch {
	case old == nil:
		change.Kind = rowformat.Insert
	case next == nil:
		change.Kind, image = rowformat.Remove, old
	}
	change.Keys = image.Only(m.table.KeyNames)
	if view == dynamo.ViewNewImage || view == dynamo.ViewNewAndOldImages {
		change.New = next
	}
	if view == dynamo.ViewOldImage || view == dynamo.ViewNewAndOldImages {
		change.Old = old
	}
	buf := buffers.Get().(*[]byte)
	*buf = rowformat.AppendChange((*buf)[:0], &change)
	tx.Log(log, *buf)
	tx.Stamp(m.clock.Stamp())
	buffers.Put(buf)
}
