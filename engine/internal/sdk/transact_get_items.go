package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

func transactGetItemsInput(e *encoder, in *dynamodb.TransactGetItemsInput) *dynamo.TransactGetItemsInput {
	return &dynamo.TransactGetItemsInput{
		TransactItems:          e.transactGets(in.TransactItems),
		ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
	}
}

// transactGetItemsOutput returns a response for each read, without an item if none was found.
func transactGetItemsOutput(out *dynamo.TransactGetItemsOutput) *dynamodb.TransactGetItemsOutput {
	defer out.Release()
	return &dynamodb.TransactGetItemsOutput{
		Responses:        itemResponses(out.Responses),
		ConsumedCapacity: consumedCapacities(out.ConsumedCapacity),
	}
}

// itemResponses converts the items of the reads of a transaction.
func itemResponses(list []dynamo.Item) []types.ItemResponse {
	responses := make([]types.ItemResponse, len(list))
	for i, item := range list {
		responses[i].Item = attributes(item)
	}
	return responses
}

func (e *encoder) transactGets(list []types.TransactGetItem) []dynamo.TransactGetItem {
	if list == nil {
		return nil
	}
	gets := make([]dynamo.TransactGetItem, len(list))
	for i, read := range list {
		if get := read.Get; get != nil {
			gets[i].Get = &dynamo.TransactGet{
				TableName:            validTextPointer(get.TableName),
				Key:                  e.item(get.Key),
				ProjectionExpression: validTextPointer(get.ProjectionExpression),
				Names:                validTexts(get.ExpressionAttributeNames),
			}
		}
	}
	return gets
}
