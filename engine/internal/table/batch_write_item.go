package table

import (
	"context"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// BatchWriteItem puts and deletes up to 25 items. Everything is checked before
// anything is written. DynamoDB promises atomicity for each item only; here the
// whole batch is one commit, because that is also the fastest way.
func (s *Tables) BatchWriteItem(ctx context.Context, req *request.BatchWriteItem) (*dynamo.BatchWriteItemOutput, error) {
	tables := make([]*catalog.Table, len(req.Tables))
	for i, w := range req.Tables {
		t, err := s.lookup(w.Table)
		if err != nil {
			return nil, err
		}
		tables[i] = t
	}
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
			m.meter = req.Capacity != request.CapacityNone
			ms = append(ms, m)
		}
	}
	if err := s.writeAll(ctx, ms); err != nil {
		return nil, err
	}
	return batchWriteOutput(req, tables, ms), nil
}

func batchMutation(t *catalog.Table, b request.BatchWrite) (*mutation, error) {
	if b.Put == nil {
		if err := checkKey(t, b.Delete); err != nil {
			return nil, err
		}
		return &mutation{table: t, key: rowKey(t, b.Delete), blind: true,
			next: func(dynamo.Item) (dynamo.Item, int, error) { return nil, 0, nil }}, nil
	}
	if err := checkBatchItemKey(t, b.Put); err != nil {
		return nil, err
	}
	if err := checkIndexKeys(t, b.Put, nil); err != nil {
		return nil, err
	}
	return &mutation{table: t, key: rowKey(t, b.Put), blind: true,
		next: func(dynamo.Item) (dynamo.Item, int, error) { return b.Put, b.Size, nil }}, nil
}

// batchWriteOutput answers table by table. The mutations are in request order.
func batchWriteOutput(req *request.BatchWriteItem, tables []*catalog.Table, ms []*mutation) *dynamo.BatchWriteItemOutput {
	out := &dynamo.BatchWriteItemOutput{}
	for i, w := range req.Tables {
		var account capacity.Account
		metrics := dynamo.TableCollectionMetrics{TableName: w.Table}
		partitions := map[string]bool{}
		for _, b := range w.Writes {
			account.Add(&ms[0].account)
			ms = ms[1:]
			key := b.Put
			if key == nil {
				key = b.Delete
			}
			if m := collectionMetrics(tables[i], key, req.Metrics); m != nil && !partitions[string(m.Key)] {
				partitions[string(m.Key)] = true
				metrics.Metrics = append(metrics.Metrics, *m)
			}
		}
		if req.Capacity != request.CapacityNone {
			out.ConsumedCapacity = append(out.ConsumedCapacity, *account.Consumed(w.Table, true, req.Capacity == request.CapacityIndexes))
		}
		if metrics.Metrics != nil {
			out.ItemCollectionMetrics = append(out.ItemCollectionMetrics, metrics)
		}
	}
	return out
}
