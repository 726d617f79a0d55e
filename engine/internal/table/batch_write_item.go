package table

import (
	"context"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// maxBatchCommit bounds the items of a batch that are written in one commit: the store copies a commit, and
// one that is larger than half a memtable has memory of its own until it is flushed.
const maxBatchCommit = 2 << 20

// BatchWriteItem puts and deletes up to 25 items. Everything is checked before
// anything is written. DynamoDB promises atomicity for each item only; here the
// batch is one commit, because that is also the fastest way, unless its items are large.
func (s *Tables) BatchWriteItem(ctx context.Context, req *request.BatchWriteItem) (*dynamo.BatchWriteItemOutput, error) {
	names := make([]string, len(req.Tables))
	for i, w := range req.Tables {
		names[i] = w.Table
	}
	tables, leave, err := s.enter(names)
	if err != nil {
		return nil, err
	}
	defer leave()
	var ms []*mutation
	seen := map[string]bool{}
	for i, w := range req.Tables {
		for _, b := range w.Writes {
			m, err := batchMutation(tables[i], b)
			if err != nil {
				return nil, err
			}
			if seen[string(m.key)] {
				return nil, dynamo.Invalid("Provided list of item keys contains duplicates")
			}
			seen[string(m.key)] = true
			ms = append(ms, m)
		}
	}
	for rest := ms; len(rest) > 0; {
		n := batchCommit(rest)
		if err := s.writeAll(ctx, rest[:n]); err != nil {
			return nil, err
		}
		rest = rest[n:]
	}
	return batchWriteOutput(req, tables, ms), nil
}

// batchCommit returns the number of mutations for the next commit: at least one.
func batchCommit(ms []*mutation) int {
	size := 0
	for i, m := range ms {
		if size += m.size; size > maxBatchCommit && i > 0 {
			return i
		}
	}
	return len(ms)
}

func batchMutation(t *catalog.Table, b request.BatchWrite) (*mutation, error) {
	if b.Put == nil {
		if err := checkKey(t, b.Delete); err != nil {
			return nil, err
		}
		return &mutation{table: t, key: rowKey(t, b.Delete),
			next: func(dynamo.Item) (dynamo.Item, int, error) { return nil, 0, nil }}, nil
	}
	if err := checkBatchItemKey(t, b.Put); err != nil {
		return nil, err
	}
	if err := checkIndexKeys(t, b.Put, nil); err != nil {
		return nil, err
	}
	return &mutation{table: t, key: rowKey(t, b.Put), size: b.Size,
		next: func(dynamo.Item) (dynamo.Item, int, error) { return b.Put, b.Size, nil }}, nil
}

// batchWriteOutput returns the response, table by table. The mutations are in request order.
func batchWriteOutput(req *request.BatchWriteItem, tables []*catalog.Table, ms []*mutation) *dynamo.BatchWriteItemOutput {
	out := &dynamo.BatchWriteItemOutput{}
	var metrics metricsByTable
	for i, w := range req.Tables {
		var account capacity.Account
		for _, b := range w.Writes {
			account.Add(&ms[0].account)
			ms = ms[1:]
			key := b.Put
			if key == nil {
				key = b.Delete
			}
			metrics.add(w.Table, collectionMetrics(tables[i], key, req.Metrics))
		}
		if req.Capacity != request.CapacityNone {
			out.ConsumedCapacity = append(out.ConsumedCapacity, *account.Consumed(w.Table, true, req.Capacity == request.CapacityIndexes))
		}
	}
	out.ItemCollectionMetrics = metrics
	return out
}
