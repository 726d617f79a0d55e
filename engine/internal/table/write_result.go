package table

import (
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// consumed is what the mutation cost, in the detail the request asked for and
// with the table named as it named it.
func (m *mutation) consumed(table string, detail request.CapacityDetail) *dynamo.ConsumedCapacity {
	if detail == request.CapacityNone {
		return nil
	}
	return m.account.Consumed(table, true, detail == request.CapacityIndexes)
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
