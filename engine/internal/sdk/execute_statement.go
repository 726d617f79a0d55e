package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

func executeStatementInput(e *encoder, in *dynamodb.ExecuteStatementInput) *dynamo.ExecuteStatementInput {
	return &dynamo.ExecuteStatementInput{
		Statement:                           validTextPointer(in.Statement),
		Parameters:                          e.parameters(in.Parameters),
		ConsistentRead:                      in.ConsistentRead,
		Limit:                               in.Limit,
		NextToken:                           validTextPointer(in.NextToken),
		ReturnConsumedCapacity:              string(in.ReturnConsumedCapacity),
		ReturnValuesOnConditionCheckFailure: string(in.ReturnValuesOnConditionCheckFailure),
	}
}

func executeStatementOutput(out *dynamo.ExecuteStatementOutput) *dynamodb.ExecuteStatementOutput {
	defer out.Release()
	return &dynamodb.ExecuteStatementOutput{
		Items:            items(out.Items),
		NextToken:        out.NextToken,
		LastEvaluatedKey: attributes(out.LastEvaluatedKey),
		ConsumedCapacity: consumedCapacity(out.ConsumedCapacity),
	}
}

// parameters writes the parameters of a statement. A nil list was not sent.
func (e *encoder) parameters(list []types.AttributeValue) (raw dynamo.RawParameters) {
	if list == nil {
		return raw
	}
	size := 0
	for _, v := range list {
		size += sizeOf(v, 1)
	}
	e.out.Reset()
	e.out.Grow(size)
	raw.Values = make([]dynamo.Value, len(list))
	for i, v := range list {
		start := e.out.Mark()
		e.value(v, 1)
		raw.Values[i] = e.out.Value(start)
	}
	raw.Fault = e.takeFault()
	return raw
}
