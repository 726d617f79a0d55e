package sdk

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

// Scan runs Scan on api.
func Scan(ctx context.Context, api dynamo.API, in *dynamodb.ScanInput) (*dynamodb.ScanOutput, error) {
	return call(ctx, api, "Scan", in, scan)
}

func scan(ctx context.Context, api dynamo.API, in *dynamodb.ScanInput) (*dynamodb.ScanOutput, error) {
	e := newEncoder()
	request := &dynamo.ScanInput{
		TableName:              validTextPointer(in.TableName),
		IndexName:              validTextPointer(in.IndexName),
		FilterExpression:       validTextPointer(in.FilterExpression),
		ProjectionExpression:   validTextPointer(in.ProjectionExpression),
		Expressions:            e.expressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ConsistentRead:         in.ConsistentRead,
		ExclusiveStartKey:      e.item(in.ExclusiveStartKey),
		Limit:                  in.Limit,
		ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
		Segment:                in.Segment,
		Select:                 string(in.Select),
		TotalSegments:          in.TotalSegments,
		Legacy: legacy(
			parameter{"AttributesToGet", in.AttributesToGet != nil},
			parameter{"ConditionalOperator", in.ConditionalOperator != ""},
			parameter{"ScanFilter", in.ScanFilter != nil},
		),
	}
	e.release()
	out, err := api.Scan(ctx, request)
	if err != nil {
		return nil, err
	}
	defer out.Release()
	return &dynamodb.ScanOutput{
		Items:            items(out.Items),
		Count:            int32(out.Count),
		ScannedCount:     int32(out.ScannedCount),
		LastEvaluatedKey: attributes(out.LastEvaluatedKey),
		ConsumedCapacity: consumedCapacity(out.ConsumedCapacity),
	}, nil
}
