package request

import (
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestGetItemErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(in *dynamo.GetItemInput)
		want   string
	}{
		{"a plain get is good", func(*dynamo.GetItemInput) {}, ""},
		{"empty table name hides bad words", func(in *dynamo.GetItemInput) { in.TableName, in.ReturnConsumedCapacity = new(""), "X" },
			one(newEmptyName)},
		{"bad word and bad table name", func(in *dynamo.GetItemInput) { in.TableName, in.ReturnConsumedCapacity = new("a b"), "X" },
			"2 validation errors detected: " + badCapacity + "; " + badName},
		{"bad word and no attributes to get", func(in *dynamo.GetItemInput) { in.ReturnConsumedCapacity, in.AttributesToGet = "X", []string{} },
			"2 validation errors detected: " + badCapacity + "; Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1"},
		{"the most attributes to get", func(in *dynamo.GetItemInput) { in.AttributesToGet = manyNames(255) }, ""},
		{"too many attributes to get", func(in *dynamo.GetItemInput) { in.AttributesToGet = manyNames(256) },
			one("Value '[" + strings.Join(manyNames(256), ", ") + "]' at 'attributesToGet' failed to satisfy constraint: Member must have length less than or equal to 255")},
		{"an attribute to get twice", func(in *dynamo.GetItemInput) { in.AttributesToGet = []string{"a", "a"} },
			"One or more parameter values were invalid: Duplicate value in attribute name: a"},
		{"a bad key is worded the newer way, without the envelope", func(in *dynamo.GetItemInput) { in.Key = faulty(t, twoWordings) },
			"newer words"},
		{"a bad key beats a bad projection", func(in *dynamo.GetItemInput) {
			in.Key, in.ProjectionExpression = faulty(t, dynamo.FaultNoType), new("")
		}, dynamo.FaultNoType.Text},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.GetItemInput{TableName: new("Music"), Key: item(t, "pk", "a")}
			test.change(in)
			_, err := Current.CheckGetItem(in)
			expect(t, err, test.want)
		})
	}
}

func TestGetItemIsResolved(t *testing.T) {
	in := &dynamo.GetItemInput{
		TableName: new(tableARN), Key: item(t, "pk", "a"), ConsistentRead: new(true),
		ProjectionExpression: new("a"), ReturnConsumedCapacity: "TOTAL",
	}
	get, err := Current.CheckGetItem(in)
	if err != nil {
		t.Fatal(err)
	}
	if get.Table != *in.TableName || string(get.Key) != string(in.Key.Item) || get.Projection == nil || !get.Consistent ||
		get.Capacity != CapacityTotal {
		t.Errorf("got %+v", get)
	}
}
