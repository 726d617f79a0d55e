package sdk

import (
	"context"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// Every parameter of the operations on items arrives in its own field.
func TestInputsOfItemOperations(t *testing.T) {
	names := map[string]string{"#n": "name"}
	values := attributeMap{":v": text("v")}
	key := attributeMap{"pk": text("k"), "n": number("1")}
	rawKey := dynamo.RawItem{Item: itemOf(t, key)}
	var value dynamo.Encoder
	value.String("v")
	expressions := dynamo.Expressions{
		Names:  names,
		Values: dynamo.RawValues{ByName: map[string]dynamo.Value{":v": value.Value(0)}},
	}
	conditions := map[string]types.Condition{
		"b": {ComparisonOperator: "IN", AttributeValueList: []types.AttributeValue{text("v"), text("v")}},
		"a": {ComparisonOperator: "NULL"},
		"c": {AttributeValueList: []types.AttributeValue{}},
	}
	rawConditions := []dynamo.RawCondition{
		{Name: "a", Operator: "NULL"},
		{Name: "b", Operator: "IN", Values: []dynamo.Value{value.Value(0), value.Value(0)}},
		{Name: "c", Values: []dynamo.Value{}},
	}
	expected := map[string]types.ExpectedAttributeValue{
		"b": {ComparisonOperator: "EQ", AttributeValueList: []types.AttributeValue{text("v")}},
		"a": {Exists: aws.Bool(true), Value: text("v")},
	}
	rawExpected := []dynamo.RawExpectation{
		{RawCondition: dynamo.RawCondition{Name: "a"}, Exists: aws.Bool(true), Value: value.Value(0)},
		{RawCondition: dynamo.RawCondition{Name: "b", Operator: "EQ", Values: []dynamo.Value{value.Value(0)}}},
	}
	var numbers dynamo.Encoder
	numbers.OpenList()
	_ = numbers.Number([]byte("1.5"))
	numbers.CloseList()
	for _, c := range []struct{ in, want any }{
		{&dynamodb.SearchVectorsInput{
			TableName: aws.String("t"), IndexName: aws.String("i"), SearchVector: []types.AttributeValue{number("1.50")}, TopK: aws.Int32(7),
			SearchConditionExpression: aws.String("c"), ProjectionExpression: aws.String("p"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values, ReturnConsumedCapacity: "TOTAL",
		}, &dynamo.SearchVectorsInput{
			TableName: aws.String("t"), IndexName: aws.String("i"), SearchVector: dynamo.RawVector{List: numbers.Value(0)}, TopK: aws.Int32(7),
			SearchConditionExpression: aws.String("c"), ProjectionExpression: aws.String("p"),
			Expressions: expressions, ReturnConsumedCapacity: "TOTAL",
		}},
		{&dynamodb.GetItemInput{
			TableName: aws.String("t"), Key: key, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("p"),
			ExpressionAttributeNames: names, ReturnConsumedCapacity: "TOTAL", AttributesToGet: []string{"a"},
		}, &dynamo.GetItemInput{
			TableName: aws.String("t"), Key: rawKey, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("p"),
			Names: names, ReturnConsumedCapacity: "TOTAL", AttributesToGet: []string{"a"},
		}},
		{&dynamodb.PutItemInput{
			TableName: aws.String("t"), Item: key, ConditionExpression: aws.String("c"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
			ReturnValuesOnConditionCheckFailure: "NONE",
			Expected:                            expected, ConditionalOperator: "AND",
		}, &dynamo.PutItemInput{
			WriteParameters: dynamo.WriteParameters{
				TableName: aws.String("t"), ConditionExpression: aws.String("c"), Expressions: expressions,
				ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
				ReturnValuesOnConditionCheckFailure: "NONE", Expected: rawExpected, ConditionalOperator: "AND",
			},
			Item: rawKey,
		}},
		{&dynamodb.DeleteItemInput{
			TableName: aws.String("t"), Key: key, ConditionExpression: aws.String("c"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
			ReturnValuesOnConditionCheckFailure: "NONE",
			Expected:                            expected, ConditionalOperator: "AND",
		}, &dynamo.DeleteItemInput{
			WriteParameters: dynamo.WriteParameters{
				TableName: aws.String("t"), ConditionExpression: aws.String("c"), Expressions: expressions,
				ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
				ReturnValuesOnConditionCheckFailure: "NONE", Expected: rawExpected, ConditionalOperator: "AND",
			},
			Key: rawKey,
		}},
		{&dynamodb.UpdateItemInput{
			TableName: aws.String("t"), Key: key, UpdateExpression: aws.String("u"), ConditionExpression: aws.String("c"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
			ReturnValuesOnConditionCheckFailure: "NONE", AttributeUpdates: map[string]types.AttributeValueUpdate{"b": {Action: "DELETE"}, "a": {Value: text("v")}},
			Expected: expected, ConditionalOperator: "AND",
		}, &dynamo.UpdateItemInput{
			WriteParameters: dynamo.WriteParameters{
				TableName: aws.String("t"), ConditionExpression: aws.String("c"), Expressions: expressions,
				ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
				ReturnValuesOnConditionCheckFailure: "NONE", Expected: rawExpected, ConditionalOperator: "AND",
			},
			Key: rawKey, UpdateExpression: aws.String("u"),
			AttributeUpdates: []dynamo.RawAttributeUpdate{{Name: "a", Value: value.Value(0)}, {Name: "b", Action: "DELETE"}},
		}},
		{&dynamodb.QueryInput{
			TableName: aws.String("t"), IndexName: aws.String("i"), KeyConditionExpression: aws.String("k"),
			FilterExpression: aws.String("f"), ProjectionExpression: aws.String("p"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values, ConsistentRead: aws.Bool(true),
			ExclusiveStartKey: key, Limit: aws.Int32(5), ReturnConsumedCapacity: "TOTAL", ScanIndexForward: aws.Bool(false),
			Select: "COUNT", AttributesToGet: []string{}, ConditionalOperator: "OR",
			KeyConditions: conditions, QueryFilter: map[string]types.Condition{},
		}, &dynamo.QueryInput{
			PageParameters: dynamo.PageParameters{
				TableName: aws.String("t"), IndexName: aws.String("i"), FilterExpression: aws.String("f"),
				ProjectionExpression: aws.String("p"), Expressions: expressions, ConsistentRead: aws.Bool(true),
				ExclusiveStartKey: rawKey, Limit: aws.Int32(5), ReturnConsumedCapacity: "TOTAL", Select: "COUNT",
				AttributesToGet: []string{}, ConditionalOperator: "OR",
			},
			KeyConditions: rawConditions, QueryFilter: []dynamo.RawCondition{},
			KeyConditionExpression: aws.String("k"), ScanIndexForward: aws.Bool(false),
		}},
		{&dynamodb.ScanInput{
			TableName: aws.String("t"), IndexName: aws.String("i"), FilterExpression: aws.String("f"),
			ProjectionExpression: aws.String("p"), ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ConsistentRead: aws.Bool(true), ExclusiveStartKey: key, Limit: aws.Int32(5), ReturnConsumedCapacity: "TOTAL",
			Segment: aws.Int32(1), TotalSegments: aws.Int32(4), Select: "COUNT",
			AttributesToGet: []string{}, ConditionalOperator: "OR", ScanFilter: conditions,
		}, &dynamo.ScanInput{
			PageParameters: dynamo.PageParameters{
				TableName: aws.String("t"), IndexName: aws.String("i"), FilterExpression: aws.String("f"),
				ProjectionExpression: aws.String("p"), Expressions: expressions, ConsistentRead: aws.Bool(true),
				ExclusiveStartKey: rawKey, Limit: aws.Int32(5), ReturnConsumedCapacity: "TOTAL", Select: "COUNT",
				AttributesToGet: []string{}, ConditionalOperator: "OR",
			},
			ScanFilter: rawConditions,
			Segment:    aws.Int32(1), TotalSegments: aws.Int32(4),
		}},
		{&dynamodb.BatchGetItemInput{
			RequestItems: map[string]types.KeysAndAttributes{
				"b": {Keys: []attributeMap{key, nil}, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("p"),
					ExpressionAttributeNames: names, AttributesToGet: []string{"a"}},
				"a": {},
			},
			ReturnConsumedCapacity: "TOTAL",
		}, &dynamo.BatchGetItemInput{
			RequestItems: []dynamo.KeysAndAttributes{
				{TableName: "a"},
				{TableName: "b", Keys: []dynamo.RawItem{rawKey, {}}, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("p"),
					Names: names, AttributesToGet: []string{"a"}},
			},
			ReturnConsumedCapacity: "TOTAL",
		}},
		{&dynamodb.BatchWriteItemInput{
			RequestItems: map[string][]types.WriteRequest{
				"b": {{PutRequest: &types.PutRequest{Item: key}}, {DeleteRequest: &types.DeleteRequest{Key: key}}, {}},
				"a": nil,
			},
			ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE",
		}, &dynamo.BatchWriteItemInput{
			RequestItems: []dynamo.TableWrites{
				{TableName: "a"},
				{TableName: "b", Requests: []dynamo.WriteRequest{{Put: &rawKey}, {Delete: &rawKey}, {}}},
			},
			ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE",
		}},
		{&dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{}},
			&dynamo.BatchGetItemInput{RequestItems: []dynamo.KeysAndAttributes{}}},
		{&dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{}},
			&dynamo.BatchWriteItemInput{RequestItems: []dynamo.TableWrites{}}},
		{&dynamodb.GetItemInput{TableName: aws.String("\xff"), ExpressionAttributeNames: map[string]string{"#\xff": "\xfe"}},
			&dynamo.GetItemInput{TableName: aws.String("\ufffd"), Names: map[string]string{"#\ufffd": "\ufffd"}}},
	} {
		operation := strings.TrimSuffix(reflect.TypeOf(c.in).Elem().Name(), "Input")
		t.Run(operation, func(t *testing.T) {
			api := &fake{}
			everyDoor(t, api, operation, func(t *testing.T, call func(context.Context, any) (any, error)) {
				if _, err := call(t.Context(), c.in); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, api.in); diff != "" {
					t.Errorf("the engine's input (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A fault is passed on with its value.
func TestFaultsReachTheEngine(t *testing.T) {
	api := &fake{}
	_, err := UpdateItem(t.Context(), api, &dynamodb.UpdateItemInput{
		Key:                       attributeMap{"pk": nil},
		ExpressionAttributeValues: attributeMap{":a": text("a"), ":b": &types.AttributeValueMemberNULL{}, ":c": nil},
		AttributeUpdates:          map[string]types.AttributeValueUpdate{"a": {Value: text("a")}, "b": {Value: &types.AttributeValueMemberNULL{}}},
		Expected:                  map[string]types.ExpectedAttributeValue{"a": {AttributeValueList: []types.AttributeValue{text("a"), nil}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	in := api.in.(*dynamo.UpdateItemInput)
	if in.Key.Fault != dynamo.FaultNoType {
		t.Errorf("fault of the key %v", in.Key.Fault)
	}
	if in.Values.Fault != dynamo.FaultNullFalse || in.Values.FaultName != ":b" {
		t.Errorf("fault of the values %v of %s, want that of :b", in.Values.Fault, in.Values.FaultName)
	}
	if in.AttributeUpdates[0].Fault != nil || in.AttributeUpdates[1].Fault != dynamo.FaultNullFalse || in.Expected[0].Fault != dynamo.FaultNoType {
		t.Errorf("faults of the updates %v, of the expectation %v", in.AttributeUpdates, in.Expected)
	}
}

// echo returns the key of GetItem as the item.
type echo struct{ fake }

func (*echo) GetItem(_ context.Context, in *dynamo.GetItemInput) (*dynamo.GetItemOutput, error) {
	return &dynamo.GetItemOutput{Item: in.Key.Item}, nil
}

func TestConcurrentCallsDoNotMix(t *testing.T) {
	client := NewClient(&echo{}, ClientOptions{})
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 200 {
				key := attributeMap{"pk": text(strings.Repeat("x", i)), "n": number(strconv.Itoa(worker*1000 + i))}
				out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{Key: key})
				if err != nil || !cmp.Equal(out.Item, key, allFields) {
					t.Errorf("asked for %v, got %v, %v", key, out, err)
					return
				}
			}
		})
	}
	group.Wait()
}
