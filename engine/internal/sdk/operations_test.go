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

// Every parameter of the operations on items arrives in its own place.
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
	for _, c := range []struct{ in, want any }{
		{&dynamodb.GetItemInput{
			TableName: aws.String("t"), Key: key, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("p"),
			ExpressionAttributeNames: names, ReturnConsumedCapacity: "TOTAL", AttributesToGet: []string{"a"},
		}, &dynamo.GetItemInput{
			TableName: aws.String("t"), Key: rawKey, ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("p"),
			Names: names, ReturnConsumedCapacity: "TOTAL", Legacy: []string{"AttributesToGet"},
		}},
		{&dynamodb.PutItemInput{
			TableName: aws.String("t"), Item: key, ConditionExpression: aws.String("c"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
			ReturnValuesOnConditionCheckFailure: "NONE",
			Expected:                            map[string]types.ExpectedAttributeValue{}, ConditionalOperator: "AND",
		}, &dynamo.PutItemInput{
			WriteParameters: dynamo.WriteParameters{
				TableName: aws.String("t"), ConditionExpression: aws.String("c"), Expressions: expressions,
				ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
				ReturnValuesOnConditionCheckFailure: "NONE", Legacy: []string{"ConditionalOperator", "Expected"},
			},
			Item: rawKey,
		}},
		{&dynamodb.DeleteItemInput{
			TableName: aws.String("t"), Key: key, ConditionExpression: aws.String("c"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
			ReturnValuesOnConditionCheckFailure: "NONE",
			Expected:                            map[string]types.ExpectedAttributeValue{}, ConditionalOperator: "AND",
		}, &dynamo.DeleteItemInput{
			WriteParameters: dynamo.WriteParameters{
				TableName: aws.String("t"), ConditionExpression: aws.String("c"), Expressions: expressions,
				ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
				ReturnValuesOnConditionCheckFailure: "NONE", Legacy: []string{"ConditionalOperator", "Expected"},
			},
			Key: rawKey,
		}},
		{&dynamodb.UpdateItemInput{
			TableName: aws.String("t"), Key: key, UpdateExpression: aws.String("u"), ConditionExpression: aws.String("c"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
			ReturnValuesOnConditionCheckFailure: "NONE", AttributeUpdates: map[string]types.AttributeValueUpdate{},
			Expected: map[string]types.ExpectedAttributeValue{}, ConditionalOperator: "AND",
		}, &dynamo.UpdateItemInput{
			WriteParameters: dynamo.WriteParameters{
				TableName: aws.String("t"), ConditionExpression: aws.String("c"), Expressions: expressions,
				ReturnConsumedCapacity: "TOTAL", ReturnItemCollectionMetrics: "SIZE", ReturnValues: "ALL_OLD",
				ReturnValuesOnConditionCheckFailure: "NONE",
				Legacy:                              []string{"AttributeUpdates", "ConditionalOperator", "Expected"},
			},
			Key: rawKey, UpdateExpression: aws.String("u"),
		}},
		{&dynamodb.QueryInput{
			TableName: aws.String("t"), IndexName: aws.String("i"), KeyConditionExpression: aws.String("k"),
			FilterExpression: aws.String("f"), ProjectionExpression: aws.String("p"),
			ExpressionAttributeNames: names, ExpressionAttributeValues: values, ConsistentRead: aws.Bool(true),
			ExclusiveStartKey: key, Limit: aws.Int32(5), ReturnConsumedCapacity: "TOTAL", ScanIndexForward: aws.Bool(false),
			Select: "COUNT", AttributesToGet: []string{}, ConditionalOperator: "OR",
			KeyConditions: map[string]types.Condition{}, QueryFilter: map[string]types.Condition{},
		}, &dynamo.QueryInput{
			PageParameters: dynamo.PageParameters{
				TableName: aws.String("t"), IndexName: aws.String("i"), FilterExpression: aws.String("f"),
				ProjectionExpression: aws.String("p"), Expressions: expressions, ConsistentRead: aws.Bool(true),
				ExclusiveStartKey: rawKey, Limit: aws.Int32(5), ReturnConsumedCapacity: "TOTAL", Select: "COUNT",
				Legacy: []string{"AttributesToGet", "ConditionalOperator", "KeyConditions", "QueryFilter"},
			},
			KeyConditionExpression: aws.String("k"), ScanIndexForward: aws.Bool(false),
		}},
		{&dynamodb.ScanInput{
			TableName: aws.String("t"), IndexName: aws.String("i"), FilterExpression: aws.String("f"),
			ProjectionExpression: aws.String("p"), ExpressionAttributeNames: names, ExpressionAttributeValues: values,
			ConsistentRead: aws.Bool(true), ExclusiveStartKey: key, Limit: aws.Int32(5), ReturnConsumedCapacity: "TOTAL",
			Segment: aws.Int32(1), TotalSegments: aws.Int32(4), Select: "COUNT",
			AttributesToGet: []string{}, ConditionalOperator: "OR", ScanFilter: map[string]types.Condition{},
		}, &dynamo.ScanInput{
			PageParameters: dynamo.PageParameters{
				TableName: aws.String("t"), IndexName: aws.String("i"), FilterExpression: aws.String("f"),
				ProjectionExpression: aws.String("p"), Expressions: expressions, ConsistentRead: aws.Bool(true),
				ExclusiveStartKey: rawKey, Limit: aws.Int32(5), ReturnConsumedCapacity: "TOTAL", Select: "COUNT",
				Legacy: []string{"AttributesToGet", "ConditionalOperator", "ScanFilter"},
			},
			Segment: aws.Int32(1), TotalSegments: aws.Int32(4),
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
					Names: names, Legacy: []string{"AttributesToGet"}},
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

// A fault travels with the value it belongs to.
func TestFaultsReachTheEngine(t *testing.T) {
	api := &fake{}
	_, err := UpdateItem(t.Context(), api, &dynamodb.UpdateItemInput{
		Key:                       attributeMap{"pk": nil},
		ExpressionAttributeValues: attributeMap{":a": text("a"), ":b": &types.AttributeValueMemberNULL{}, ":c": nil},
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
}

// echo answers GetItem with the key.
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
