package sdk

import (
	"context"
	"errors"
	"reflect"
	"regexp"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// Every parameter of a transaction arrives in its own field.
func TestInputsOfTransactions(t *testing.T) {
	names := map[string]string{"#n": "name"}
	values := attributeMap{":v": text("v")}
	var value dynamo.Encoder
	value.String("v")
	expressions := dynamo.Expressions{
		Names:  names,
		Values: dynamo.RawValues{ByName: map[string]dynamo.Value{":v": value.Value(0)}},
	}
	key := func(name string) attributeMap { return attributeMap{name: text("k")} }
	action := func(name string) *dynamo.TransactAction {
		return &dynamo.TransactAction{
			TableName: aws.String(name), Subject: dynamo.RawItem{Item: itemOf(t, key(name))}, ConditionExpression: aws.String(name + "?"),
			Expressions: expressions, ReturnValuesOnConditionCheckFailure: "ALL_OLD",
		}
	}
	update := action("u")
	update.UpdateExpression = aws.String("SET")
	for _, c := range []struct {
		operation string
		in, want  any
	}{
		{"TransactWriteItems", &dynamodb.TransactWriteItemsInput{
			TransactItems: []types.TransactWriteItem{
				{ConditionCheck: &types.ConditionCheck{TableName: aws.String("c"), Key: key("c"), ConditionExpression: aws.String("c?"),
					ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}},
				{Delete: &types.Delete{TableName: aws.String("d"), Key: key("d"), ConditionExpression: aws.String("d?"),
					ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}},
				{Put: &types.Put{TableName: aws.String("p"), Item: key("p"), ConditionExpression: aws.String("p?"),
					ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}},
				{Update: &types.Update{TableName: aws.String("u"), Key: key("u"), ConditionExpression: aws.String("u?"), UpdateExpression: aws.String("SET"),
					ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}},
				{},
				{Put: &types.Put{}, Delete: &types.Delete{Key: attributeMap{"a": nil}}},
			},
			ClientRequestToken: aws.String("token"), ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE",
		}, &dynamo.TransactWriteItemsInput{
			TransactItems: []dynamo.TransactWriteItem{
				{ConditionCheck: action("c")}, {Delete: action("d")}, {Put: action("p")}, {Update: update}, {},
				{Put: &dynamo.TransactAction{}, Delete: &dynamo.TransactAction{Subject: rawItem(attributeMap{"a": nil})}},
			},
			ClientRequestToken: aws.String("token"), ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE",
		}},
		{"TransactGetItems", &dynamodb.TransactGetItemsInput{
			TransactItems: []types.TransactGetItem{
				{Get: &types.Get{TableName: aws.String("t"), Key: key("k"), ProjectionExpression: aws.String("p"), ExpressionAttributeNames: names}},
				{}, {Get: &types.Get{}},
			},
			ReturnConsumedCapacity: "INDEXES",
		}, &dynamo.TransactGetItemsInput{
			TransactItems: []dynamo.TransactGetItem{
				{Get: &dynamo.TransactGet{TableName: aws.String("t"), Key: rawItem(key("k")), ProjectionExpression: aws.String("p"), Names: names}},
				{}, {Get: &dynamo.TransactGet{}},
			},
			ReturnConsumedCapacity: "INDEXES",
		}},
		{"TransactWriteItems",
			&dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{}, ClientRequestToken: aws.String("\xff")},
			&dynamo.TransactWriteItemsInput{TransactItems: []dynamo.TransactWriteItem{}, ClientRequestToken: aws.String("\ufffd")}},
		{"TransactGetItems", &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{}},
			&dynamo.TransactGetItemsInput{TransactItems: []dynamo.TransactGetItem{}}},
		{"TransactGetItems", &dynamodb.TransactGetItemsInput{}, &dynamo.TransactGetItemsInput{}},
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

// rawItem encodes an item with its faults.
func rawItem(m attributeMap) dynamo.RawItem {
	e := newEncoder()
	defer e.release()
	return e.item(m)
}

// Every parameter of an action reaches the engine, even if it is new in a later version of the
// SDK.
func TestNoParameterOfAnActionIsIgnored(t *testing.T) {
	for _, list := range []struct {
		operation string
		element   reflect.Type
	}{
		{"TransactGetItems", reflect.TypeFor[types.TransactGetItem]()},
		{"TransactWriteItems", reflect.TypeFor[types.TransactWriteItem]()},
	} {
		// call sends one element and returns what the engine saw.
		call := func(element reflect.Value) any {
			in := reflect.New(reflect.TypeOf(doors[list.operation]).In(2).Elem())
			items := in.Elem().FieldByName("TransactItems")
			items.Set(reflect.Append(items, element))
			api := &fake{}
			if _, err := callDirect(t.Context(), api, list.operation, in.Interface()); err != nil {
				t.Fatal(err)
			}
			return api.in
		}
		nothing := call(reflect.New(list.element).Elem())
		for i := range list.element.NumField() {
			if !list.element.Field(i).IsExported() {
				continue
			}
			element := reflect.New(list.element).Elem()
			action := reflect.New(list.element.Field(i).Type.Elem())
			element.Field(i).Set(action)
			empty := call(element)
			if cmp.Equal(nothing, empty, allFields) {
				t.Errorf("%s is ignored", list.element.Field(i).Name)
			}
			for j := range action.Elem().NumField() {
				field := action.Elem().Type().Field(j)
				if !field.IsExported() {
					continue
				}
				action.Elem().Field(j).Set(sample(field.Type))
				if cmp.Equal(empty, call(element), allFields) {
					t.Errorf("%s.%s is ignored", list.element.Field(i).Name, field.Name)
				}
				action.Elem().Field(j).SetZero()
			}
		}
	}
}

// tokens generates the same token each time.
type tokens string

func (t tokens) GetIdempotencyToken() (string, error) { return string(t), nil }

// A client on AWS generates a token for a transaction without one.
func TestClientRequestToken(t *testing.T) {
	api := &fake{}
	seen := func() string { return aws.ToString(api.in.(*dynamo.TransactWriteItemsInput).ClientRequestToken) }
	client := NewClient(api, ClientOptions{})
	made := map[string]bool{}
	for range 3 {
		if _, err := client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{}); err != nil {
			t.Fatal(err)
		}
		if uuid := regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`); !uuid.MatchString(seen()) || made[seen()] {
			t.Errorf("token %q after %v, want another UUID", seen(), made)
		}
		made[seen()] = true
	}

	ownProvider := func(o *dynamodb.Options) { o.IdempotencyTokenProvider = tokens("made up") }
	if _, err := client.TransactWriteItems(t.Context(), nil, ownProvider); err != nil || seen() != "made up" {
		t.Errorf("token %q, error %v, want the one of the caller's provider", seen(), err)
	}
	given := &dynamodb.TransactWriteItemsInput{ClientRequestToken: aws.String("given")}
	if _, err := client.TransactWriteItems(t.Context(), given, ownProvider); err != nil || seen() != "given" {
		t.Errorf("token %q, error %v, want the token of the input", seen(), err)
	}

	in := &dynamodb.TransactWriteItemsInput{}
	if _, err := TransactWriteItems(t.Context(), api, in); err != nil {
		t.Fatal(err)
	}
	if token := api.in.(*dynamo.TransactWriteItemsInput).ClientRequestToken; token != nil || in.ClientRequestToken != nil {
		t.Errorf("the direct call generated the token %q", aws.ToString(token))
	}
}

func TestOutputsOfTransactionsMatchTheWire(t *testing.T) {
	item, empty := itemOf(t, attributeMap{"a": text("x")}), itemOf(t, attributeMap{})
	for _, c := range []struct {
		operation string
		body      string
		out       any
	}{
		{"TransactGetItems", `{"Responses":[{"Item":{"a":{"S":"x"}}},{},{"Item":{}}]}`,
			&dynamo.TransactGetItemsOutput{Responses: []dynamo.Item{item, nil, empty}}},
		{"TransactGetItems", `{"Responses":[{}],"ConsumedCapacity":[{"TableName":"t","CapacityUnits":2,"ReadCapacityUnits":2},
				{"TableName":"u","CapacityUnits":4,"ReadCapacityUnits":4,"Table":{"CapacityUnits":4,"ReadCapacityUnits":4}}]}`,
			&dynamo.TransactGetItemsOutput{Responses: []dynamo.Item{nil}, ConsumedCapacity: []dynamo.ConsumedCapacity{
				{TableName: "t", Units: 2, Named: true, Table: 2},
				{TableName: "u", Units: 4, Named: true, Detailed: true, Table: 4},
			}}},
		{"TransactWriteItems", `{}`, &dynamo.TransactWriteItemsOutput{}},
		{"TransactWriteItems", `{"ItemCollectionMetrics":{"t":[{"ItemCollectionKey":{"a":{"S":"x"}},"SizeEstimateRangeGB":[0,1]}]},
			"ConsumedCapacity":[{"TableName":"t","CapacityUnits":7,"WriteCapacityUnits":7,"Table":{"CapacityUnits":2,"WriteCapacityUnits":2},
				"LocalSecondaryIndexes":{"l":{"CapacityUnits":4,"WriteCapacityUnits":4}},
				"GlobalSecondaryIndexes":{"g":{"CapacityUnits":1,"WriteCapacityUnits":1}}}]}`,
			&dynamo.TransactWriteItemsOutput{
				ItemCollectionMetrics: []dynamo.TableCollectionMetrics{{TableName: "t", Metrics: []dynamo.ItemCollectionMetrics{{Key: item, UpperGB: 1}}}},
				ConsumedCapacity: []dynamo.ConsumedCapacity{{TableName: "t", Units: 7, Write: true, Named: true, Detailed: true, Table: 2,
					LocalIndexes:  []dynamo.IndexCapacity{{IndexName: "l", Units: 4}},
					GlobalIndexes: []dynamo.IndexCapacity{{IndexName: "g", Units: 1}}}},
			}},
	} {
		t.Run(c.operation, func(t *testing.T) { sameOutput(t, c.operation, c.body, c.out) })
	}
}

func TestErrorsOfTransactionsMatchTheWire(t *testing.T) {
	const cancelled = "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]"
	for _, c := range []struct {
		err  *dynamo.Error
		body string
	}{
		{&dynamo.Error{Code: dynamo.TransactionCanceled, Message: cancelled, Reasons: []dynamo.CancellationReason{
			{Code: dynamo.ReasonNone},
			{Code: dynamo.ReasonConditionalCheckFailed, Message: "The conditional request failed", Item: itemOf(t, attributeMap{"a": text("x")})},
		}}, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"` + cancelled + `","CancellationReasons":[
			{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"The conditional request failed","Item":{"a":{"S":"x"}}}]}`},
		{dynamo.Errorf(dynamo.TransactionConflict, "Transaction is ongoing for the item"),
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionConflictException","message":"Transaction is ongoing for the item"}`},
		{dynamo.Errorf(dynamo.TransactionInProgress, "in progress"),
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionInProgressException","Message":"in progress"}`},
		{dynamo.Errorf(dynamo.IdempotentParameterMismatch, "other parameters"),
			`{"__type":"com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException","Message":"other parameters"}`},
	} {
		t.Run(string(c.err.Code), func(t *testing.T) { sameErrorAsOverHTTP(t, "TransactWriteItems", 400, c.body, c.err) })
	}
}

// A reason belongs to the caller: changing it does not change the engine's.
func TestReasonsShareNoMemoryWithTheEngine(t *testing.T) {
	failure := &dynamo.Error{Code: dynamo.TransactionCanceled, Reasons: []dynamo.CancellationReason{{Code: "a", Message: "b"}}}
	_, err := TransactWriteItems(t.Context(), &fake{err: failure}, nil)
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != 1 {
		t.Fatalf("error %v, want a cancelled transaction with one reason", err)
	}
	*cancelled.CancellationReasons[0].Code, *cancelled.CancellationReasons[0].Message = "x", "y"
	if got := failure.Reasons[0]; got.Code != "a" || got.Message != "b" {
		t.Errorf("the engine's reason became %v", got)
	}
}
