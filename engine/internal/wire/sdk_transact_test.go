package wire

import (
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/engine/internal/dynamo"
)

var sdkTransactTypes = cmpopts.IgnoreUnexported(types.ItemResponse{}, types.CancellationReason{}, types.ConsumedCapacity{}, types.Capacity{},
	types.ItemCollectionMetrics{})

func sdkKey(value string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: value}}
}

// sdkActions has one action of each type.
func sdkActions() []types.TransactWriteItem {
	return []types.TransactWriteItem{
		{ConditionCheck: &types.ConditionCheck{TableName: aws.String("t"), Key: sdkKey("a"), ConditionExpression: aws.String("c")}},
		{Delete: &types.Delete{TableName: aws.String("t"), Key: sdkKey("b"), ReturnValuesOnConditionCheckFailure: "ALL_OLD"}},
		{Put: &types.Put{TableName: aws.String("t"), Item: sdkKey("c"), ExpressionAttributeNames: map[string]string{"#n": "name"}}},
		{Update: &types.Update{TableName: aws.String("t"), Key: sdkKey("d"), UpdateExpression: aws.String("u"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":v": &types.AttributeValueMemberS{Value: "x"}}}},
	}
}

func TestTransactionsToWriteThroughTheSDK(t *testing.T) {
	api := &fake{output: &dynamo.TransactWriteItemsOutput{
		ConsumedCapacity: []dynamo.ConsumedCapacity{{
			TableName: "t", Units: 3, Write: true, Named: true, Detailed: true, Table: 2, GlobalIndexes: []dynamo.IndexCapacity{{IndexName: "g", Units: 1}},
		}},
		ItemCollectionMetrics: []dynamo.TableCollectionMetrics{{TableName: "t", Metrics: []dynamo.ItemCollectionMetrics{{Key: textItem("pk", "a"), UpperGB: 1}}}},
	}}
	got, err := sdkClient(t, api, false).TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: sdkActions(), ClientRequestToken: aws.String("token"), ReturnConsumedCapacity: "INDEXES", ReturnItemCollectionMetrics: "SIZE",
	})
	if err != nil {
		t.Fatal(err)
	}
	wantInput := &dynamo.TransactWriteItemsInput{
		TransactItems: []dynamo.TransactWriteItem{
			{ConditionCheck: &dynamo.TransactAction{TableName: new("t"), Subject: dynamo.RawItem{Item: textItem("pk", "a")}, ConditionExpression: new("c")}},
			{Delete: &dynamo.TransactAction{TableName: new("t"), Subject: dynamo.RawItem{Item: textItem("pk", "b")}, ReturnValuesOnConditionCheckFailure: "ALL_OLD"}},
			{Put: &dynamo.TransactAction{TableName: new("t"), Subject: dynamo.RawItem{Item: textItem("pk", "c")}, Expressions: dynamo.Expressions{Names: map[string]string{"#n": "name"}}}},
			{Update: &dynamo.TransactAction{TableName: new("t"), Subject: dynamo.RawItem{Item: textItem("pk", "d")}, UpdateExpression: new("u"),
				Expressions: dynamo.Expressions{Values: dynamo.RawValues{ByName: map[string]dynamo.Value{":v": textValue("x")}}}}},
		},
		ClientRequestToken: new("token"), ReturnConsumedCapacity: "INDEXES", ReturnItemCollectionMetrics: "SIZE",
	}
	if diff := cmp.Diff(wantInput, api.input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	wantCapacity := []types.ConsumedCapacity{{
		TableName: aws.String("t"), CapacityUnits: aws.Float64(3), WriteCapacityUnits: aws.Float64(3),
		Table:                  &types.Capacity{CapacityUnits: aws.Float64(2), WriteCapacityUnits: aws.Float64(2)},
		GlobalSecondaryIndexes: map[string]types.Capacity{"g": {CapacityUnits: aws.Float64(1), WriteCapacityUnits: aws.Float64(1)}},
	}}
	if diff := cmp.Diff(wantCapacity, got.ConsumedCapacity, sdkTransactTypes); diff != "" {
		t.Errorf("capacity (-want +got):\n%s", diff)
	}
	wantMetrics := map[string][]types.ItemCollectionMetrics{"t": {{ItemCollectionKey: sdkKey("a"), SizeEstimateRangeGB: []float64{0, 1}}}}
	if diff := cmp.Diff(wantMetrics, got.ItemCollectionMetrics, sdkTransactTypes, sdkTypes); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestTransactionsToReadThroughTheSDK(t *testing.T) {
	api := &fake{output: &dynamo.TransactGetItemsOutput{
		Responses:        []dynamo.Item{nil, textItem("pk", "b")},
		ConsumedCapacity: []dynamo.ConsumedCapacity{{TableName: "t", Units: 4, Named: true}},
	}}
	got, err := sdkClient(t, api, true).TransactGetItems(t.Context(), &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: aws.String("t"), Key: sdkKey("a"), ProjectionExpression: aws.String("#n"), ExpressionAttributeNames: map[string]string{"#n": "name"}}},
		{Get: &types.Get{TableName: aws.String("t"), Key: sdkKey("b")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	wantInput := &dynamo.TransactGetItemsInput{TransactItems: []dynamo.TransactGetItem{
		{Get: &dynamo.TransactGet{TableName: new("t"), Key: dynamo.RawItem{Item: textItem("pk", "a")}, ProjectionExpression: new("#n"), Names: map[string]string{"#n": "name"}}},
		{Get: &dynamo.TransactGet{TableName: new("t"), Key: dynamo.RawItem{Item: textItem("pk", "b")}}},
	}}
	if diff := cmp.Diff(wantInput, api.input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]types.ItemResponse{{}, {Item: sdkKey("b")}}, got.Responses, sdkTransactTypes, sdkTypes); diff != "" {
		t.Errorf("responses (-want +got):\n%s", diff)
	}
	wantCapacity := []types.ConsumedCapacity{{TableName: aws.String("t"), CapacityUnits: aws.Float64(4), ReadCapacityUnits: aws.Float64(4)}}
	if diff := cmp.Diff(wantCapacity, got.ConsumedCapacity, sdkTransactTypes); diff != "" {
		t.Errorf("capacity (-want +got):\n%s", diff)
	}
}

func TestCancelledTransactionsThroughTheSDK(t *testing.T) {
	api := &fake{err: &dynamo.Error{Code: dynamo.TransactionCanceled, Message: "Transaction cancelled", Reasons: []dynamo.CancellationReason{
		{Code: dynamo.ReasonNone},
		{Code: dynamo.ReasonConditionalCheckFailed, Message: "The conditional request failed", Item: textItem("pk", "b")},
	}}}
	_, err := sdkClient(t, api, false).TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: sdkActions()})
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok || cancelled.ErrorMessage() != "Transaction cancelled" {
		t.Fatalf("error is %v", err)
	}
	want := []types.CancellationReason{
		{Code: aws.String("None")},
		{Code: aws.String("ConditionalCheckFailed"), Message: aws.String("The conditional request failed"), Item: sdkKey("b")},
	}
	if diff := cmp.Diff(want, cancelled.CancellationReasons, sdkTransactTypes, sdkTypes); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}

func TestTimeToLiveThroughTheSDK(t *testing.T) {
	api := &fake{output: &dynamo.UpdateTimeToLiveOutput{TimeToLiveSpecification: &dynamo.TimeToLiveSpecification{AttributeName: new("a"), Enabled: new(true)}}}
	client := sdkClient(t, api, false)
	updated, err := client.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("t"), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("a"), Enabled: aws.Bool(true)},
	})
	if err != nil || !*updated.TimeToLiveSpecification.Enabled || *updated.TimeToLiveSpecification.AttributeName != "a" {
		t.Errorf("answer %+v, %v", updated, err)
	}
	api.output = &dynamo.DescribeTimeToLiveOutput{TimeToLiveDescription: &dynamo.TimeToLiveDescription{AttributeName: new("a"), TimeToLiveStatus: "ENABLED"}}
	described, err := client.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: aws.String("t")})
	if err != nil || described.TimeToLiveDescription.TimeToLiveStatus != types.TimeToLiveStatusEnabled || *described.TimeToLiveDescription.AttributeName != "a" {
		t.Errorf("answer %+v, %v", described, err)
	}
}
