package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestUpdateItemErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(in *dynamo.UpdateItemInput)
		want   string
	}{
		{"an update without an expression is good", func(*dynamo.UpdateItemInput) {}, ""},
		{"no key beside an empty table name", func(in *dynamo.UpdateItemInput) {
			in.TableName, in.Key = new(""), dynamo.RawItem{}
		}, "2 validation errors detected: " + emptyName + "; " + noKey},
		{"no key, an empty table name and bad words", func(in *dynamo.UpdateItemInput) {
			in.TableName, in.Key, in.ReturnConsumedCapacity, in.ReturnValues = new(""), dynamo.RawItem{}, "X", "X"
		}, "4 validation errors detected: " + badCapacity + "; " + emptyName + "; " + badReturns + "; " + noKey},
		{"of two other bad words the first is reported", func(in *dynamo.UpdateItemInput) {
			in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics = "X", "X"
		}, one(badCapacity)},
		{"an operator of the older API next to an expression", func(in *dynamo.UpdateItemInput) {
			in.ConditionalOperator, in.UpdateExpression = "OR", new("REMOVE a")
		}, one(mixed + "ConditionalOperator} Expression parameters: {UpdateExpression}")},
		{"a bad key beats bad placeholders", func(in *dynamo.UpdateItemInput) {
			in.Key, in.UpdateExpression, in.Names = faulty(t, dynamo.FaultManyTypes), new("REMOVE a"), map[string]string{}
		}, one(dynamo.FaultManyTypes.Text)},
		{"the condition is read before the update", func(in *dynamo.UpdateItemInput) {
			in.UpdateExpression, in.ConditionExpression = new(""), new("")
		}, one("Invalid ConditionExpression: The expression can not be empty;")},
		{"value that is not defined", func(in *dynamo.UpdateItemInput) {
			in.UpdateExpression, in.ConditionExpression, in.Values = new("SET b = :w"), new("a = :v"), values(t, ":w")
		}, one("Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :v")},
		{"values of both expressions are used", func(in *dynamo.UpdateItemInput) {
			in.UpdateExpression, in.ConditionExpression, in.Values = new("SET b = :w"), new("a = :v"), values(t, ":v", ":w")
		}, ""},
		{"names that are not used beat values that are not", func(in *dynamo.UpdateItemInput) {
			in.UpdateExpression, in.Values, in.Names = new("SET b = :w"), values(t, ":v", ":w"), map[string]string{"#n": "n"}
		}, one("Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.UpdateItemInput{WriteParameters: dynamo.WriteParameters{TableName: new("Music")}, Key: item(t, "pk", "a")}
			test.change(in)
			_, err := Current.CheckUpdateItem(in)
			expect(t, err, test.want)
		})
	}
}

func TestUpdateItemIsResolved(t *testing.T) {
	in := &dynamo.UpdateItemInput{
		WriteParameters: dynamo.WriteParameters{
			TableName: new("Music"), ConditionExpression: new("attribute_exists(pk)"), ReturnValues: "UPDATED_NEW",
			ReturnConsumedCapacity: "INDEXES", ReturnItemCollectionMetrics: "SIZE",
			ReturnValuesOnConditionCheckFailure: "ALL_OLD",
		},
		Key: item(t, "pk", "a"), UpdateExpression: new("REMOVE a"),
	}
	update, err := Current.CheckUpdateItem(in)
	if err != nil {
		t.Fatal(err)
	}
	if update.Table != "Music" || string(update.Key) != string(in.Key.Item) || update.Update == nil || update.Condition == nil ||
		update.Return != ReturnUpdatedNew || !update.ReturnOnFailure || update.Capacity != CapacityIndexes || !update.Metrics {
		t.Errorf("got %+v", update)
	}
}
