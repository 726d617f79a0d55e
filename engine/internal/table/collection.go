package table

import (
	"slices"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
)

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

// metricsByTable collects metrics by table, each collection once.
type metricsByTable []dynamo.TableCollectionMetrics

// add adds the metrics of one write, which may be nil.
func (all *metricsByTable) add(table string, m *dynamo.ItemCollectionMetrics) {
	if m == nil {
		return
	}
	i := slices.IndexFunc(*all, func(t dynamo.TableCollectionMetrics) bool { return t.TableName == table })
	if i < 0 {
		i = len(*all)
		*all = append(*all, dynamo.TableCollectionMetrics{TableName: table})
	}
	of := &(*all)[i]
	same := func(o dynamo.ItemCollectionMetrics) bool { return string(o.Key) == string(m.Key) }
	if !slices.ContainsFunc(of.Metrics, same) {
		of.Metrics = append(of.Metrics, *m)
	}
}
