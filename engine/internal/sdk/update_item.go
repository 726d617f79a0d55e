package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// UpdateItem runs UpdateItem on api.
func UpdateItem(ctx context.Context, api dynamo.API, in *dynamodb.UpdateItemInput) (*dynamodb.UpdateItemOutput, error) {
	return call(ctx, api, "UpdateItem", in, updateItem)
}

func updateItem(ctx context.Context, api dynamo.API, in *dynamodb.UpdateItemInput) (*dynamodb.UpdateItemOutput, error) {
	e := newEncoder()
	request := &dynamo.UpdateItemInput{
		TableName:                           validTextPointer(in.TableName),
		Key:                                 e.item(in.Key),
		UpdateExpression:                    validTextPointer(in.UpdateExpression),
		ConditionExpression:                 validTextPointer(in.ConditionExpression),
		Expressions:                         e.expressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ReturnConsumedCapacity:              string(in.ReturnConsumedCapacity),
		ReturnItemCollectionMetrics:         string(in.ReturnItemCollectionMetrics),
		ReturnValues:                        string(in.ReturnValues),
		ReturnValuesOnConditionCheckFailure: string(in.ReturnValuesOnConditionCheckFailure),
		Legacy: legacy(
			parameter{"AttributeUpdates", in.AttributeUpdates != nil},
			parameter{"ConditionalOperator", in.ConditionalOperator != ""},
			parameter{"Expected", in.Expected != nil},
		),
	}
	e.release()
	out, err := api.UpdateItem(ctx, request)
	if err != nil {
		return nil, err
	}
	return &dynamodb.UpdateItemOutput{
		Attributes:            attributes(out.Attributes),
		ConsumedCapacity:      consumedCapacity(out.ConsumedCapacity),
		ItemCollectionMetrics: itemCollectionMetrics(out.ItemCollectionMetrics),
	}, nil
}
