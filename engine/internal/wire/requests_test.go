package wire

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// inputOf runs an operation and returns the input that reached the API.
func inputOf(t *testing.T, operation, body string) any {
	t.Helper()
	api := &fake{}
	answer, status := NewHandler(api, Options{}).Call(context.Background(), operation, []byte(body), nil)
	if status != http.StatusOK {
		t.Fatalf("%s %s: status %d, %s", operation, body, status, answer)
	}
	if in, ok := api.input.(interface{ Page() *dynamo.PageParameters }); ok {
		if in.Page().Visit == nil {
			t.Errorf("%s collects its items before it writes them", operation)
		}
		in.Page().Visit = nil // functions cannot be compared
	}
	return api.input
}

// encoded returns the item that write writes.
func encoded(write func(e *dynamo.Encoder)) dynamo.Item {
	var e dynamo.Encoder
	e.OpenItem()
	write(&e)
	item, err := e.CloseItem()
	if err != nil {
		panic(err)
	}
	return item
}

// textItem returns an item of one S attribute.
func textItem(name, value string) dynamo.Item {
	return encoded(func(e *dynamo.Encoder) {
		e.Name(name)
		e.String(value)
	})
}

// textValue returns an S value.
func textValue(text string) dynamo.Value {
	var e dynamo.Encoder
	e.String(text)
	return e.Value(0)
}

func TestRequestsReachTheAPI(t *testing.T) {
	key := dynamo.RawItem{Item: textItem("pk", "a")}
	expressions := dynamo.Expressions{
		Names:  map[string]string{"#n": "name", "#m": "more"},
		Values: dynamo.RawValues{ByName: map[string]dynamo.Value{":v": textValue("x")}},
	}
	const placeholders = `"ExpressionAttributeNames":{"#n":"name","#m":"more"},"ExpressionAttributeValues":{":v":{"S":"x"}}`
	for _, test := range []struct {
		operation string
		body      string
		want      any
	}{
		{
			"PutItem",
			`{"TableName":"t","Item":{"pk":{"S":"a"}},"ConditionExpression":"c",` + placeholders + `,"ReturnConsumedCapacity":"TOTAL",
			  "ReturnItemCollectionMetrics":"SIZE","ReturnValues":"ALL_OLD","ReturnValuesOnConditionCheckFailure":"NONE"}`,
			&dynamo.PutItemInput{
				WriteParameters: dynamo.WriteParameters{
					TableName: new("t"), ConditionExpression: new("c"), Expressions: expressions,
					ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
					ReturnValuesOnConditionCheckFailure: "NONE",
				},
				Item: key,
			},
		},
		{
			"UpdateItem",
			`{"TableName":"t","Key":{"pk":{"S":"a"}},"UpdateExpression":"u","ConditionExpression":"c",` + placeholders + `,
			  "ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"NONE","ReturnValues":"UPDATED_NEW",
			  "ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`,
			&dynamo.UpdateItemInput{
				WriteParameters: dynamo.WriteParameters{
					TableName: new("t"), ConditionExpression: new("c"), Expressions: expressions,
					ReturnConsumedCapacity: "INDEXES", ReturnItemCollectionMetrics: "NONE", ReturnValues: "UPDATED_NEW",
					ReturnValuesOnConditionCheckFailure: "ALL_OLD",
				},
				Key: key, UpdateExpression: new("u"),
			},
		},
		{
			"DeleteItem",
			`{"TableName":"t","Key":{"pk":{"S":"a"}},"ConditionExpression":"c",` + placeholders + `,"ReturnConsumedCapacity":"NONE",
			  "ReturnItemCollectionMetrics":"SIZE","ReturnValues":"wrong","ReturnValuesOnConditionCheckFailure":"ALL_OLD"}`,
			&dynamo.DeleteItemInput{
				WriteParameters: dynamo.WriteParameters{
					TableName: new("t"), ConditionExpression: new("c"), Expressions: expressions,
					ReturnConsumedCapacity: "NONE", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "wrong",
					ReturnValuesOnConditionCheckFailure: "ALL_OLD",
				},
				Key: key,
			},
		},
		{
			"GetItem",
			`{"TableName":"t","Key":{"pk":{"S":"a"}},"ConsistentRead":true,"ProjectionExpression":"p",
			  "ExpressionAttributeNames":{"#n":"name"},"ReturnConsumedCapacity":"TOTAL"}`,
			&dynamo.GetItemInput{
				TableName: new("t"), Key: key, ConsistentRead: new(true), ProjectionExpression: new("p"),
				Names: map[string]string{"#n": "name"}, ReturnConsumedCapacity: "TOTAL",
			},
		},
		{
			"Query",
			`{"TableName":"t","IndexName":"i","KeyConditionExpression":"k","FilterExpression":"f","ProjectionExpression":"p",` + placeholders + `,
			  "ConsistentRead":false,"ExclusiveStartKey":{"pk":{"S":"a"}},"Limit":10,"ReturnConsumedCapacity":"TOTAL",
			  "ScanIndexForward":false,"Select":"COUNT"}`,
			&dynamo.QueryInput{
				PageParameters: dynamo.PageParameters{
					TableName: new("t"), IndexName: new("i"), FilterExpression: new("f"),
					ProjectionExpression: new("p"), Expressions: expressions, ConsistentRead: new(false),
					ExclusiveStartKey: key, Limit: new(int32(10)), ReturnConsumedCapacity: "TOTAL", Select: "COUNT",
				},
				KeyConditionExpression: new("k"), ScanIndexForward: new(false),
			},
		},
		{
			"SearchVectors",
			`{"TableName":"t","IndexName":"i","SearchVector":[{"N":"1.50"},{"S":"x"}],"TopK":7,"SearchConditionExpression":"c","ProjectionExpression":"p",` +
				placeholders + `,"ReturnConsumedCapacity":"TOTAL"}`,
			&dynamo.SearchVectorsInput{
				TableName: new("t"), IndexName: new("i"), TopK: new(int32(7)), SearchConditionExpression: new("c"), ProjectionExpression: new("p"),
				SearchVector: dynamo.RawVector{List: encoded(func(e *dynamo.Encoder) {
					e.Name("v")
					e.OpenList()
					_ = e.Number([]byte("1.5"))
					e.String("x")
					e.CloseList()
				}).Get("v")},
				Expressions: expressions, ReturnConsumedCapacity: "TOTAL",
			},
		},
		{
			"Scan",
			`{"TableName":"t","IndexName":"i","FilterExpression":"f","ProjectionExpression":"p",` + placeholders + `,"ConsistentRead":true,
			  "ExclusiveStartKey":{"pk":{"S":"a"}},"Limit":1,"ReturnConsumedCapacity":"TOTAL","Segment":2,"Select":"ALL_ATTRIBUTES","TotalSegments":4}`,
			&dynamo.ScanInput{
				PageParameters: dynamo.PageParameters{
					TableName: new("t"), IndexName: new("i"), FilterExpression: new("f"),
					ProjectionExpression: new("p"), Expressions: expressions, ConsistentRead: new(true),
					ExclusiveStartKey: key, Limit: new(int32(1)), ReturnConsumedCapacity: "TOTAL",
					Select: "ALL_ATTRIBUTES",
				},
				Segment: new(int32(2)), TotalSegments: new(int32(4)),
			},
		},
		{
			"BatchGetItem",
			`{"RequestItems":{"t":{"Keys":[{"pk":{"S":"a"}},null],"ConsistentRead":true,"ProjectionExpression":"p",
			  "ExpressionAttributeNames":{"#n":"name"},"AttributesToGet":["a"]},"a":{"Keys":[]},"u":null},"ReturnConsumedCapacity":"TOTAL"}`,
			&dynamo.BatchGetItemInput{
				RequestItems: []dynamo.KeysAndAttributes{
					{
						TableName: "t", Keys: []dynamo.RawItem{key, {}}, ConsistentRead: new(true), ProjectionExpression: new("p"),
						Names: map[string]string{"#n": "name"}, AttributesToGet: []string{"a"},
					},
					{TableName: "a", Keys: []dynamo.RawItem{}},
					{TableName: "u"},
				},
				ReturnConsumedCapacity: "TOTAL",
			},
		},
		{
			"BatchWriteItem",
			`{"RequestItems":{"t":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}},{"DeleteRequest":{"Key":{"pk":{"S":"a"}}}},{},{"PutRequest":{}},
			  {"PutRequest":null,"Other":[1]}],"a":[]},"ReturnConsumedCapacity":"INDEXES","ReturnItemCollectionMetrics":"SIZE"}`,
			&dynamo.BatchWriteItemInput{
				RequestItems: []dynamo.TableWrites{
					{TableName: "t", Requests: []dynamo.WriteRequest{{Put: &key}, {Delete: &key}, {}, {Put: &dynamo.RawItem{}}, {}}},
					{TableName: "a", Requests: []dynamo.WriteRequest{}},
				},
				ReturnConsumedCapacity: "INDEXES", ReturnItemCollectionMetrics: "SIZE",
			},
		},
		{
			"TransactWriteItems",
			`{"ClientRequestToken":"token","ReturnConsumedCapacity":"TOTAL","ReturnItemCollectionMetrics":"SIZE","TransactItems":[
			  {"ConditionCheck":{"TableName":"t","Key":{"pk":{"S":"a"}},"ConditionExpression":"c",` + placeholders + `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},
			  {"Delete":{"TableName":"t","Key":{"pk":{"S":"a"}},"ConditionExpression":"c",` + placeholders + `,"ReturnValuesOnConditionCheckFailure":"NONE"}},
			  {"Put":{"TableName":"t","Item":{"pk":{"S":"a"}},"ConditionExpression":"c",` + placeholders + `,"ReturnValuesOnConditionCheckFailure":"wrong"}},
			  {"Update":{"TableName":"t","Key":{"pk":{"S":"a"}},"UpdateExpression":"u","ConditionExpression":"c",` + placeholders + `,"ReturnValuesOnConditionCheckFailure":"ALL_OLD"}},
			  {"Put":{},"Delete":{}},{}]}`,
			&dynamo.TransactWriteItemsInput{
				ClientRequestToken: new("token"), ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE",
				TransactItems: []dynamo.TransactWriteItem{
					{ConditionCheck: &dynamo.TransactAction{TableName: new("t"), Subject: key, ConditionExpression: new("c"), Expressions: expressions, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}},
					{Delete: &dynamo.TransactAction{TableName: new("t"), Subject: key, ConditionExpression: new("c"), Expressions: expressions, ReturnValuesOnConditionCheckFailure: "NONE"}},
					{Put: &dynamo.TransactAction{TableName: new("t"), Subject: key, ConditionExpression: new("c"), Expressions: expressions, ReturnValuesOnConditionCheckFailure: "wrong"}},
					{Update: &dynamo.TransactAction{TableName: new("t"), Subject: key, UpdateExpression: new("u"), ConditionExpression: new("c"), Expressions: expressions, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}},
					{Put: &dynamo.TransactAction{}, Delete: &dynamo.TransactAction{}},
					{},
				},
			},
		},
		{
			"TransactGetItems",
			`{"TransactItems":[{"Get":{"TableName":"t","Key":{"pk":{"S":"a"}},"ProjectionExpression":"p","ExpressionAttributeNames":{"#n":"name"}}},{"Get":{}},{}],
			  "ReturnConsumedCapacity":"INDEXES"}`,
			&dynamo.TransactGetItemsInput{
				TransactItems: []dynamo.TransactGetItem{
					{Get: &dynamo.TransactGet{TableName: new("t"), Key: key, ProjectionExpression: new("p"), Names: map[string]string{"#n": "name"}}},
					{Get: &dynamo.TransactGet{}},
					{},
				},
				ReturnConsumedCapacity: "INDEXES",
			},
		},
		{"GetRecords", `{"ShardIterator":"i","Limit":10}`, &dynamo.GetRecordsInput{ShardIterator: new("i"), Limit: new(int32(10))}},
	} {
		t.Run(test.operation, func(t *testing.T) {
			if diff := cmp.Diff(test.want, inputOf(t, test.operation, test.body)); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMembersThatAreNotThere(t *testing.T) {
	for _, test := range []struct {
		name, operation, body string
		want                  any
	}{
		{"empty", "PutItem", `{}`, &dynamo.PutItemInput{}},
		{"null", "GetItem", `{"TableName":null,"Key":null,"ConsistentRead":null,"ReturnConsumedCapacity":null,"ExpressionAttributeNames":null}`, &dynamo.GetItemInput{}},
		{"null numbers", "Scan", `{"Limit":null,"Segment":null,"ExpressionAttributeValues":null}`, &dynamo.ScanInput{}},
		{"unknown", "Query", `{"Unknown":{"a":[1,2,{"b":null}]},"tablename":"t","TABLENAME":5}`, &dynamo.QueryInput{}},
		{"batches", "BatchGetItem", `{"RequestItems":null}`, &dynamo.BatchGetItemInput{}},
		{"batches to write", "BatchWriteItem", `{"RequestItems":null,"Unknown":1}`, &dynamo.BatchWriteItemInput{}},
		{"null in batches", "BatchWriteItem", `{"RequestItems":{"t":null,"u":[null,{"PutRequest":{"Other":1,"Item":null}}]}}`, &dynamo.BatchWriteItemInput{
			RequestItems: []dynamo.TableWrites{{TableName: "t"}, {TableName: "u", Requests: []dynamo.WriteRequest{{}, {Put: &dynamo.RawItem{}}}}}}},
		{"null keys", "BatchGetItem", `{"RequestItems":{"t":{"Keys":null,"Unknown":[]}}}`, &dynamo.BatchGetItemInput{RequestItems: []dynamo.KeysAndAttributes{{TableName: "t"}}}},
		{"transactions to write", "TransactWriteItems", `{"TransactItems":null,"ClientRequestToken":null,"Unknown":1}`, &dynamo.TransactWriteItemsInput{}},
		{"null in transactions to write", "TransactWriteItems", `{"TransactItems":[null,{"Put":null,"Unknown":[]},{"Update":{"Key":null,"Unknown":{},"UpdateExpression":null}}]}`,
			&dynamo.TransactWriteItemsInput{TransactItems: []dynamo.TransactWriteItem{{}, {}, {Update: &dynamo.TransactAction{}}}}},
		{"members of other actions", "TransactWriteItems", `{"TransactItems":[{"Put":{"Key":{},"UpdateExpression":"u"}},{"Delete":{"Item":{},"UpdateExpression":"u"}}]}`,
			&dynamo.TransactWriteItemsInput{TransactItems: []dynamo.TransactWriteItem{{Put: &dynamo.TransactAction{}}, {Delete: &dynamo.TransactAction{}}}}},
		{"transactions to read", "TransactGetItems", `{"TransactItems":null,"Unknown":1}`, &dynamo.TransactGetItemsInput{}},
		{"null in transactions to read", "TransactGetItems", `{"TransactItems":[null,{"Get":null,"Put":{}},{"Get":{"Key":null,"ConsistentRead":true}}]}`,
			&dynamo.TransactGetItemsInput{TransactItems: []dynamo.TransactGetItem{{}, {}, {Get: &dynamo.TransactGet{}}}}},
		{"records", "GetRecords", `{"ShardIterator":null,"Limit":null,"Unknown":1}`, &dynamo.GetRecordsInput{}},
		{"empty list", "TransactWriteItems", `{"TransactItems":[]}`, &dynamo.TransactWriteItemsInput{TransactItems: []dynamo.TransactWriteItem{}}},
		{"null name", "GetItem", `{"ExpressionAttributeNames":{"#a":null}}`, &dynamo.GetItemInput{Names: map[string]string{"#a": ""}}},
		{"empty map", "BatchWriteItem", `{"RequestItems":{}}`, &dynamo.BatchWriteItemInput{RequestItems: []dynamo.TableWrites{}}},
		{"empty key", "GetItem", `{"Key":{}}`, &dynamo.GetItemInput{Key: dynamo.RawItem{Item: encoded(func(*dynamo.Encoder) {})}}},
		{"empty values", "Query", `{"ExpressionAttributeValues":{},"ExpressionAttributeNames":{}}`,
			&dynamo.QueryInput{PageParameters: dynamo.PageParameters{Expressions: dynamo.Expressions{
				Names: map[string]string{}, Values: dynamo.RawValues{ByName: map[string]dynamo.Value{}}}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, inputOf(t, test.operation, test.body)); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

// The parameters of the API before expressions are decoded to lists, by name.
func TestParametersBeforeExpressions(t *testing.T) {
	x, y := textValue("x"), textValue("y")
	for _, test := range []struct {
		operation, body string
		want            any
	}{
		{"PutItem", `{"Expected":{"b":{"Value":{"S":"x"},"Exists":true},"a":{"Exists":false},"d":null,
			"c":{"ComparisonOperator":"IN","AttributeValueList":[{"S":"x"},{"S":"y"}],"Unknown":[{}]}},"ConditionalOperator":"AND"}`,
			&dynamo.PutItemInput{WriteParameters: dynamo.WriteParameters{ConditionalOperator: "AND", Expected: []dynamo.RawExpectation{
				{RawCondition: dynamo.RawCondition{Name: "a"}, Exists: new(false)},
				{RawCondition: dynamo.RawCondition{Name: "b"}, Exists: new(true), Value: x},
				{RawCondition: dynamo.RawCondition{Name: "c", Operator: "IN", Values: []dynamo.Value{x, y}}},
				{RawCondition: dynamo.RawCondition{Name: "d"}},
			}}}},
		{"UpdateItem", `{"AttributeUpdates":{"b":{"Action":"DELETE","Value":null},"a":{"Action":"PUT","Value":{"S":"x"}},"c":{"Value":{"S":"y"}}},"Expected":null,"ConditionalOperator":"OR"}`,
			&dynamo.UpdateItemInput{
				WriteParameters:  dynamo.WriteParameters{ConditionalOperator: "OR"},
				AttributeUpdates: []dynamo.RawAttributeUpdate{{Name: "a", Action: "PUT", Value: x}, {Name: "b", Action: "DELETE"}, {Name: "c", Value: y}},
			}},
		{"DeleteItem", `{"Expected":{"a":{}},"Expected":{},"ConditionalOperator":""}`,
			&dynamo.DeleteItemInput{WriteParameters: dynamo.WriteParameters{Expected: []dynamo.RawExpectation{}}}},
		{"GetItem", `{"AttributesToGet":["a","b",null]}`, &dynamo.GetItemInput{AttributesToGet: []string{"a", "b", ""}}},
		{"Query", `{"KeyConditions":{"a":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"x"}]},"a":{"ComparisonOperator":"LT","AttributeValueList":[]}},
			"QueryFilter":{},"ConditionalOperator":"OR","AttributesToGet":[]}`,
			&dynamo.QueryInput{
				PageParameters: dynamo.PageParameters{ConditionalOperator: "OR", AttributesToGet: []string{}},
				KeyConditions:  []dynamo.RawCondition{{Name: "a", Operator: "LT", Values: []dynamo.Value{}}}, QueryFilter: []dynamo.RawCondition{},
			}},
		{"Scan", `{"ScanFilter":{"a":{"Exists":true,"Value":{"S":"x"},"AttributeValueList":null}},"ConditionalOperator":null,"AttributesToGet":null}`,
			&dynamo.ScanInput{ScanFilter: []dynamo.RawCondition{{Name: "a"}}}},
		{"Scan", `{"ScanFilter":{"a":{"AttributeValueList":[{"S":"x"},{},{"NULL":false}]},"b":{"AttributeValueList":[{"M":{"k":{"S":"x"},"k":{"S":"y"}}}]}}}`,
			&dynamo.ScanInput{ScanFilter: []dynamo.RawCondition{
				{Name: "a", Values: []dynamo.Value{x, {byte(dynamo.KindNull)}, {byte(dynamo.KindNull)}}, Fault: dynamo.FaultNoType},
				{Name: "b", Values: []dynamo.Value{mapValue(textItem("k", "y"))}},
			}}},
		{"UpdateItem", `{"AttributeUpdates":{"a":{"Value":{"NULL":false}},"b":{"Value":{"S":"x"}}},"Expected":{"a":{"AttributeValueList":[{}],"Value":{"NULL":false}}}}`,
			&dynamo.UpdateItemInput{
				WriteParameters: dynamo.WriteParameters{Expected: []dynamo.RawExpectation{{
					RawCondition: dynamo.RawCondition{Name: "a", Values: []dynamo.Value{{byte(dynamo.KindNull)}}, Fault: dynamo.FaultNoType},
					Value:        dynamo.Value{byte(dynamo.KindNull)},
				}}},
				AttributeUpdates: []dynamo.RawAttributeUpdate{{Name: "a", Value: dynamo.Value{byte(dynamo.KindNull)}, Fault: dynamo.FaultNullFalse}, {Name: "b", Value: x}},
			}},
	} {
		t.Run(test.operation, func(t *testing.T) {
			if diff := cmp.Diff(test.want, inputOf(t, test.operation, test.body), cmp.Comparer(func(a, b *dynamo.Fault) bool { return a == b })); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

// mapValue returns a map with the fields of an item.
func mapValue(fields dynamo.Item) dynamo.Value {
	var e dynamo.Encoder
	e.OpenMap()
	for name, v := range fields.All() {
		e.Name(name)
		e.Copy(v)
	}
	if err := e.CloseMap(); err != nil {
		panic(err)
	}
	return e.Value(0)
}

func TestWordsAndNumbersThatAreConverted(t *testing.T) {
	for text, want := range map[string]bool{`true`: true, `"TRUE"`: true, `"yes"`: true, `"1"`: true, `false`: false, `"False"`: false, `"no"`: false, `"0"`: false} {
		got := inputOf(t, "GetItem", `{"ConsistentRead":`+text+`}`).(*dynamo.GetItemInput)
		if *got.ConsistentRead != want {
			t.Errorf("%s is %t, want %t", text, *got.ConsistentRead, want)
		}
	}
	for text, want := range map[string]int32{`1`: 1, `-5`: -5, `2.9`: 2, `-0.5`: -1, `1e2`: 100, `2147483648`: 2147483647,
		`-99999999999999999999`: -2147483648, `1e400`: 2147483647, `-1e400`: -2147483648} {
		got := inputOf(t, "Query", `{"Limit":`+text+`}`).(*dynamo.QueryInput)
		if *got.Limit != want {
			t.Errorf("%s is %d, want %d", text, *got.Limit, want)
		}
	}
}

func TestTheLastOfRepeatedMembersCounts(t *testing.T) {
	key := dynamo.RawItem{Item: textItem("pk", "b")}
	nested := encoded(func(e *dynamo.Encoder) {
		e.Name("l")
		e.OpenList()
		e.OpenMap()
		e.Name("x")
		e.String("2")
		_ = e.CloseMap()
		e.CloseList()
		e.Name("pk")
		e.String("b")
	})
	for _, test := range []struct {
		name, operation, body string
		want                  any
	}{
		{"top", "GetItem", `{"TableName":"a","TableName":"b"}`, &dynamo.GetItemInput{TableName: new("b")}},
		{"item", "GetItem", `{"Key":{"pk":{"S":"a"},"pk":{"S":"b"}}}`, &dynamo.GetItemInput{Key: key}},
		{"nested", "PutItem", `{"Item":{"pk":{"S":"b"},"l":{"L":[{"M":{"x":{"S":"1"},"x":{"S":"2"}}}]}}}`, &dynamo.PutItemInput{Item: dynamo.RawItem{Item: nested}}},
		{"tables to read", "BatchGetItem", `{"RequestItems":{"t":{"Keys":[{}]},"t":{"Keys":[{"pk":{"S":"b"}}]}}}`,
			&dynamo.BatchGetItemInput{RequestItems: []dynamo.KeysAndAttributes{{TableName: "t", Keys: []dynamo.RawItem{key}}}}},
		{"tables to write", "BatchWriteItem", `{"RequestItems":{"t":[{}],"t":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}}`,
			&dynamo.BatchWriteItemInput{RequestItems: []dynamo.TableWrites{{TableName: "t", Requests: []dynamo.WriteRequest{{Put: &key}}}}}},
		{"actions", "TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"t"},"Put":{"Item":{"pk":{"S":"b"}}},"Delete":{},"Delete":null}]}`,
			&dynamo.TransactWriteItemsInput{TransactItems: []dynamo.TransactWriteItem{{Put: &dynamo.TransactAction{Subject: key}}}}},
		{"nested in a value", "Query", `{"ExpressionAttributeValues":{":v":{"M":{"x":{"S":"1"},"x":{"S":"2"}}},":w":{"S":"b"}}}`,
			&dynamo.QueryInput{PageParameters: dynamo.PageParameters{Expressions: dynamo.Expressions{Values: dynamo.RawValues{ByName: map[string]dynamo.Value{
				":v": nested.Get("l").Element(0), ":w": textValue("b")}}}}}},
		{"values", "Query", `{"ExpressionAttributeValues":{":v":{"N":"1"},":v":{"S":"b"}},"ExpressionAttributeNames":{"#a":"a","#a":"b"}}`,
			&dynamo.QueryInput{PageParameters: dynamo.PageParameters{Expressions: dynamo.Expressions{Names: map[string]string{"#a": "b"},
				Values: dynamo.RawValues{ByName: map[string]dynamo.Value{":v": textValue("b")}}}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, inputOf(t, test.operation, test.body)); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

// More elements than any operation takes must still be reported as too many.
func TestHugeListsAreCutOff(t *testing.T) {
	const sent = maxElements + 5
	keys := inputOf(t, "BatchGetItem", `{"RequestItems":{"t":{"Keys":[{}`+strings.Repeat(",{}", sent-1)+`]}},"ReturnConsumedCapacity":"TOTAL"}`).(*dynamo.BatchGetItemInput)
	if n := len(keys.RequestItems[0].Keys); n != maxElements || keys.ReturnConsumedCapacity != "TOTAL" {
		t.Errorf("%d of %d keys are kept", n, sent)
	}
	writes := inputOf(t, "BatchWriteItem", `{"RequestItems":{"t":[{}`+strings.Repeat(",{}", sent-1)+`]}}`).(*dynamo.BatchWriteItemInput)
	if n := len(writes.RequestItems[0].Requests); n != maxElements {
		t.Errorf("%d of %d writes are kept", n, sent)
	}
	actions := inputOf(t, "TransactWriteItems", `{"TransactItems":[{}`+strings.Repeat(",{}", sent-1)+`]}`).(*dynamo.TransactWriteItemsInput)
	reads := inputOf(t, "TransactGetItems", `{"TransactItems":[{}`+strings.Repeat(",{}", sent-1)+`]}`).(*dynamo.TransactGetItemsInput)
	if len(actions.TransactItems) != maxElements || len(reads.TransactItems) != maxElements {
		t.Errorf("%d actions and %d reads of %d are kept", len(actions.TransactItems), len(reads.TransactItems), sent)
	}
	var tables strings.Builder
	for i := range sent {
		fmt.Fprintf(&tables, `"%d":null,`, i)
	}
	writes = inputOf(t, "BatchWriteItem", `{"RequestItems":{`+tables.String()+`"last":[]}}`).(*dynamo.BatchWriteItemInput)
	keys = inputOf(t, "BatchGetItem", `{"RequestItems":{`+tables.String()+`"last":{}}}`).(*dynamo.BatchGetItemInput)
	if len(writes.RequestItems) != maxElements || len(keys.RequestItems) != maxElements {
		t.Errorf("%d and %d of %d tables are kept", len(writes.RequestItems), len(keys.RequestItems), sent+1)
	}
	create := inputOf(t, "CreateTable", `{"KeySchema":[{}`+strings.Repeat(",{}", sent-1)+`]}`).(*dynamo.CreateTableInput)
	if n := len(create.KeySchema); n != maxElements {
		t.Errorf("%d of %d elements are kept", n, sent)
	}
}

func TestTableNamesAreSharedOnlyWhileTheyAreTheSame(t *testing.T) {
	long := strings.Repeat("x", maxKeptName+1)
	var s scanner
	var kept []*string
	want := []string{"a", "a", "b", long, long, "", "b", "a"}
	for _, name := range want {
		s.start([]byte(`"` + name + `"`))
		kept = append(kept, s.tableName())
		s.release()
	}
	for i, name := range want {
		if *kept[i] != name {
			t.Errorf("table name %d is %q, want %q", i, *kept[i], name)
		}
	}
	if kept[0] != kept[1] {
		t.Error("the same name twice has two strings")
	}
}
