package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func putInput(t testing.TB) *dynamo.PutItemInput {
	return &dynamo.PutItemInput{WriteParameters: dynamo.WriteParameters{TableName: new("Music")}, Item: item(t, "pk", "a")}
}

func TestPutItemErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(in *dynamo.PutItemInput)
		want   string
	}{
		{"a plain put is good", func(*dynamo.PutItemInput) {}, ""},
		{"no table", func(in *dynamo.PutItemInput) { in.TableName = nil }, one(noTableName)},
		{"nothing at all", func(in *dynamo.PutItemInput) { *in = dynamo.PutItemInput{} },
			"2 validation errors detected: " + noTableName + "; " + noItem},
		{"empty table name hides bad words", func(in *dynamo.PutItemInput) {
			in.TableName, in.ReturnValues, in.ReturnConsumedCapacity = new(""), "X", "X"
		}, one(newEmptyName)},
		{"empty table name without an item is the older validator's", func(in *dynamo.PutItemInput) {
			in.TableName, in.Item = new(""), dynamo.RawItem{}
		}, "2 validation errors detected: " + emptyName + "; " + noItem},
		{"longest table name", func(in *dynamo.PutItemInput) { in.TableName = new(long(255)) }, ""},
		{"table name too long", func(in *dynamo.PutItemInput) { in.TableName = new(long(256)) },
			one("Value '" + long(256) + "' at 'tableName' failed to satisfy constraint: Member must have length less than or equal to 255")},
		{"shortest table name", func(in *dynamo.PutItemInput) { in.TableName = new("abc") }, ""},
		{"table name too short", func(in *dynamo.PutItemInput) { in.TableName = new("ab") }, one("Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3")},
		{"table name too short with other letters", func(in *dynamo.PutItemInput) { in.TableName = new("a;") },
			"2 validation errors detected: Value 'a;' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a;' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{"bad letters in the table name", func(in *dynamo.PutItemInput) { in.TableName = new("a b") }, one(badName)},
		{"bad table name brings in all the older validator has", func(in *dynamo.PutItemInput) {
			in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics = new("a b"), "X", "X", "X"
			in.ReturnValuesOnConditionCheckFailure = "X"
		}, "5 validation errors detected: " + badCapacity + "; " + badName + "; " + badReturns + "; " + badMetrics + "; " + badOnFailure},
		{"table ARN", func(in *dynamo.PutItemInput) { in.TableName = new(tableARN) }, ""},
		{"ARN of an index", func(in *dynamo.PutItemInput) { in.TableName = new(tableARN + "/index/byYear") },
			one("Invalid resource type in '" + tableARN + "/index/byYear'")},
		{"ARN of another partition", func(in *dynamo.PutItemInput) { in.TableName = new("arn:abc:dynamodb:eu-west-1:1:table/Music") },
			one("Invalid AWS partition in 'arn:abc:dynamodb:eu-west-1:1:table/Music'")},
		{"ARN without a region, with a bad word", func(in *dynamo.PutItemInput) {
			in.TableName, in.ReturnConsumedCapacity = new("arn:aws:dynamodb::1:table/Music"), "X"
		}, "2 validation errors detected: " + badCapacity + "; Invalid AWS region in 'arn:aws:dynamodb::1:table/Music'"},
		{"ARN of a badly named table", func(in *dynamo.PutItemInput) { in.TableName = new(tableARN + "!") },
			one("Value '" + tableARN + "!' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")},

		{"three bad words at once", func(in *dynamo.PutItemInput) {
			in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics = "X", "X", "X"
		}, "3 validation errors detected: " + badCapacity + "; " + newBadReturns + "; " + badMetrics},
		{"bad ReturnValuesOnConditionCheckFailure", func(in *dynamo.PutItemInput) {
			in.ReturnValuesOnConditionCheckFailure = "X"
		}, one(badOnFailure)},
		{"a bad word beats a bad value", func(in *dynamo.PutItemInput) {
			in.ReturnConsumedCapacity, in.Item = "X", faulty(t, dynamo.FaultNesting)
		}, one(badCapacity)},
		{"ReturnValues ALL_OLD", func(in *dynamo.PutItemInput) { in.ReturnValues = "ALL_OLD" }, ""},

		{"an empty map of the older API goes with an expression", func(in *dynamo.PutItemInput) {
			in.Expected, in.ConditionExpression = []dynamo.RawExpectation{}, new("attribute_exists(pk)")
		}, ""},

		{"a bad value", func(in *dynamo.PutItemInput) { in.Item = faulty(t, &dynamo.Fault{Text: emptySet}) }, one(emptySet)},
		{"a bad value is worded the newer way", func(in *dynamo.PutItemInput) { in.Item = faulty(t, twoWordings) }, one("newer words")},
		{"an attribute without a name beats a bad value", func(in *dynamo.PutItemInput) {
			in.Item = item(t, "", "b")
			in.Item.Fault = dynamo.FaultNesting
		}, one("Empty attribute name")},
		{"longest attribute name", func(in *dynamo.PutItemInput) { in.Item = item(t, long(65535), "b") }, ""},
		{"attribute name too long", func(in *dynamo.PutItemInput) { in.Item = item(t, long(65536), "b") },
			one("One or more parameter values were invalid: Attribute name is too large, must be less than 65536 bytes")},
		{"a bad value beats bad ReturnValues of another operation", func(in *dynamo.PutItemInput) {
			in.Item, in.ReturnValues = faulty(t, dynamo.FaultNesting), "ALL_NEW"
		}, one(nesting)},

		{"largest item", func(in *dynamo.PutItemInput) { in.Item = item(t, "pk", long(409598)) }, ""},
		{"item too large, without the envelope", func(in *dynamo.PutItemInput) { in.Item = item(t, "pk", long(409599)) },
			"Item size has exceeded the maximum allowed size"},
		{"item too large beats a bad condition", func(in *dynamo.PutItemInput) {
			in.Item, in.ConditionExpression = item(t, "pk", long(409599)), new("")
		}, "Item size has exceeded the maximum allowed size"},

		{"condition", func(in *dynamo.PutItemInput) {
			in.ConditionExpression, in.Values = new("#a = :v"), values(t, ":v")
			in.Names = map[string]string{"#a": "a"}
		}, ""},
		{"bad placeholders: the names are looked at first, the least one is named", func(in *dynamo.PutItemInput) {
			in.ConditionExpression, in.Values = new(""), values(t, "w", "v")
			in.Names = map[string]string{"b": "b", "#": "a", "#-": "c", "#a": "a"}
		}, one(`ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`)},
		{"bad value placeholder beats a bad value", func(in *dynamo.PutItemInput) {
			in.ConditionExpression, in.Values = new(""), values(t, ":w", "v")
			in.Values.Fault, in.Values.FaultName = dynamo.FaultNesting, ":w"
		}, one(`ExpressionAttributeValues contains invalid key: Syntax error; key: "v"`)},
		{"name placeholder for nothing", func(in *dynamo.PutItemInput) {
			in.ConditionExpression, in.Names = new("a = #a"), map[string]string{"#a": ""}
		}, one("ExpressionAttributeNames contains invalid value: Empty attribute name for key #a")},
		{"bad expression value beats a bad condition", func(in *dynamo.PutItemInput) {
			in.ConditionExpression, in.Values = new(""), values(t, ":v")
			in.Values.Fault, in.Values.FaultName = twoWordings, ":v"
		}, one("newer words")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := putInput(t)
			test.change(in)
			put, err := Current.CheckPutItem(in)
			expect(t, err, test.want)
			if (err == nil) == (put == nil) {
				t.Errorf("CheckPutItem returned %v and %v", put, err)
			}
		})
	}
}

func TestPutItemIsResolved(t *testing.T) {
	in := putInput(t)
	in.TableName = new(tableARN)
	in.ConditionExpression, in.Values = new("a = :v"), values(t, ":v")
	in.ReturnValues, in.ReturnValuesOnConditionCheckFailure = "ALL_OLD", "ALL_OLD"
	in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics = "INDEXES", "SIZE"
	put, err := Current.CheckPutItem(in)
	if err != nil {
		t.Fatal(err)
	}
	if put.Table != *in.TableName || string(put.Item) != string(in.Item.Item) || put.Condition == nil ||
		put.Return != ReturnAllOld || !put.ReturnOnFailure || put.Capacity != CapacityIndexes || !put.Metrics {
		t.Errorf("got %+v", put)
	}
}

func TestPlainPutItemAllocatesOnlyItsResult(t *testing.T) {
	in := putInput(t)
	in.ReturnConsumedCapacity = "TOTAL"
	allocations := testing.AllocsPerRun(100, func() {
		if _, err := Current.CheckPutItem(in); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 1 {
		t.Errorf("a put without expressions allocated %v times, want only the result", allocations)
	}
}
