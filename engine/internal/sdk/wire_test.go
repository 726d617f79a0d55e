package sdk

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

// The tests in this file compare the doors of this package with the results of the SDK's
// own client over HTTP.

// A wireServer returns the same response to all requests and records the last body.
type wireServer struct {
	status int
	body   string
	sent   string
}

func (s *wireServer) Do(r *http.Request) (*http.Response, error) {
	sent, err := io.ReadAll(r.Body)
	s.sent = string(sent)
	return &http.Response{
		StatusCode: s.status,
		Header:     http.Header{"X-Amzn-Requestid": {requestID}},
		Body:       io.NopCloser(strings.NewReader(s.body)),
		Request:    r,
	}, err
}

func (s *wireServer) client() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String("http://localhost"),
		Credentials:  aws.AnonymousCredentials{},
		HTTPClient:   s,
		Retryer:      aws.NopRetryer{},
	})
}

func (s *wireServer) streamsClient() *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String("http://localhost"),
		Credentials:  aws.AnonymousCredentials{},
		HTTPClient:   s,
		Retryer:      aws.NopRetryer{},
	})
}

// call calls an operation with an input that has every field set.
func (s *wireServer) call(ctx context.Context, operation string) (any, error) {
	if clientType(operation) == reflect.TypeFor[*dynamodbstreams.Client]() {
		return callClient(ctx, s.streamsClient(), operation, sampleInput(operation))
	}
	return callClient(ctx, s.client(), operation, sampleInput(operation))
}

func itemJSON(m dynamo.Map) string {
	var fields []string
	for name, value := range m.All() {
		fields = append(fields, quote(name)+":"+valueJSON(value))
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func valueJSON(v dynamo.Value) string {
	body := ""
	switch v.Kind() {
	case dynamo.KindString, dynamo.KindNumber:
		body = quote(string(v.Bytes()))
	case dynamo.KindBinary:
		body = quote(base64.StdEncoding.EncodeToString(v.Bytes()))
	case dynamo.KindNull, dynamo.KindTrue:
		body = "true"
	case dynamo.KindFalse:
		body = "false"
	case dynamo.KindMap:
		body = itemJSON(v.Map())
	case dynamo.KindList:
		var elements []string
		for _, element := range v.Elements() {
			elements = append(elements, valueJSON(element))
		}
		body = "[" + strings.Join(elements, ",") + "]"
	default:
		var members []string
		for member := range v.Ordered() {
			text := string(member)
			if v.Kind() == dynamo.KindBinarySet {
				text = base64.StdEncoding.EncodeToString(member)
			}
			members = append(members, quote(text))
		}
		body = "[" + strings.Join(members, ",") + "]"
	}
	return "{" + quote(v.Kind().String()) + ":" + body + "}"
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestDecodedItemsMatchTheWire(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	server := &wireServer{status: 200}
	client := server.client()
	for range 300 {
		e := newEncoder()
		item := e.item(randomItem(rnd)).Item
		e.release()
		server.body = `{"Item":` + itemJSON(item) + `}`
		want, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("t"), Key: attributeMap{"a": text("a")}})
		if err != nil {
			t.Fatalf("%s: %v", server.body, err)
		}
		got, err := GetItem(t.Context(), &fake{outs: []any{&dynamo.GetItemOutput{Item: item}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Item, got.Item, allFields); diff != "" {
			t.Fatalf("%s\n(-over HTTP +in process):\n%s", server.body, diff)
		}
	}
}

func TestEncodedItemsMatchTheWire(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	server := &wireServer{status: 200, body: "{}"}
	client := server.client()
	for range 300 {
		item := randomItem(rnd)
		item["broken \xff text"] = text("\xff\xfe a\xc3 \xed\xa0\x80")
		item["broken set"] = &types.AttributeValueMemberSS{Value: []string{"\xff"}}
		in := &dynamodb.PutItemInput{TableName: aws.String("t"), Item: item}
		if _, err := client.PutItem(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		api := &fake{}
		if _, err := PutItem(t.Context(), api, in); err != nil {
			t.Fatal(err)
		}
		var want, got struct{ Item any }
		sent := `{"Item":` + itemJSON(api.in.(*dynamo.PutItemInput).Item.Item) + `}`
		if err := errors.Join(json.Unmarshal([]byte(server.sent), &want), json.Unmarshal([]byte(sent), &got)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-over HTTP +in process):\n%s", diff)
		}
	}
}

func TestOutputsMatchTheWire(t *testing.T) {
	key := func(name string) dynamo.Item { return itemOf(t, attributeMap{name: text("x")}) }
	empty := itemOf(t, attributeMap{})
	for _, c := range []struct {
		operation string
		body      string
		out       any
	}{
		{"GetItem", `{}`, &dynamo.GetItemOutput{}},
		{"GetItem", `{"Item":{}}`, &dynamo.GetItemOutput{Item: empty}},
		{"GetItem", `{"ConsumedCapacity":{"TableName":"t","CapacityUnits":0.5}}`,
			&dynamo.GetItemOutput{ConsumedCapacity: &dynamo.ConsumedCapacity{TableName: "t", Units: 0.5, Table: 0.5}}},
		{"PutItem", `{}`, &dynamo.PutItemOutput{}},
		{"PutItem", `{"Attributes":{"a":{"S":"x"}},"ItemCollectionMetrics":{"ItemCollectionKey":{"a":{"S":"x"}},"SizeEstimateRangeGB":[0,1]},
			"ConsumedCapacity":{"TableName":"t","CapacityUnits":6,"Table":{"CapacityUnits":1},
				"LocalSecondaryIndexes":{"l":{"CapacityUnits":2}},"GlobalSecondaryIndexes":{"g":{"CapacityUnits":3}}}}`,
			&dynamo.PutItemOutput{
				Attributes:            key("a"),
				ItemCollectionMetrics: &dynamo.ItemCollectionMetrics{Key: key("a"), UpperGB: 1},
				ConsumedCapacity: &dynamo.ConsumedCapacity{TableName: "t", Units: 6, Write: true, Detailed: true, Table: 1,
					LocalIndexes:  []dynamo.IndexCapacity{{IndexName: "l", Units: 2}},
					GlobalIndexes: []dynamo.IndexCapacity{{IndexName: "g", Units: 3}}},
			}},
		{"UpdateItem", `{"Attributes":{"a":{"S":"x"}}}`, &dynamo.UpdateItemOutput{Attributes: key("a")}},
		{"UpdateItem", `{"ItemCollectionMetrics":{"ItemCollectionKey":{"a":{"S":"x"}},"SizeEstimateRangeGB":[0,1]}}`,
			&dynamo.UpdateItemOutput{ItemCollectionMetrics: &dynamo.ItemCollectionMetrics{Key: key("a"), UpperGB: 1}}},
		{"DeleteItem", `{"Attributes":{"a":{"S":"x"}},"ConsumedCapacity":{"TableName":"t","CapacityUnits":1,"Table":{"CapacityUnits":1}}}`,
			&dynamo.DeleteItemOutput{Attributes: key("a"), ConsumedCapacity: &dynamo.ConsumedCapacity{TableName: "t", Units: 1, Detailed: true, Table: 1}}},
		{"Query", `{"Items":[],"Count":0,"ScannedCount":7}`, &dynamo.QueryOutput{Items: []dynamo.Item{}, ScannedCount: 7}},
		{"Query", `{"Count":3,"ScannedCount":3}`, &dynamo.QueryOutput{Count: 3, ScannedCount: 3}},
		{"Query", `{"Items":[{"a":{"S":"x"}},{}],"Count":2,"ScannedCount":2,"LastEvaluatedKey":{"a":{"S":"x"}}}`,
			&dynamo.QueryOutput{Items: []dynamo.Item{key("a"), empty}, Count: 2, ScannedCount: 2, LastEvaluatedKey: key("a")}},
		{"Scan", `{"Items":[{"a":{"S":"x"}}],"Count":1,"ScannedCount":5,"LastEvaluatedKey":{"a":{"S":"x"}},
			"ConsumedCapacity":{"TableName":"t","CapacityUnits":2}}`,
			&dynamo.ScanOutput{Items: []dynamo.Item{key("a")}, Count: 1, ScannedCount: 5, LastEvaluatedKey: key("a"),
				ConsumedCapacity: &dynamo.ConsumedCapacity{TableName: "t", Units: 2}}},
		{"SearchVectors", `{"SearchResults":[]}`, &dynamo.SearchVectorsOutput{}},
		{"SearchVectors", `{"ConsumedCapacity":{"VectorSearchRequestBytes":1024.0},"SearchResults":[{"Item":{"a":{"S":"x"}},"Score":-0.5}]}`, &dynamo.SearchVectorsOutput{
			ConsumedCapacity: &dynamo.VectorCapacity{SearchBytes: 1024}, SearchResults: []dynamo.SearchResult{{Item: key("a"), Score: -0.5}},
		}},
		{"BatchGetItem", `{"Responses":{"t":[],"u":[{"a":{"S":"x"}}]},"UnprocessedKeys":{}}`,
			&dynamo.BatchGetItemOutput{Responses: []dynamo.TableItems{{TableName: "t"}, {TableName: "u", Items: []dynamo.Item{key("a")}}}}},
		{"BatchGetItem", `{"Responses":{},"UnprocessedKeys":{"t":{"Keys":[{"a":{"S":"x"}}],"ConsistentRead":true,"ProjectionExpression":"#a",
				"ExpressionAttributeNames":{"#a":"b"}}},"ConsumedCapacity":[{"TableName":"t","CapacityUnits":0}]}`,
			&dynamo.BatchGetItemOutput{
				UnprocessedKeys: []dynamo.KeysAndAttributes{{TableName: "t", Keys: []dynamo.RawItem{{Item: key("a")}},
					ConsistentRead: aws.Bool(true), ProjectionExpression: aws.String("#a"), Names: map[string]string{"#a": "b"}}},
				ConsumedCapacity: []dynamo.ConsumedCapacity{{TableName: "t"}},
			}},
		{"BatchWriteItem", `{"UnprocessedItems":{}}`, &dynamo.BatchWriteItemOutput{}},
		{"BatchWriteItem", `{"UnprocessedItems":{"t":[{"PutRequest":{"Item":{"a":{"S":"x"}}}},{"DeleteRequest":{"Key":{"b":{"S":"x"}}}}]},
			"ItemCollectionMetrics":{"t":[{"ItemCollectionKey":{"a":{"S":"x"}},"SizeEstimateRangeGB":[0,1]}]},
			"ConsumedCapacity":[{"TableName":"t","CapacityUnits":2}]}`,
			&dynamo.BatchWriteItemOutput{
				UnprocessedItems: []dynamo.TableWrites{{TableName: "t", Requests: []dynamo.WriteRequest{
					{Put: &dynamo.RawItem{Item: key("a")}}, {Delete: &dynamo.RawItem{Item: key("b")}}}}},
				ItemCollectionMetrics: []dynamo.TableCollectionMetrics{{TableName: "t", Metrics: []dynamo.ItemCollectionMetrics{{Key: key("a"), UpperGB: 1}}}},
				ConsumedCapacity:      []dynamo.ConsumedCapacity{{TableName: "t", Units: 2, Write: true}},
			}},
		{"ListTables", `{"TableNames":[]}`, &dynamo.ListTablesOutput{}},
		{"ListTables", `{"TableNames":["a","b"],"LastEvaluatedTableName":"b"}`,
			&dynamo.ListTablesOutput{TableNames: []string{"a", "b"}, LastEvaluatedTableName: aws.String("b")}},
		{"ListTagsOfResource", `{"Tags":[]}`, &dynamo.ListTagsOfResourceOutput{}},
		{"DescribeTable", `{"Table":{"TableName":"t","ItemCount":0,"TableStatus":"ACTIVE","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],
				"CreationDateTime":1700000000.123}}`,
			&dynamo.DescribeTableOutput{Table: &dynamo.TableDescription{
				TableName: aws.String("t"), ItemCount: aws.Int64(0), TableStatus: "ACTIVE", CreationDateTime: timeOf(1700000000, 123_456_789),
				KeySchema: []dynamo.KeySchemaElement{{AttributeName: aws.String("a"), KeyType: "HASH"}},
			}}},
	} {
		t.Run(c.operation, func(t *testing.T) { sameOutput(t, c.operation, c.body, c.out) })
	}
}

// sameOutput compares an output of the engine with the same one over HTTP.
func sameOutput(t *testing.T, operation, body string, out any) {
	t.Helper()
	want, err := (&wireServer{status: 200, body: body}).call(t.Context(), operation)
	if err != nil {
		t.Fatal(err)
	}
	everyDoor(t, &fake{outs: []any{out}}, operation, func(t *testing.T, call func(context.Context, any) (any, error)) {
		got, err := call(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		noMetadata(want)
		noMetadata(got)
		if diff := cmp.Diff(want, got, allFields); diff != "" {
			t.Errorf("(-over HTTP +in process):\n%s", diff)
		}
	})
}

func noMetadata(out any) {
	field := reflect.ValueOf(out).Elem().FieldByName("ResultMetadata")
	field.Set(reflect.ValueOf(middleware.Metadata{}))
}

func TestErrorsMatchTheWire(t *testing.T) {
	for _, c := range []struct {
		err    *dynamo.Error
		status int
		body   string
	}{
		{dynamo.Errorf(dynamo.ConditionalCheckFailed, "The conditional request failed"), 400, ""},
		{&dynamo.Error{Code: dynamo.ConditionalCheckFailed, Message: "The conditional request failed", Item: itemOf(t, attributeMap{"a": text("x")})}, 400,
			`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"The conditional request failed","Item":{"a":{"S":"x"}}}`},
		{dynamo.Errorf(dynamo.InternalServerError, "Internal server error"), 500, ""},
		{dynamo.Errorf(dynamo.InvalidEndpoint, "no such endpoint"), 421, ""},
		{dynamo.Errorf(dynamo.ItemCollectionSizeLimitExceeded, "too large"), 400, ""},
		{dynamo.Errorf(dynamo.LimitExceeded, "too many"), 400, ""},
		{dynamo.Errorf(dynamo.ResourceInUse, "Table already exists: t"), 400, ""},
		{dynamo.TableNotFound(), 400, ""},
		{dynamo.Errorf(dynamo.Serialization, "bad"), 400, `{"__type":"com.amazon.coral.service#SerializationException","Message":"bad"}`},
		{dynamo.Errorf(dynamo.UnknownOperation, ""), 400, `{"__type":"com.amazon.coral.service#UnknownOperationException"}`},
		{dynamo.Invalid("1 validation error"), 400, `{"__type":"com.amazon.coral.validate#ValidationException","message":"1 validation error"}`},
	} {
		t.Run(string(c.err.Code), func(t *testing.T) {
			if c.body == "" {
				c.body = fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":%q}`, c.err.Code, c.err.Message)
			}
			sameErrorAsOverHTTP(t, "PutItem", c.status, c.body, c.err)
		})
	}
}

// sameErrorAsOverHTTP compares the result of an error of the engine with that of the same
// error over HTTP.
func sameErrorAsOverHTTP(t *testing.T, operation string, status int, body string, failure error) {
	t.Helper()
	_, want := (&wireServer{status: status, body: body}).call(t.Context(), operation)
	api := &fake{err: fmt.Errorf("while working: %w", failure)}
	everyDoor(t, api, operation, func(t *testing.T, call func(context.Context, any) (any, error)) {
		out, got := call(t.Context(), nil)
		if out != nil {
			t.Errorf("an output besides the error: %v", out)
		}
		sameError(t, want, got)
	})
}

// sameError compares everything that callers can see of an error of the client.
func sameError(t *testing.T, want, got error) {
	t.Helper()
	if want == nil || got == nil || want.Error() != got.Error() {
		t.Fatalf("error\n%v\nwant\n%v", got, want)
	}
	var wantAPI, gotAPI smithy.APIError
	if !errors.As(want, &wantAPI) || !errors.As(got, &gotAPI) {
		t.Fatalf("%v is no API error", got)
	}
	if diff := cmp.Diff(wantAPI, gotAPI, allFields); diff != "" || wantAPI.ErrorFault() != gotAPI.ErrorFault() {
		t.Errorf("API error (-over HTTP +in process):\n%s", diff)
	}
	var wantResponse, gotResponse *awshttp.ResponseError
	if !errors.As(want, &wantResponse) || !errors.As(got, &gotResponse) {
		t.Fatalf("%v has no response", got)
	}
	if wantResponse.HTTPStatusCode() != gotResponse.HTTPStatusCode() || gotResponse.HTTPResponse().Body == nil {
		t.Errorf("status %d, want %d", gotResponse.HTTPStatusCode(), wantResponse.HTTPStatusCode())
	}
	var wantOperation, gotOperation *smithy.OperationError
	if !errors.As(want, &wantOperation) || !errors.As(got, &gotOperation) ||
		wantOperation.Operation() != gotOperation.Operation() || wantOperation.Service() != gotOperation.Service() {
		t.Errorf("%v does not name the operation as %v does", got, want)
	}
}
