package request

import (
	"strings"
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

// transactGets returns n reads of different items.
func transactGets(t testing.TB, n int) []dynamo.TransactGetItem {
	all := make([]dynamo.TransactGetItem, n)
	for i, key := range keys(t, n) {
		all[i].Get = &dynamo.TransactGet{TableName: new("Music"), Key: key}
	}
	return all
}

func TestTransactGetErrors(t *testing.T) {
	const path = "transactItems.1.member.get"
	tests := []struct {
		name   string
		change func(in *dynamo.TransactGetItemsInput)
		want   string
	}{
		{"a plain transaction is good", func(*dynamo.TransactGetItemsInput) {}, ""},
		{"most reads", func(in *dynamo.TransactGetItemsInput) { in.TransactItems = transactGets(t, 100) }, ""},
		{"members in their order", func(in *dynamo.TransactGetItemsInput) {
			in.ReturnConsumedCapacity = "X"
			in.TransactItems = []dynamo.TransactGetItem{{}, {Get: &dynamo.TransactGet{}}}
		}, "4 validation errors detected: " + badCapacity + "; " + null(path) + "; " +
			null("transactItems.2.member.get.tableName") + "; " + null("transactItems.2.member.get.key")},
		{"bad table name", func(in *dynamo.TransactGetItemsInput) { in.TransactItems[0].Get.TableName = new("bad!name") },
			one("Value 'bad!name' at '" + path + ".tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")},
		{"key of nothing is not seen here", func(in *dynamo.TransactGetItemsInput) { in.TransactItems[0].Get.Key = item(t) }, ""},
		{"a bad key is worded the older way", func(in *dynamo.TransactGetItemsInput) { in.TransactItems[1].Get.Key = faulty(t, twoWordings) }, "older words"},
		{"a projection comes before its key", func(in *dynamo.TransactGetItemsInput) {
			in.TransactItems[0].Get.Key, in.TransactItems[0].Get.ProjectionExpression = faulty(t, twoWordings), new("")
		}, "Invalid ProjectionExpression: The expression can not be empty;"},
		{"the first read with a fault is reported", func(in *dynamo.TransactGetItemsInput) {
			in.TransactItems[0].Get.Key, in.TransactItems[1].Get.ProjectionExpression = faulty(t, twoWordings), new("")
		}, "older words"},
		{"names without a projection", func(in *dynamo.TransactGetItemsInput) {
			in.TransactItems[0].Get.Names = map[string]string{"#a": "a"}
		}, "ExpressionAttributeNames can only be specified when using expressions"},
		{"unused name", func(in *dynamo.TransactGetItemsInput) {
			in.TransactItems[0].Get.ProjectionExpression, in.TransactItems[0].Get.Names = new("a"), map[string]string{"#a": "a"}
		}, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := &dynamo.TransactGetItemsInput{TransactItems: transactGets(t, 2)}
			test.change(in)
			_, err := CheckTransactGetItems(in)
			expect(t, err, test.want)
		})
	}
}

func TestTransactionOfTooManyReads(t *testing.T) {
	many := transactGets(t, 101)
	many[1].Get.ProjectionExpression, many[1].Get.Names = new("#a"), map[string]string{"#a": "a"}
	many[2].Get = nil
	_, err := CheckTransactGetItems(&dynamo.TransactGetItemsInput{TransactItems: many})
	got := answer(t, err)
	for _, part := range []string{
		"2 validation errors detected: Value '[TransactGetItem(get=Get(key={pk=AttributeValue(s=0, ",
		"tableName=Music, projectionExpression=null, expressionAttributeNames=null)), TransactGetItem(",
		"projectionExpression=#a, expressionAttributeNames={#a=a})), TransactGetItem(get=null), ",
		"))]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100; " + null("transactItems.3.member.get"),
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q\nis not in\n%s", part, got)
		}
	}
}

func TestTransactGetItemsIsResolved(t *testing.T) {
	in := &dynamo.TransactGetItemsInput{TransactItems: transactGets(t, 2), ReturnConsumedCapacity: "INDEXES"}
	in.TransactItems[0].Get.TableName = new(tableARN)
	in.TransactItems[1].Get.ProjectionExpression = new("a.b")
	got, err := CheckTransactGetItems(in)
	if err != nil {
		t.Fatal(err)
	}
	if got.Capacity != CapacityIndexes || len(got.Gets) != 2 {
		t.Fatalf("got %+v", got)
	}
	first, second := got.Gets[0], got.Gets[1]
	if first.Table != tableARN || first.Projection != nil || string(first.Key) != string(in.TransactItems[0].Get.Key.Item) {
		t.Errorf("the first read became %+v", first)
	}
	if second.Table != "Music" || second.Projection == nil || string(second.Key) != string(in.TransactItems[1].Get.Key.Item) {
		t.Errorf("the second read became %+v", second)
	}
}
