package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/engine/internal/dynamo"
)

func executeTransactionInput(e *encoder, in *dynamodb.ExecuteTransactionInput) *dynamo.ExecuteTransactionInput {
	out := &dynamo.ExecuteTransactionInput{
		ClientRequestToken:     validTextPointer(in.ClientRequestToken),
		ReturnConsumedCapacity: string(in.ReturnConsumedCapacity),
	}
	if in.TransactStatements != nil {
		out.TransactStatements = make([]dynamo.BatchStatement, len(in.TransactStatements))
	}
	for i, s := range in.TransactStatements {
		out.TransactStatements[i] = dynamo.BatchStatement{
			Statement:                           validTextPointer(s.Statement),
			Parameters:                          e.parameters(s.Parameters),
			ReturnValuesOnConditionCheckFailure: string(s.ReturnValuesOnConditionCheckFailure),
		}
	}
	return out
}

func executeTransactionOutput(out *dynamo.ExecuteTransactionOutput) *dynamodb.ExecuteTransactionOutput {
	defer out.Release()
	return &dynamodb.ExecuteTransactionOutput{
		Responses:        itemResponses(out.Responses),
		ConsumedCapacity: consumedCapacities(out.ConsumedCapacity),
	}
}
