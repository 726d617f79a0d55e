package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

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
	return (*dynamodb.ScanOutput)(queryOutput(out))
}
