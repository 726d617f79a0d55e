package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

func queryInput(e *encoder, in *dynamodb.QueryInput) *dynamo.QueryInput {
	return &dynamo.QueryInput{
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
		KeyConditionExpression: validTextPointer(in.KeyConditionExpression),
		KeyConditions:          e.conditions(in.KeyConditions),
		QueryFilter:            e.conditions(in.QueryFilter),
		ScanIndexForward:       in.ScanIndexForward,
	}
}

func queryOutput(out *dynamo.QueryOutput) *dynamodb.QueryOutput {
	defer out.Release()
	return &dynamodb.QueryOutput{
		Items:            items(out.Items),
		Count:            int32(out.Count),
		ScannedCount:     int32(out.ScannedCount),
		LastEvaluatedKey: attributes(out.LastEvaluatedKey),
		ConsumedCapacity: consumedCapacity(out.ConsumedCapacity),
	}
}
