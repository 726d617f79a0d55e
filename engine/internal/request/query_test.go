package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

const (
	badSelect = "Value 'X' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"
	badIndex  = "Value 'a b' at 'indexName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
)

func queryInput(t testing.TB) *dynamo.QueryInput {
	return &dynamo.QueryInput{
		PageParameters: dynamo.PageParameters{
			TableName: new("Music"), Expressions: dynamo.Expressions{Values: values(t, ":p")},
		},
		KeyConditionExpression: new("pk = :p"),
	}
}

func TestQueryErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(in *dynamo.QueryInput)
		want   string
	}{
		{"a plain query is good", func(*dynamo.QueryInput) {}, ""},
		{"no table", func(in *dynamo.QueryInput) { in.TableName = nil }, one(noTableName)},
		{"empty table name beats a bad limit", func(in *dynamo.QueryInput) { in.TableName, in.Limit = new(""), new(int32(0)) },
			one(newEmptyName)},
		{"least limit", func(in *dynamo.QueryInput) { in.Limit = new(int32(1)) }, ""},
		{"a bad table name brings in all the older validator has", func(in *dynamo.QueryInput) {
			in.TableName, in.Select, in.IndexName, in.ReturnConsumedCapacity, in.Limit = new("a b"), "X", new("a b"), "X", new(int32(-1))
		}, "5 validation errors detected: " + badSelect + "; " + badIndex + "; " + badCapacity + "; " + badName +
			"; Value '-1' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"},
		{"index name too short", func(in *dynamo.QueryInput) { in.IndexName = new("ab") },
			one("Value 'ab' at 'indexName' failed to satisfy constraint: Member must have length greater than or equal to 3")},
		{"index name too long", func(in *dynamo.QueryInput) { in.IndexName = new(long(256)) },
			one("Value '" + long(256) + "' at 'indexName' failed to satisfy constraint: Member must have length less than or equal to 255")},

		{"key conditions of the older API go with a filter", func(in *dynamo.QueryInput) {
			in.KeyConditions, in.KeyConditionExpression, in.FilterExpression = on(t, "pk", "EQ", "S:a"), nil, new("a = :p")
		}, ""},
		{"and with a projection", func(in *dynamo.QueryInput) {
			in.KeyConditions, in.KeyConditionExpression, in.ProjectionExpression = on(t, "pk", "EQ", "S:a"), nil, new("a")
			in.Values = dynamo.RawValues{}
		}, ""},

		{"a bad number in the start key beats a missing key condition", func(in *dynamo.QueryInput) {
			in.KeyConditionExpression, in.Values, in.ExclusiveStartKey = nil, dynamo.RawValues{}, faulty(t, twoWordings)
		}, "newer words"},
		{"no type in the start key", func(in *dynamo.QueryInput) { in.ExclusiveStartKey = faulty(t, dynamo.FaultNoType) },
			"The provided starting key is invalid: " + dynamo.FaultNoType.Text},
		{"bad expression value, with no word about its placeholder", func(in *dynamo.QueryInput) {
			in.Values.Fault, in.Values.FaultName = twoWordings, ":p"
		}, "newer words"},

		{"the key condition is read before the filter", func(in *dynamo.QueryInput) {
			in.KeyConditionExpression, in.FilterExpression, in.ProjectionExpression = new(""), new(""), new("")
		}, "Invalid KeyConditionExpression: The expression can not be empty;"},
		{"the filter is read before the projection", func(in *dynamo.QueryInput) { in.FilterExpression, in.ProjectionExpression = new(""), new("") },
			"Invalid FilterExpression: The expression can not be empty;"},
		{"value that is not used", func(in *dynamo.QueryInput) { in.Values = values(t, ":p", ":q") },
			"Value provided in ExpressionAttributeValues unused in expressions: keys: {:q}"},

		{"a value that is not used beats Select", func(in *dynamo.QueryInput) {
			in.Select, in.Values = "SPECIFIC_ATTRIBUTES", values(t, ":p", ":q")
		}, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:q}"},
		{"SPECIFIC_ATTRIBUTES of a projection", func(in *dynamo.QueryInput) { in.Select, in.ProjectionExpression = "SPECIFIC_ATTRIBUTES", new("a") }, ""},
		{"ALL_PROJECTED_ATTRIBUTES of an index", func(in *dynamo.QueryInput) { in.Select, in.IndexName = "ALL_PROJECTED_ATTRIBUTES", new("byYear") }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := queryInput(t)
			test.change(in)
			query, err := Current.CheckQuery(in)
			expect(t, err, test.want)
			if (err == nil) == (query == nil) {
				t.Errorf("CheckQuery returned %v and %v", query, err)
			}
		})
	}
}

func TestQueryIsResolved(t *testing.T) {
	in := queryInput(t)
	in.TableName, in.IndexName = new(tableARN), new("byYear")
	in.FilterExpression, in.ProjectionExpression = new("a = :p"), new("a")
	in.ConsistentRead, in.ScanIndexForward, in.Limit = new(true), new(false), new(int32(7))
	in.Select, in.ReturnConsumedCapacity = "SPECIFIC_ATTRIBUTES", "TOTAL"
	in.ExclusiveStartKey = item(t, "pk", "a")
	query, err := Current.CheckQuery(in)
	if err != nil {
		t.Fatal(err)
	}
	if query.Table != *in.TableName || query.Index != "byYear" || query.KeyCondition == nil || query.Filter == nil || query.Projection == nil ||
		!query.Consistent || !query.Backward || query.Limit != 7 || query.Select != SelectSpecific ||
		query.Capacity != CapacityTotal || string(query.Start) != string(in.ExclusiveStartKey.Item) {
		t.Errorf("got %+v", query)
	}
	in.ScanIndexForward = new(true)
	if query, err = Current.CheckQuery(in); err != nil || query.Backward {
		t.Errorf("a forward query became %+v, %v", query, err)
	}
}
