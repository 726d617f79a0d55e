package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

func batchExecuteStatementInput(e *encoder, in *dynamodb.BatchExecuteStatementInput) *dynamo.BatchExecuteStatementInput {
	out := &dynamo.BatchExecuteStatementInput{ReturnConsumedCapacity: string(in.ReturnConsumedCapacity)}
	if in.Statements != nil {
		out.Statements = make([]dynamo.BatchStatement, len(in.Statements))
	}
	for i, s := range in.Statements {
		out.Statements[i] = dynamo.BatchStatement{
			Statement:                           validTextPointer(s.Statement),
			Parameters:                          e.parameters(s.Parameters),
			ConsistentRead:                      s.ConsistentRead,
			ReturnValuesOnConditionCheckFailure: string(s.ReturnValuesOnConditionCheckFailure),
		}
	}
	return out
}

func batchExecuteStatementOutput(out *dynamo.BatchExecuteStatementOutput) *dynamodb.BatchExecuteStatementOutput {
	defer out.Release()
	responses := make([]types.BatchStatementResponse, len(out.Responses))
	for i := range out.Responses {
		r := &out.Responses[i]
		responses[i].Item = attributes(r.Item)
		if r.TableName != "" {
			responses[i].TableName = new(r.TableName)
		}
		if r.Error != nil {
			responses[i].Error = &types.BatchStatementError{Code: types.BatchStatementErrorCodeEnum(r.Error.Code), Message: new(r.Error.Message)}
		}
	}
	return &dynamodb.BatchExecuteStatementOutput{
		Responses:        responses,
		ConsumedCapacity: consumedCapacities(out.ConsumedCapacity),
	}
}
