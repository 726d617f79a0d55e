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

func putItem(ctx context.Context, api dynamo.API, in *dynamodb.PutItemInput) (*dynamodb.PutItemOutput, error) {
	e := newEncoder()
	request := &dynamo.PutItemInput{
		TableName:                           validTextPointer(in.TableName),
		Item:                                e.item(in.Item),
		ConditionExpression:                 validTextPointer(in.ConditionExpression),
		Expressions:                         e.expressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ReturnConsumedCapacity:              string(in.ReturnConsumedCapacity),
		ReturnItemCollectionMetrics:         string(in.ReturnItemCollectionMetrics),
		ReturnValues:                        string(in.ReturnValues),
		ReturnValuesOnConditionCheckFailure: string(in.ReturnValuesOnConditionCheckFailure),
		Legacy: legacy(
			parameter{"ConditionalOperator", in.ConditionalOperator != ""},
			parameter{"Expected", in.Expected != nil},
		),
	}
	e.release()
	out, err := api.PutItem(ctx, request)
	if err != nil {
		return nil, err
	}
	return &dynamodb.PutItemOutput{
		Attributes:            attributes(out.Attributes),
		ConsumedCapacity:      consumedCapacity(out.ConsumedCapacity),
		ItemCollectionMetrics: itemCollectionMetrics(out.ItemCollectionMetrics),
	}, nil
}
