package table

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// output returns the response to the write of a single item: the requested attributes
// and, if requested, the consumed capacity and the metrics of the item's collection.
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
