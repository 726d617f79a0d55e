package table

import (
	"context"
	"fmt"
	"sync"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// GetItem reads one item.
func (s *Tables) GetItem(ctx context.Context, req *request.GetItem) (*dynamo.GetItemOutput, error) {
	t, err := s.lookup(req.Table)
	if err != nil {
		return nil, err
	}
	if err := checkKey(t, req.Key); err != nil {
		return nil, err
	}
	if err := checkProjection(t, req.Projection); err != nil {
		return nil, err
	}
	out := &dynamo.GetItemOutput{}
	item, size, err := s.get(ctx, t, req.Key, req.Projection, req.Consistent, &out.Memory)
	if err != nil {
		return nil, err
	}
	out.Item = item
	if req.Capacity != request.CapacityNone {
		var account capacity.Account
		account.Table(capacity.ReadUnits(size, req.Consistent))
		out.ConsumedCapacity = account.Consumed(req.Table, false, req.Capacity == request.CapacityIndexes)
	}
	return out, nil
}

// checkProjection checks a projection, which may be nil, against the schema of t.
func checkProjection(t *catalog.Table, p *expression.Projection) error {
	if p == nil {
		return nil
	}
	return checkScalarKeys(t, p.NestedNames())
}

// get reads the item with a checked key into memory: its projection, nil if there is none,
// and the size of the whole item.
func (s *Tables) get(ctx context.Context, t *catalog.Table, key dynamo.Item, p *expression.Projection, consistent bool, memory *dynamo.Memory) (item dynamo.Item, size int, err error) {
	r := itemReaders.Get().(*itemReader)
	r.table, r.projection, r.memory = t, p, memory
	r.key = appendRowKey(r.key[:0], t, key)
	found, err := s.store.Get(ctx, consistency(consistent), r.key, r.visit)
	item, size = r.item, r.size
	r.release()
	if err == nil && !found {
		err = s.checkStillThere(t)
	}
	return item, size, err
}

// An itemReader is the state of one get. It is pooled with the function that the
// store calls, because that function and all it uses would be allocated each time.
type itemReader struct {
	table      *catalog.Table
	projection *expression.Projection
	memory     *dynamo.Memory
	key        []byte
	visit      func(row []byte) error // take
	item       dynamo.Item
	size       int
}

var itemReaders = sync.Pool{New: func() any {
	r := new(itemReader)
	r.visit = r.take
	return r
}}

// take takes the item out of the row.
func (r *itemReader) take(row []byte) error {
	size, stored, err := rowformat.ParseRow(row)
	if err != nil {
		return fmt.Errorf("table %s: %w", r.table.Name(), err)
	}
	r.size = size
	if r.projection != nil {
		r.item = r.projection.Apply(stored)
	} else {
		r.item = r.memory.Keep(stored)
	}
	return nil
}

// release gives the reader back. Keys are short, so it keeps its buffer.
func (r *itemReader) release() {
	*r = itemReader{key: r.key, visit: r.visit}
	itemReaders.Put(r)
}
