package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

func updateItemInput(e *encoder, in *dynamodb.UpdateItemInput) *dynamo.UpdateItemInput {
	return &dynamo.UpdateItemInput{
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
		Key:              e.item(in.Key),
		UpdateExpression: validTextPointer(in.UpdateExpression),
		AttributeUpdates: e.attributeUpdates(in.AttributeUpdates),
	}
}

func updateItemOutput(out *dynamo.UpdateItemOutput) *dynamodb.UpdateItemOutput {
	return (*dynamodb.UpdateItemOutput)(putItemOutput(out))
}
