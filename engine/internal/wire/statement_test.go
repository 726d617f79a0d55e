package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func TestInputsOfStatements(t *testing.T) {
	var e dynamo.Encoder
	e.String("v")
	parameters := dynamo.RawParameters{Values: []dynamo.Value{e.Value(0)}}
	for _, c := range []struct {
		name, operation, body string
		want                  any
	}{
		{"all members", "ExecuteStatement", `{"Statement":"s","Parameters":[{"S":"v"}],"ConsistentRead":true,"Limit":5,"NextToken":"n",
			"ReturnConsumedCapacity":"TOTAL","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`, &dynamo.ExecuteStatementInput{
			Statement: new("s"), Parameters: parameters, ConsistentRead: new(true), Limit: new(int32(5)), NextToken: new("n"),
			ReturnConsumedCapacity: "TOTAL", ReturnValuesOnConditionCheckFailure: "ALL_OLD",
		}},
		{"null", "ExecuteStatement", `{"Statement":null,"Parameters":null,"Unknown":1}`, &dynamo.ExecuteStatementInput{}},
		{"no parameters", "ExecuteStatement", `{"Parameters":[]}`, &dynamo.ExecuteStatementInput{Parameters: dynamo.RawParameters{Values: []dynamo.Value{}}}},
		{"a batch", "BatchExecuteStatement", `{"Statements":[{"Statement":"s","Parameters":[{"S":"v"}],"ConsistentRead":true,"ReturnValuesOnConditionCheckFailure":"NONE"},null,{"Unknown":[]}],
			"ReturnConsumedCapacity":"INDEXES"}`, &dynamo.BatchExecuteStatementInput{
			Statements:             []dynamo.BatchStatement{{Statement: new("s"), Parameters: parameters, ConsistentRead: new(true), ReturnValuesOnConditionCheckFailure: "NONE"}, {}, {}},
			ReturnConsumedCapacity: "INDEXES",
		}},
		{"no batch", "BatchExecuteStatement", `{"Statements":null,"Unknown":1}`, &dynamo.BatchExecuteStatementInput{}},
		{"a transaction", "ExecuteTransaction", `{"TransactStatements":[{"Statement":"s","Parameters":[{"S":"v"}],"ConsistentRead":true,"ReturnValuesOnConditionCheckFailure":"NONE"}],
			"ClientRequestToken":"token","ReturnConsumedCapacity":"INDEXES"}`, &dynamo.ExecuteTransactionInput{
			TransactStatements: []dynamo.BatchStatement{{Statement: new("s"), Parameters: parameters, ReturnValuesOnConditionCheckFailure: "NONE"}},
			ClientRequestToken: new("token"), ReturnConsumedCapacity: "INDEXES",
		}},
		{"no transaction", "ExecuteTransaction", `{"TransactStatements":null,"Unknown":1}`, &dynamo.ExecuteTransactionInput{}},
	} {
		t.Run(c.operation+"/"+c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, inputOf(t, c.operation, c.body)); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

// The first fault of the parameters is kept, with the text of a number.
func TestFaultsOfParameters(t *testing.T) {
	got := inputOf(t, "ExecuteStatement", `{"Parameters":[{"L":[{"N":"1e999"}]},{"N":"x"}]}`).(*dynamo.ExecuteStatementInput).Parameters
	fault, ok := got.Fault.(*dynamo.Fault)
	if len(got.Values) != 2 || !ok || fault.Number != "1e999" {
		t.Errorf("got %d values and the fault %v", len(got.Values), got.Fault)
	}
}
