package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// PutItem runs PutItem on api.
func PutItem(ctx context.Context, api dynamo.API, in *dynamodb.PutItemInput) (*dynamodb.PutItemOutput, error) {
	return call(ctx, api, "PutItem", in, putItem)
}

var putItem = converted(putItemInput, dynamo.API.PutItem, putItemOutput)

func putItemInput(e *encoder, in *dynamodb.PutItemInput) *dynamo.PutItemInput {
	return &dynamo.PutItemInput{
		WriteParameters: dynamo.WriteParameters{
			TableName:                           validTextPointer(in.TableName),
			ConditionExpression:                 validTextPointer(in.ConditionExpression),
			Expressions:                         e.expressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
			ReturnConsumedCapacity:              string(in.ReturnConsumedCapacity),
			ReturnItemCollectionMetrics:         string(in.ReturnItemCollectionMetrics),
			ReturnValues:                        string(in.ReturnValues),
			ReturnValuesOnConditionCheckFailure: string(in.ReturnValuesOnConditionCheckFailure),
			Expected:                            e.expected(in.Expected),
			ConditionalOperator:                 string(in.ConditionalOperator),
		},
		Item: e.item(in.Item),
	}
}

func putItemOutput(out *dynamo.PutItemOutput) *dynamodb.PutItemOutput {
	return &dynamodb.PutItemOutput{
		Attributes:            attributes(out.Attributes),
		ConsumedCapacity:      consumedCapacity(out.ConsumedCapacity),
		ItemCollectionMetrics: itemCollectionMetrics(out.ItemCollectionMetrics),
	}
}
