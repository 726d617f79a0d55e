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
	out := &types.ConsumedCapacity{TableName: &name, CapacityUnits: &units}
	out.ReadCapacityUnits, out.WriteCapacityUnits = namedUnits(c, c.Units)
	if c.Detailed {
		table := capacityOf(c, c.Table)
		out.Table = &table
		out.LocalSecondaryIndexes = indexCapacities(c, c.LocalIndexes)
		out.GlobalSecondaryIndexes = indexCapacities(c, c.GlobalIndexes)
		out.VectorIndexes = vectorCapacities(c.VectorIndexes)
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

// indexCapacities returns nil if no index was used: the service omits it.
func indexCapacities(c *dynamo.ConsumedCapacity, list []dynamo.IndexCapacity) map[string]types.Capacity {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string]types.Capacity, len(list))
	for _, index := range list {
		out[index.IndexName] = capacityOf(c, index.Units)
	}
	return out
}

// vectorCapacities returns nil if no vector index was used.
func vectorCapacities(list []dynamo.IndexCapacity) map[string]types.VectorCapacity {
	if len(list) == 0 {
		return nil
	}
	out := make(map[string]types.VectorCapacity, len(list))
	for _, index := range list {
		out[index.IndexName] = types.VectorCapacity{VectorWriteRequestBytes: &index.Units}
	}
	return out
}

// capacityOf converts units of c, which may be those of an index.
func capacityOf(c *dynamo.ConsumedCapacity, units float64) types.Capacity {
	out := types.Capacity{CapacityUnits: &units}
	out.ReadCapacityUnits, out.WriteCapacityUnits = namedUnits(c, units)
	return out
}

// namedUnits returns the units by their kind, which only transactions return.
func namedUnits(c *dynamo.ConsumedCapacity, units float64) (read, write *float64) {
	switch {
	case !c.Named:
		return nil, nil
	case c.Write:
		return nil, &units
	default:
		return &units, nil
	}
}

func itemCollectionMetrics(m *dynamo.ItemCollectionMetrics) *types.ItemCollectionMetrics {
	if m == nil {
		return nil
	}
	return &types.ItemCollectionMetrics{
		ItemCollectionKey:   attributes(m.Key),
		SizeEstimateRangeGB: []float64{m.LowerGB, m.UpperGB},
	}
}
