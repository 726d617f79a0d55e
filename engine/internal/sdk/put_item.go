package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

func putItemInput(e *encoder, in *dynamodb.PutItemInput) *dynamo.PutItemInput {
	return &dynamo.PutItemInput{
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
		Item: e.item(in.Item),
	}
}

func putItemOutput(out *dynamo.PutItemOutput) *dynamodb.PutItemOutput {
	return &dynamodb.PutItemOutput{
		Attributes:            attributes(out.Attributes),
		ConsumedCapacity:      consumedCapacity(out.ConsumedCapacity),
		ItemCollectionMetrics: itemCollectionMetrics(out.ItemCollectionMetrics),
	}
}
