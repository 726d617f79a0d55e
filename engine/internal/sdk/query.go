package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// Query runs Query on api.
func Query(ctx context.Context, api dynamo.API, in *dynamodb.QueryInput) (*dynamodb.QueryOutput, error) {
	return call(ctx, api, "Query", in, query)
}

func query(ctx context.Context, api dynamo.API, in *dynamodb.QueryInput) (*dynamodb.QueryOutput, error) {
	e := newEncoder()
	request := &dynamo.QueryInput{
		TableName:              validTextPointer(in.TableName),
		IndexName:              validTextPointer(in.IndexName),
		KeyConditionExpression: validTextPointer(in.KeyConditionExpression),
		FilterExpression:       validTextPointer(in.FilterExpression),
		ProjectionExpression:   validTextPointer(in.ProjectionExpression),
		Expressions:            e.expressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ConsistentRead:         in.ConsistentRead,
		ExclusiveStartKey:      e.item(in.ExclusiveStartKey),
		Limit:                  in.Limit,
		ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
		ScanIndexForward:       in.ScanIndexForward,
		Select:                 string(in.Select),
		Legacy: legacy(
			parameter{"AttributesToGet", in.AttributesToGet != nil},
			parameter{"ConditionalOperator", in.ConditionalOperator != ""},
			parameter{"KeyConditions", in.KeyConditions != nil},
			parameter{"QueryFilter", in.QueryFilter != nil},
		),
	}
	e.release()
	out, err := api.Query(ctx, request)
	if err != nil {
		return nil, err
	}
	defer out.Release()
	return &dynamodb.QueryOutput{
		Items:            items(out.Items),
		Count:            int32(out.Count),
		ScannedCount:     int32(out.ScannedCount),
		LastEvaluatedKey: attributes(out.LastEvaluatedKey),
		ConsumedCapacity: consumedCapacity(out.ConsumedCapacity),
	}, nil
}
