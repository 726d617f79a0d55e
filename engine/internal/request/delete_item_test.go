package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestDeleteItemErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(in *dynamo.DeleteItemInput)
		want   string
	}{
		{"a plain delete is good", func(*dynamo.DeleteItemInput) {}, ""},
		{"no key and bad words", func(in *dynamo.DeleteItemInput) {
			in.Key, in.ReturnConsumedCapacity, in.ReturnValues, in.ReturnItemCollectionMetrics = dynamo.RawItem{}, "X", "X", "X"
		}, "4 validation errors detected: " + badCapacity + "; " + badReturns + "; " + badMetrics + "; " + noKey},
		{"two bad words", func(in *dynamo.DeleteItemInput) { in.ReturnConsumedCapacity, in.ReturnValues = "X", "X" },
			"2 validation errors detected: " + badCapacity + "; " + newBadReturns},
		{"a bad key beats ReturnValues of an update", func(in *dynamo.DeleteItemInput) {
			in.ReturnValues, in.Key = "UPDATED_NEW", faulty(t, twoWordings)
		}, one("newer words")},
		{"no values in the map", func(in *dynamo.DeleteItemInput) {
			in.ConditionExpression, in.Values = new("attribute_exists(a)"), values(t)
		}, one("ExpressionAttributeValues must not be empty")},
		{"bad expression value, with no word about its placeholder", func(in *dynamo.DeleteItemInput) {
			in.ConditionExpression, in.Values = new("n = :v"), values(t, ":v")
			in.Values.Fault, in.Values.FaultName = twoWordings, ":v"
		}, one("newer words")},
		{"name that is not used", func(in *dynamo.DeleteItemInput) {
			in.ConditionExpression, in.Names = new("attribute_exists(a)"), map[string]string{"#b": "b"}
		}, one("Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.DeleteItemInput{WriteParameters: dynamo.WriteParameters{TableName: new("Music")}, Key: item(t, "pk", "a")}
			test.change(in)
			_, err := Current.CheckDeleteItem(in)
			expect(t, err, test.want)
		})
	}
}

func TestDeleteItemIsResolved(t *testing.T) {
	in := &dynamo.DeleteItemInput{
		WriteParameters: dynamo.WriteParameters{
			TableName: new(tableARN), ConditionExpression: new("attribute_exists(pk)"), ReturnValues: "ALL_OLD",
			ReturnConsumedCapacity: "TOTAL", ReturnValuesOnConditionCheckFailure: "NONE",
			ReturnItemCollectionMetrics: "NONE",
		},
		Key: item(t, "pk", "a"),
	}
	del, err := Current.CheckDeleteItem(in)
	if err != nil {
		t.Fatal(err)
	}
	if del.Table != *in.TableName || string(del.Key) != string(in.Key.Item) || del.Condition == nil ||
		del.Return != ReturnAllOld || del.ReturnOnFailure || del.Capacity != CapacityTotal || del.Metrics {
		t.Errorf("got %+v", del)
	}
}
