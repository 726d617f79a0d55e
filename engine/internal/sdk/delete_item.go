package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// DeleteItem runs DeleteItem on api.
func DeleteItem(ctx context.Context, api dynamo.API, in *dynamodb.DeleteItemInput) (*dynamodb.DeleteItemOutput, error) {
	return call(ctx, api, "DeleteItem", in, deleteItem)
}

func deleteItem(ctx context.Context, api dynamo.API, in *dynamodb.DeleteItemInput) (*dynamodb.DeleteItemOutput, error) {
	e := newEncoder()
	request := &dynamo.DeleteItemInput{
		TableName:                           validTextPointer(in.TableName),
		Key:                                 e.item(in.Key),
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
	out, err := api.DeleteItem(ctx, request)
	if err != nil {
		return nil, err
	}
	return &dynamodb.DeleteItemOutput{
		Attributes:            attributes(out.Attributes),
		ConsumedCapacity:      consumedCapacity(out.ConsumedCapacity),
		ItemCollectionMetrics: itemCollectionMetrics(out.ItemCollectionMetrics),
	}, nil
}
