package request

import (
	"sortkey.dev/engine/internal/dynamo"
)

// BatchWriteItem is a checked BatchWriteItemInput.
type BatchWriteItem struct {
	Tables   []TableWrites
	Capacity CapacityDetail
	Metrics  bool
}

// TableWrites holds the writes to one table.
type TableWrites struct {
	Table  string
	Writes []BatchWrite
}

// A BatchWrite puts Put or deletes the item with the key Delete; the other is nil.
type BatchWrite struct {
	Put    dynamo.Item
	Size   int // of the item to put
	Delete dynamo.Item
}

// CheckBatchWriteItem checks the input of BatchWriteItem. Duplicate items can only be found
// with the key of their table.
func CheckBatchWriteItem(in *dynamo.BatchWriteItemInput) (*BatchWriteItem, error) {
	if err := checkBatchWriteMembers(in); err != nil {
		return nil, err
	}
	total := 0
	for i := range in.RequestItems {
		total += len(in.RequestItems[i].Requests)
	}
	if total > dynamo.MaxBatchWrite {
		return nil, invalid("Too many items requested for the BatchWriteItem call")
	}
	batch := &BatchWriteItem{
		Tables:   make([]TableWrites, 0, len(in.RequestItems)),
		Capacity: capacityDetails.value(in.ReturnConsumedCapacity),
		Metrics:  collectionMetrics.value(in.ReturnItemCollectionMetrics),
	}
	for i := range in.RequestItems {
		writes, err := checkTableWrites(&in.RequestItems[i])
		if err != nil {
			return nil, err
		}
		batch.Tables = append(batch.Tables, writes)
	}
	return batch, nil
}

// checkBatchWriteMembers checks single members. The enumerations are reported before the
// contents of the map.
func checkBatchWriteMembers(in *dynamo.BatchWriteItemInput) error {
	var v violations
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	collectionMetrics.check(in.ReturnItemCollectionMetrics, &v)
	if in.RequestItems == nil {
		v.missing("requestItems")
	}
	if len(v) > 0 {
		return v.err()
	}
	if len(in.RequestItems) == 0 {
		return invalid("The requestItems parameter is required for BatchWriteItem")
	}
	badName, badCount := false, false
	for i := range in.RequestItems {
		t := &in.RequestItems[i]
		badName = badName || !isTableName(t.TableName)
		badCount = badCount || len(t.Requests) == 0 || len(t.Requests) > dynamo.MaxBatchWrite
	}
	if badName {
		v.broken(echoWrites(in.RequestItems), "requestItems", mapKeysRule)
	}
	if badCount {
		v.broken(echoWrites(in.RequestItems), "requestItems", "Map value must satisfy constraint: ["+
			lengthAtMost(dynamo.MaxBatchWrite)+", "+lengthAtLeast(1)+"]")
	}
	for i := range in.RequestItems {
		checkWriteMembers(&in.RequestItems[i], &v)
	}
	return v.err()
}

// checkWriteMembers checks that the requests for a table have an item or a key.
func checkWriteMembers(t *dynamo.TableWrites, v *violations) {
	for i, r := range t.Requests {
		path := memberPath("requestItems."+t.TableName+".member", i)
		if r.Delete != nil && r.Delete.Item == nil {
			v.missing(path + ".deleteRequest.key")
		}
		if r.Put != nil && r.Put.Item == nil {
			v.missing(path + ".putRequest.item")
		}
	}
}

// checkTableWrites checks the writes to one table.
func checkTableWrites(in *dynamo.TableWrites) (TableWrites, error) {
	writes := TableWrites{
		Table:  in.TableName,
		Writes: make([]BatchWrite, len(in.Requests)),
	}
	for i, r := range in.Requests {
		if (r.Put == nil) == (r.Delete == nil) {
			return writes, invalid(dynamo.FaultManyTypes.Text)
		}
		if r.Delete != nil {
			if err := olderValues.checkItem(*r.Delete); err != nil {
				return writes, err
			}
			writes.Writes[i].Delete = r.Delete.Item
			continue
		}
		if err := olderValues.checkItem(*r.Put); err != nil {
			return writes, err
		}
		size := r.Put.Item.Size()
		if size > dynamo.MaxItemSize {
			return writes, errItemTooLarge()
		}
		writes.Writes[i].Put, writes.Writes[i].Size = r.Put.Item, size
	}
	return writes, nil
}
