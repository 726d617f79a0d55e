package wire

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/internal/retrytest"
)

// sdkClient returns a real client of a server that runs on api.
func sdkClient(t *testing.T, api dynamo.API, gzip bool) *dynamodb.Client {
	t.Helper()
	server := httptest.NewServer(NewHandler(api, Options{}))
	t.Cleanup(server.Close)
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint:             aws.String(server.URL),
		Region:                   "us-east-1",
		Credentials:              aws.AnonymousCredentials{},
		EnableAcceptEncodingGzip: gzip,
		Retryer:                  retrytest.BrokenConnections,
	})
}

// sdkItem returns an item with every kind of value, in the SDK's types.
func sdkItem() map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk":       &types.AttributeValueMemberS{Value: "a \"quoted\" \\ \n \u2028 😀"},
		"number":   &types.AttributeValueMemberN{Value: "-12.5"},
		"binary":   &types.AttributeValueMemberB{Value: []byte{0, 1, 255}},
		"true":     &types.AttributeValueMemberBOOL{Value: true},
		"null":     &types.AttributeValueMemberNULL{Value: true},
		"texts":    &types.AttributeValueMemberSS{Value: []string{"a", "b"}},
		"numbers":  &types.AttributeValueMemberNS{Value: []string{"1", "2"}},
		"binaries": &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
		"list":     &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberN{Value: "1"}, &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{}}}},
		"map":      &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"x": &types.AttributeValueMemberS{Value: ""}}},
		"large":    &types.AttributeValueMemberS{Value: strings.Repeat("x", 2*minZipped)},
	}
}

var sdkTypes = cmpopts.IgnoreUnexported(types.AttributeValueMemberS{}, types.AttributeValueMemberN{}, types.AttributeValueMemberB{},
	types.AttributeValueMemberBOOL{}, types.AttributeValueMemberNULL{}, types.AttributeValueMemberSS{}, types.AttributeValueMemberNS{},
	types.AttributeValueMemberBS{}, types.AttributeValueMemberL{}, types.AttributeValueMemberM{})

// The SDK checks the checksum of every response, compressed or not.
func TestItemsThroughTheSDK(t *testing.T) {
	for _, gzip := range []bool{false, true} {
		api := &fake{}
		client := sdkClient(t, api, gzip)
		if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("t"), Item: sdkItem()}); err != nil {
			t.Fatal(err)
		}
		put := api.input.(*dynamo.PutItemInput)
		if put.Item.Fault != nil {
			t.Fatal(put.Item.Fault)
		}
		api.output = &dynamo.GetItemOutput{Item: put.Item.Item}
		got, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("t"), Key: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sdkItem(), got.Item, sdkTypes); diff != "" {
			t.Errorf("gzip=%t: item (-want +got):\n%s", gzip, diff)
		}
	}
}

func TestErrorsThroughTheSDK(t *testing.T) {
	api := &fake{err: &dynamo.Error{Code: dynamo.ConditionalCheckFailed, Message: "The conditional request failed", Item: textItem("pk", "a")}}
	client := sdkClient(t, api, false)
	_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("t"), Item: sdkItem()})
	failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err)
	if !ok {
		t.Fatalf("error is %v", err)
	}
	want := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}
	if diff := cmp.Diff(want, failed.Item, sdkTypes); diff != "" || failed.ErrorMessage() != "The conditional request failed" {
		t.Errorf("message %q, item (-want +got):\n%s", failed.ErrorMessage(), diff)
	}
	api.err = &dynamo.Error{Code: dynamo.TransactionInProgress, Message: "busy"}
	_, err = client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: sdkActions()})
	if busy, ok := errors.AsType[*types.TransactionInProgressException](err); !ok || busy.ErrorMessage() != "busy" {
		t.Errorf("error is %v", err)
	}
	api.err = &dynamo.Error{Code: dynamo.IdempotentParameterMismatch, Message: "other"}
	_, err = client.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: sdkActions()})
	if other, ok := errors.AsType[*types.IdempotentParameterMismatchException](err); !ok || other.ErrorMessage() != "other" {
		t.Errorf("error is %v", err)
	}
	api.err = errors.New("disk on fire")
	_, err = client.ListTables(t.Context(), &dynamodb.ListTablesInput{})
	if _, ok := errors.AsType[*types.InternalServerError](err); !ok {
		t.Errorf("error is %v", err)
	}
}

func TestTablesThroughTheSDK(t *testing.T) {
	api := &fake{output: &dynamo.DescribeTableOutput{Table: describedTable()}}
	client := sdkClient(t, api, false)
	got, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("t")})
	if err != nil {
		t.Fatal(err)
	}
	want := &types.TableDescription{
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}},
		BillingModeSummary: &types.BillingModeSummary{
			BillingMode: "PAY_PER_REQUEST", LastUpdateToPayPerRequestDateTime: aws.Time(time.Unix(1760013296, 0).UTC()),
		},
		CreationDateTime:          aws.Time(time.UnixMilli(1760013296789).UTC()),
		DeletionProtectionEnabled: aws.Bool(false),
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndexDescription{{
			IndexName: aws.String("g"), IndexStatus: "ACTIVE", ItemCount: aws.Int64(0), KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("g"), KeyType: "HASH"}},
			Projection:            &types.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: []string{"x"}},
			ProvisionedThroughput: &types.ProvisionedThroughputDescription{NumberOfDecreasesToday: aws.Int64(0), ReadCapacityUnits: aws.Int64(0), WriteCapacityUnits: aws.Int64(0)},
		}},
		ItemCount:           aws.Int64(12),
		KeySchema:           []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
		LatestStreamArn:     aws.String("arn"),
		LatestStreamLabel:   aws.String("label"),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: "KEYS_ONLY"},
		TableName:           aws.String("t"),
		TableStatus:         "ACTIVE",
	}
	if diff := cmp.Diff(want, got.Table, cmpopts.IgnoreUnexported(types.TableDescription{}, types.AttributeDefinition{}, types.BillingModeSummary{},
		types.GlobalSecondaryIndexDescription{}, types.KeySchemaElement{}, types.Projection{}, types.ProvisionedThroughputDescription{}, types.StreamSpecification{})); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	if _, err := client.TagResource(t.Context(), &dynamodb.TagResourceInput{
		ResourceArn: aws.String("arn"), Tags: []types.Tag{{Key: aws.String("k"), Value: aws.String("v")}},
	}); err != nil {
		t.Errorf("an answer without a body: %v", err)
	}
}
