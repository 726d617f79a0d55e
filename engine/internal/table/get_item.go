package table

import (
	"context"
	"fmt"

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

// get reads the item with a checked key into memory: what the projection leaves
// of it, nil when there is none, and the size of the whole.
func (s *Tables) get(ctx context.Context, t *catalog.Table, key dynamo.Item, p *expression.Projection, consistent bool, memory *dynamo.Memory) (item dynamo.Item, size int, err error) {
	var buf [usualKeySize]byte
	found, err := s.store.Get(ctx, consistency(consistent), appendRowKey(buf[:0], t, key), func(row []byte) error {
		var stored dynamo.Item
		if size, stored, err = rowformat.ParseRow(row); err != nil {
			return fmt.Errorf("table %s: %w", t.Name(), err)
		}
		if p != nil {
			item = p.Apply(stored)
		} else {
			item = memory.Keep(stored)
		}
		return nil
	})
	if err == nil && !found {
		err = s.checkStillThere(t)
	}
	return item, size, err
}
