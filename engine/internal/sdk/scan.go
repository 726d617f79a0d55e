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

var scan = converted(scanInput, dynamo.API.Scan, scanOutput)

func scanInput(e *encoder, in *dynamodb.ScanInput) *dynamo.ScanInput {
	return &dynamo.ScanInput{
		PageParameters: dynamo.PageParameters{
			TableName:              validTextPointer(in.TableName),
			IndexName:              validTextPointer(in.IndexName),
			FilterExpression:       validTextPointer(in.FilterExpression),
			ProjectionExpression:   validTextPointer(in.ProjectionExpression),
			Expressions:            e.expressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
			ConsistentRead:         in.ConsistentRead,
			ExclusiveStartKey:      e.item(in.ExclusiveStartKey),
			Limit:                  in.Limit,
			ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
			Select:                 string(in.Select),
			AttributesToGet:        validTextList(in.AttributesToGet),
			ConditionalOperator:    string(in.ConditionalOperator),
		},
		ScanFilter:    e.conditions(in.ScanFilter),
		Segment:       in.Segment,
		TotalSegments: in.TotalSegments,
	}
}

func scanOutput(out *dynamo.ScanOutput) *dynamodb.ScanOutput {
	defer out.Release()
	return &dynamodb.ScanOutput{
		Items:            items(out.Items),
		Count:            int32(out.Count),
		ScannedCount:     int32(out.ScannedCount),
		LastEvaluatedKey: attributes(out.LastEvaluatedKey),
		ConsumedCapacity: consumedCapacity(out.ConsumedCapacity),
	}
}
