package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

func deleteItemInput(e *encoder, in *dynamodb.DeleteItemInput) *dynamo.DeleteItemInput {
	return &dynamo.DeleteItemInput{
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
		Key: e.item(in.Key),
	}
}

func deleteItemOutput(out *dynamo.DeleteItemOutput) *dynamodb.DeleteItemOutput {
	return (*dynamodb.DeleteItemOutput)(putItemOutput(out))
}
