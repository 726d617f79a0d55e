package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// GetItem runs GetItem on api.
func GetItem(ctx context.Context, api dynamo.API, in *dynamodb.GetItemInput) (*dynamodb.GetItemOutput, error) {
	return call(ctx, api, "GetItem", in, getItem)
}

func getItem(ctx context.Context, api dynamo.API, in *dynamodb.GetItemInput) (*dynamodb.GetItemOutput, error) {
	e := newEncoder()
	request := &dynamo.GetItemInput{
		TableName:              validTextPointer(in.TableName),
		Key:                    e.item(in.Key),
		ConsistentRead:         in.ConsistentRead,
		ProjectionExpression:   validTextPointer(in.ProjectionExpression),
		Names:                  validTexts(in.ExpressionAttributeNames),
		ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
		Legacy:                 legacy(parameter{"AttributesToGet", in.AttributesToGet != nil}),
	}
	e.release()
	out, err := api.GetItem(ctx, request)
	if err != nil {
		return nil, err
	}
	return &dynamodb.GetItemOutput{
		Item:             attributes(out.Item),
		ConsumedCapacity: consumedCapacity(out.ConsumedCapacity),
	}, nil
}
