package table

import (
	"context"
	"fmt"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// TransactGetItems reads up to 100 items in one consistent snapshot.
func (s *Tables) TransactGetItems(ctx context.Context, req *request.TransactGetItems) (*dynamo.TransactGetItemsOutput, error) {
	keys, tables, err := s.transactKeys(req)
	if err != nil {
		return nil, err
	}
	if err := s.checkConflicts(keys); err != nil {
		return nil, err
	}
	out := &dynamo.TransactGetItemsOutput{Responses: make([]dynamo.Item, len(keys))}
	sizes := make([]int, len(keys))
	err = s.store.View(ctx, kv.Durable, func(r kv.Reader) error {
		for i, key := range keys {
			item, size, err := readItem(r, tables[i], key, &req.Gets[i], &out.Memory)
			if err == nil && size == 0 { // nothing was found
				err = s.checkStillThere(tables[i])
			}
			if err != nil {
				return err
			}
			out.Responses[i], sizes[i] = item, size
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	bill, total := newBill(req.Capacity, false), 0
	for i, size := range sizes {
		var account capacity.Account
		account.Table(2 * capacity.ReadUnits(size, true))
		bill.add(req.Gets[i].Table, &account)
		total += size
	}
	if total > dynamo.MaxTransactSize {
		return nil, request.TransactionTooLarge()
	}
	out.ConsumedCapacity = bill.consumed()
	return out, nil
}

// transactKeys checks the keys and returns the tables and the rows.
func (s *Tables) transactKeys(req *request.TransactGetItems) (keys [][]byte, tables []*catalog.Table, err error) {
	for i := range req.Gets {
		t, err := s.lookup(req.Gets[i].Table)
		if err != nil {
			return nil, nil, err
		}
		tables = append(tables, t)
	}
	for i := range req.Gets {
		if err := checkTransactGet(tables[i], &req.Gets[i]); err != nil {
			x := transaction{reasons: make([]dynamo.CancellationReason, len(req.Gets))}
			x.start()
			if err := x.note(i, err); err != nil {
				return nil, nil, err
			}
			return nil, nil, x.cancelled()
		}
	}
	seen := make(map[string]bool, len(req.Gets))
	for i := range req.Gets {
		key := rowKey(tables[i], req.Gets[i].Key)
		if seen[string(key)] {
			return nil, nil, errRepeatedItem()
		}
		seen[string(key)] = true
		keys = append(keys, key)
	}
	return keys, tables, nil
}

func checkTransactGet(t *catalog.Table, get *request.TransactGet) error {
	if err := checkKey(t, get.Key); err != nil {
		return err
	}
	return checkProjection(t, get.Projection)
}

// checkConflicts rejects a read of items that a transaction is using.
func (s *Tables) checkConflicts(keys [][]byte) error {
	x := transaction{reasons: make([]dynamo.CancellationReason, len(keys))}
	x.start()
	for i, key := range keys {
		if s.claims.has(key) {
			x.fail(i, dynamo.ReasonTransactionConflict, conflictMessage, nil)
		}
	}
	if x.failed {
		return x.cancelled()
	}
	return nil
}

// readItem reads the projection of an item, nil if it is empty, and
// the size of the whole item.
func readItem(r kv.Reader, t *catalog.Table, key []byte, get *request.TransactGet, memory *dynamo.Memory) (item dynamo.Item, size int, err error) {
	_, err = r.Get(key, func(row []byte) error {
		var stored dynamo.Item
		if size, stored, err = rowformat.ParseRow(row); err != nil {
			return fmt.Errorf("table %s: %w", t.Name(), err)
		}
		if get.Projection == nil {
			item = memory.Keep(stored)
		} else if part := get.Projection.Apply(stored); part.Len() > 0 {
			item = part
		}
		return nil
	})
	return item, size, err
}
