package sdk

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

func batchGetItemInput(e *encoder, in *dynamodb.BatchGetItemInput) *dynamo.BatchGetItemInput {
	return &dynamo.BatchGetItemInput{
		RequestItems:           e.keysByTable(in.RequestItems),
		ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
	}
}

func batchGetItemOutput(out *dynamo.BatchGetItemOutput) *dynamodb.BatchGetItemOutput {
	defer out.Release()
	responses := make(map[string][]map[string]types.AttributeValue, len(out.Responses))
	for _, table := range out.Responses {
		responses[table.TableName] = nonNil(items(table.Items))
	}
	return &dynamodb.BatchGetItemOutput{
		Responses:        responses,
		UnprocessedKeys:  unprocessedKeys(out.UnprocessedKeys),
		ConsumedCapacity: consumedCapacities(out.ConsumedCapacity),
	}
}

// keysByTable lists the tables by name, because a map has no order.
func (e *encoder) keysByTable(m map[string]types.KeysAndAttributes) []dynamo.KeysAndAttributes {
	if m == nil {
		return nil
	}
	tables := make([]dynamo.KeysAndAttributes, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		table := m[name]
		tables = append(tables, dynamo.KeysAndAttributes{
			TableName:            validText(name),
			Keys:                 e.keys(table.Keys),
			ConsistentRead:       table.ConsistentRead,
			ProjectionExpression: validTextPointer(table.ProjectionExpression),
			Names:                validTexts(table.ExpressionAttributeNames),
			AttributesToGet:      validTextList(table.AttributesToGet),
		})
	}
	return tables
}

func (e *encoder) keys(list []map[string]types.AttributeValue) []dynamo.RawItem {
	if list == nil {
		return nil
	}
	keys := make([]dynamo.RawItem, len(list))
	for i, key := range list {
		keys[i] = e.item(key)
	}
	return keys
}

func unprocessedKeys(tables []dynamo.KeysAndAttributes) map[string]types.KeysAndAttributes {
	out := make(map[string]types.KeysAndAttributes, len(tables))
	for _, table := range tables {
		keys := make([]map[string]types.AttributeValue, len(table.Keys))
		for i, key := range table.Keys {
			keys[i] = attributes(key.Item)
		}
		out[table.TableName] = types.KeysAndAttributes{
			Keys:                     keys,
			AttributesToGet:          slices.Clone(table.AttributesToGet),
			ConsistentRead:           table.ConsistentRead,
			ProjectionExpression:     table.ProjectionExpression,
			ExpressionAttributeNames: maps.Clone(table.Names),
		}
	}
	return out
}

// nonNil returns list, or an empty list if it is nil: the service always returns these lists.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
