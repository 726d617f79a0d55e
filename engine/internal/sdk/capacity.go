package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

func consumedCapacity(c *dynamo.ConsumedCapacity) *types.ConsumedCapacity {
	if c == nil {
		return nil
	}
	name, units := c.TableName, c.Units
	// The units by reading and writing are for transactions only.
	out := &types.ConsumedCapacity{TableName: &name, CapacityUnits: &units}
	if c.Detailed {
		table := capacityOf(c.Table)
		out.Table = &table
		out.LocalSecondaryIndexes = indexCapacities(c.LocalIndexes)
		out.GlobalSecondaryIndexes = indexCapacities(c.GlobalIndexes)
	}
	return out
}

func consumedCapacities(list []dynamo.ConsumedCapacity) []types.ConsumedCapacity {
	if list == nil {
		return nil
	}
	out := make([]types.ConsumedCapacity, len(list))
	for i := range list {
		out[i] = *consumedCapacity(&list[i])
	}
	return out
}

// indexCapacities is nil when no index was touched: the service leaves it out.
func indexCapacities(list []dynamo.IndexCapacity) map[string]types.Capacity {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string]types.Capacity, len(list))
	for _, index := range list {
		out[index.IndexName] = capacityOf(index.Units)
	}
	return out
}

func capacityOf(units float64) types.Capacity { return types.Capacity{CapacityUnits: &units} }

func itemCollectionMetrics(m *dynamo.ItemCollectionMetrics) *types.ItemCollectionMetrics {
	if m == nil {
		return nil
	}
	return &types.ItemCollectionMetrics{
		ItemCollectionKey:   attributes(m.Key),
		SizeEstimateRangeGB: []float64{m.LowerGB, m.UpperGB},
	}
}
