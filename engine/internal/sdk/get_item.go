package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

func getItemInput(e *encoder, in *dynamodb.GetItemInput) *dynamo.GetItemInput {
	return &dynamo.GetItemInput{
		TableName:              validTextPointer(in.TableName),
		Key:                    e.item(in.Key),
		ConsistentRead:         in.ConsistentRead,
		ProjectionExpression:   validTextPointer(in.ProjectionExpression),
		Names:                  validTexts(in.ExpressionAttributeNames),
		ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
		AttributesToGet:        validTextList(in.AttributesToGet),
	}
}

func getItemOutput(out *dynamo.GetItemOutput) *dynamodb.GetItemOutput {
	defer out.Release()
	return &dynamodb.GetItemOutput{
		Item:             attributes(out.Item),
		ConsumedCapacity: consumedCapacity(out.ConsumedCapacity),
	}
}
