package sdk

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// Every parameter of the operations of PartiQL arrives in its own field.
func TestInputsOfStatements(t *testing.T) {
	var value dynamo.Encoder
	value.String("v")
	parameters := []types.AttributeValue{text("v")}
	raw := dynamo.RawParameters{Values: []dynamo.Value{value.Value(0)}}
	for _, c := range []struct {
		operation string
		in, want  any
	}{
		{"ExecuteStatement", &dynamodb.ExecuteStatementInput{
			Statement: aws.String("s"), Parameters: parameters, ConsistentRead: aws.Bool(true), Limit: aws.Int32(5), NextToken: aws.String("n"),
			ReturnConsumedCapacity: "TOTAL", ReturnValuesOnConditionCheckFailure: "ALL_OLD",
		}, &dynamo.ExecuteStatementInput{
			Statement: aws.String("s"), Parameters: raw, ConsistentRead: aws.Bool(true), Limit: aws.Int32(5), NextToken: aws.String("n"),
			ReturnConsumedCapacity: "TOTAL", ReturnValuesOnConditionCheckFailure: "ALL_OLD",
		}},
		{"ExecuteStatement", &dynamodb.ExecuteStatementInput{}, &dynamo.ExecuteStatementInput{}},
		{"BatchExecuteStatement", &dynamodb.BatchExecuteStatementInput{
			Statements: []types.BatchStatementRequest{
				{Statement: aws.String("s"), Parameters: parameters, ConsistentRead: aws.Bool(true), ReturnValuesOnConditionCheckFailure: "ALL_OLD"},
				{Statement: aws.String("u"), Parameters: []types.AttributeValue{}},
			},
			ReturnConsumedCapacity: "TOTAL",
		}, &dynamo.BatchExecuteStatementInput{
			Statements: []dynamo.BatchStatement{
				{Statement: aws.String("s"), Parameters: raw, ConsistentRead: aws.Bool(true), ReturnValuesOnConditionCheckFailure: "ALL_OLD"},
				{Statement: aws.String("u"), Parameters: dynamo.RawParameters{Values: []dynamo.Value{}}},
			},
			ReturnConsumedCapacity: "TOTAL",
		}},
		{"BatchExecuteStatement", &dynamodb.BatchExecuteStatementInput{}, &dynamo.BatchExecuteStatementInput{}},
		{"ExecuteTransaction", &dynamodb.ExecuteTransactionInput{
			TransactStatements: []types.ParameterizedStatement{
				{Statement: aws.String("s"), Parameters: parameters, ReturnValuesOnConditionCheckFailure: "ALL_OLD"},
			},
			ClientRequestToken: aws.String("token"), ReturnConsumedCapacity: "TOTAL",
		}, &dynamo.ExecuteTransactionInput{
			TransactStatements: []dynamo.BatchStatement{
				{Statement: aws.String("s"), Parameters: raw, ReturnValuesOnConditionCheckFailure: "ALL_OLD"},
			},
			ClientRequestToken: aws.String("token"), ReturnConsumedCapacity: "TOTAL",
		}},
	} {
		t.Run(c.operation, func(t *testing.T) {
			api := &fake{}
			everyDoor(t, api, c.operation, func(t *testing.T, call func(context.Context, any) (any, error)) {
				if _, err := call(t.Context(), c.in); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, api.in, allFields); diff != "" {
					t.Errorf("the engine's input (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// Parameters with faults are passed on with the first fault.
func TestFaultsOfParameters(t *testing.T) {
	api := &fake{}
	in := &dynamodb.ExecuteStatementInput{Parameters: []types.AttributeValue{text("ok"), number("one"), nil}}
	if _, err := ExecuteStatement(t.Context(), api, in); err != nil {
		t.Fatal(err)
	}
	got := api.in.(*dynamo.ExecuteStatementInput).Parameters
	if len(got.Values) != 3 || got.Fault == nil || got.Fault.Error() != "The parameter cannot be converted to a numeric value: one" {
		t.Errorf("got %d values and the fault %v", len(got.Values), got.Fault)
	}
}

func TestOutputsOfStatementsMatchTheWire(t *testing.T) {
	item, empty := itemOf(t, attributeMap{"a": text("x")}), itemOf(t, attributeMap{})
	for _, c := range []struct {
		operation string
		body      string
		out       any
	}{
		{"ExecuteStatement", `{"Items":[]}`, &dynamo.ExecuteStatementOutput{Items: []dynamo.Item{}}},
		{"ExecuteStatement", `{"Items":[{"a":{"S":"x"}},{}],"NextToken":"n","LastEvaluatedKey":{"a":{"S":"x"}},"ConsumedCapacity":{"TableName":"t","CapacityUnits":2}}`,
			&dynamo.ExecuteStatementOutput{Items: []dynamo.Item{item, empty}, NextToken: aws.String("n"), LastEvaluatedKey: item,
				ConsumedCapacity: &dynamo.ConsumedCapacity{TableName: "t", Units: 2}}},
		{"BatchExecuteStatement", `{"Responses":[{"Error":{"Code":"ValidationError","Message":"m"}},{"TableName":"t","Item":{"a":{"S":"x"}}},{"TableName":"t"}],
			"ConsumedCapacity":[{"TableName":"t","CapacityUnits":2}]}`,
			&dynamo.BatchExecuteStatementOutput{Responses: []dynamo.BatchStatementResponse{
				{Error: &dynamo.BatchStatementError{Code: "ValidationError", Message: "m"}}, {TableName: "t", Item: item}, {TableName: "t"},
			}, ConsumedCapacity: []dynamo.ConsumedCapacity{{TableName: "t", Units: 2}}}},
		{"ExecuteTransaction", `{"Responses":[{"Item":{"a":{"S":"x"}}},{}]}`, &dynamo.ExecuteTransactionOutput{Responses: []dynamo.Item{item, nil}}},
		{"ExecuteTransaction", `{"Responses":[]}`, &dynamo.ExecuteTransactionOutput{Responses: []dynamo.Item{}}},
	} {
		t.Run(c.operation, func(t *testing.T) { sameOutput(t, c.operation, c.body, c.out) })
	}
}
