package sdk

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

func batchWriteItemInput(e *encoder, in *dynamodb.BatchWriteItemInput) *dynamo.BatchWriteItemInput {
	return &dynamo.BatchWriteItemInput{
		RequestItems:                e.writesByTable(in.RequestItems),
		ReturnConsumedCapacity:      string(in.ReturnConsumedCapacity),
		ReturnItemCollectionMetrics: string(in.ReturnItemCollectionMetrics),
	}
}

func batchWriteItemOutput(out *dynamo.BatchWriteItemOutput) *dynamodb.BatchWriteItemOutput {
	return &dynamodb.BatchWriteItemOutput{
		UnprocessedItems:      unprocessedItems(out.UnprocessedItems),
		ConsumedCapacity:      consumedCapacities(out.ConsumedCapacity),
		ItemCollectionMetrics: collectionMetricsByTable(out.ItemCollectionMetrics),
	}
}

// writesByTable lists the tables by name, because a map has no order.
func (e *encoder) writesByTable(m map[string][]types.WriteRequest) []dynamo.TableWrites {
	if m == nil {
		return nil
	}
	tables := make([]dynamo.TableWrites, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		tables = append(tables, dynamo.TableWrites{TableName: validText(name), Requests: e.writes(m[name])})
	}
	return tables
}

func (e *encoder) writes(list []types.WriteRequest) []dynamo.WriteRequest {
	if list == nil {
		return nil
	}
	writes := make([]dynamo.WriteRequest, len(list))
	for i, request := range list {
		if request.PutRequest != nil {
			item := e.item(request.PutRequest.Item)
			writes[i].Put = &item
		}
		if request.DeleteRequest != nil {
			key := e.item(request.DeleteRequest.Key)
			writes[i].Delete = &key
		}
	}
	return writes
}

func unprocessedItems(tables []dynamo.TableWrites) map[string][]types.WriteRequest {
	out := make(map[string][]types.WriteRequest, len(tables))
	for _, table := range tables {
		requests := make([]types.WriteRequest, len(table.Requests))
		for i, request := range table.Requests {
			if request.Put != nil {
				requests[i].PutRequest = &types.PutRequest{Item: attributes(request.Put.Item)}
			}
			if request.Delete != nil {
				requests[i].DeleteRequest = &types.DeleteRequest{Key: attributes(request.Delete.Item)}
			}
		}
		out[table.TableName] = requests
	}
	return out
}

func collectionMetricsByTable(tables []dynamo.TableCollectionMetrics) map[string][]types.ItemCollectionMetrics {
	if tables == nil {
		return nil
	}
	out := make(map[string][]types.ItemCollectionMetrics, len(tables))
	for _, table := range tables {
		list := make([]types.ItemCollectionMetrics, len(table.Metrics))
		for i := range table.Metrics {
			list[i] = *itemCollectionMetrics(&table.Metrics[i])
		}
		out[table.TableName] = list
	}
	return out
}
