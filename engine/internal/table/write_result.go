package table

import (
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// output is the answer to the write of a single item: the attributes it wants to
// see and, where it asked, what the mutation cost and the item's collection.
func (m *mutation) output(req *request.Write, key, attributes dynamo.Item) *dynamo.WriteOutput {
	out := &dynamo.WriteOutput{
		Attributes:            attributes,
		ItemCollectionMetrics: collectionMetrics(m.table, key, req.Metrics),
	}
	if req.Capacity != request.CapacityNone {
		out.ConsumedCapacity = m.account.Consumed(req.Table, true, req.Capacity == request.CapacityIndexes)
	}
	return out
}

// collectionMetrics estimates the item collection of an item. Only tables with
// local indexes have item collections. Their size is not tracked: the estimate
// is always the lowest.
func collectionMetrics(t *catalog.Table, item dynamo.Item, asked bool) *dynamo.ItemCollectionMetrics {
	if !asked || !t.HasLocal() {
		return nil
	}
	return &dynamo.ItemCollectionMetrics{
		Key:     item.Only([]string{t.Key().Partition[0].Name}),
		LowerGB: 0,
		UpperGB: 1,
	}
}
