package sdk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/smithy-go"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func TestInputsOfStreamOperations(t *testing.T) {
	for _, c := range []struct {
		operation string
		in, want  any
	}{
		{"ListStreams", &dynamodbstreams.ListStreamsInput{ExclusiveStartStreamArn: aws.String("a"), Limit: aws.Int32(3), TableName: aws.String("t")},
			&dynamo.ListStreamsInput{ExclusiveStartStreamArn: aws.String("a"), Limit: aws.Int32(3), TableName: aws.String("t")}},
		{"DescribeStream", &dynamodbstreams.DescribeStreamInput{
			StreamArn: aws.String("a"), ExclusiveStartShardId: aws.String("s"), Limit: aws.Int32(3),
			ShardFilter: &types.ShardFilter{ShardId: aws.String("f"), Type: types.ShardFilterTypeChildShards},
		}, &dynamo.DescribeStreamInput{
			StreamArn: aws.String("a"), ExclusiveStartShardId: aws.String("s"), Limit: aws.Int32(3),
			ShardFilter: &dynamo.ShardFilter{ShardId: aws.String("f"), Type: "CHILD_SHARDS"},
		}},
		{"GetShardIterator", &dynamodbstreams.GetShardIteratorInput{
			StreamArn: aws.String("a"), ShardId: aws.String("s"), SequenceNumber: aws.String("7"), ShardIteratorType: types.ShardIteratorTypeAtSequenceNumber,
		}, &dynamo.GetShardIteratorInput{
			StreamArn: aws.String("a"), ShardId: aws.String("s"), SequenceNumber: aws.String("7"), ShardIteratorType: "AT_SEQUENCE_NUMBER",
		}},
		{"GetShardIterator", &dynamodbstreams.GetShardIteratorInput{
			StreamArn: aws.String("a"), ShardId: aws.String("s"), ShardIteratorType: types.ShardIteratorTypeAtTimestamp, Timestamp: timeOf(20, 500_999_999),
		}, &dynamo.GetShardIteratorInput{
			StreamArn: aws.String("a"), ShardId: aws.String("s"), ShardIteratorType: "AT_TIMESTAMP", Timestamp: aws.Time(time.UnixMilli(20_500).UTC()),
		}},
		{"GetRecords", &dynamodbstreams.GetRecordsInput{Limit: aws.Int32(3), ShardIterator: aws.String("i\xff")},
			&dynamo.GetRecordsInput{Limit: aws.Int32(3), ShardIterator: aws.String("i\ufffd")}},
	} {
		t.Run(c.operation, func(t *testing.T) {
			api := &fake{}
			everyDoor(t, api, c.operation, func(t *testing.T, call func(context.Context, any) (any, error)) {
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

func TestOutputsOfStreamOperationsMatchTheWire(t *testing.T) {
	key := func(name string) dynamo.Item { return itemOf(t, attributeMap{name: text("x")}) }
	for _, c := range []struct {
		operation string
		body      string
		out       any
	}{
		{"ListStreams", `{"Streams":[]}`, &dynamo.ListStreamsOutput{}},
		{"ListStreams", `{"Streams":[{"StreamArn":"a","StreamLabel":"l","TableName":"t"}],"LastEvaluatedStreamArn":"a"}`,
			&dynamo.ListStreamsOutput{LastEvaluatedStreamArn: aws.String("a"),
				Streams: []dynamo.StreamSummary{{StreamArn: aws.String("a"), StreamLabel: aws.String("l"), TableName: aws.String("t")}}}},
		{"DescribeStream", `{"StreamDescription":{"StreamArn":"a","Shards":[]}}`,
			&dynamo.DescribeStreamOutput{StreamDescription: &dynamo.StreamDescription{StreamArn: aws.String("a")}}},
		{"DescribeStream", `{"StreamDescription":{"StreamArn":"a","StreamLabel":"l","StreamStatus":"ENABLED","StreamViewType":"KEYS_ONLY","TableName":"t",
				"CreationRequestDateTime":1700000000.123,"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"LastEvaluatedShardId":"s",
				"Shards":[{"ShardId":"s","ParentShardId":"p","SequenceNumberRange":{"StartingSequenceNumber":"1","EndingSequenceNumber":"2"}},
					{"ShardId":"u","SequenceNumberRange":{"StartingSequenceNumber":"3"}}]}}`,
			&dynamo.DescribeStreamOutput{StreamDescription: &dynamo.StreamDescription{
				StreamArn: aws.String("a"), StreamLabel: aws.String("l"), StreamStatus: "ENABLED", StreamViewType: "KEYS_ONLY", TableName: aws.String("t"),
				CreationRequestDateTime: timeOf(1700000000, 123_456_789), LastEvaluatedShardId: aws.String("s"),
				KeySchema: []dynamo.KeySchemaElement{{AttributeName: aws.String("a"), KeyType: "HASH"}},
				Shards: []dynamo.Shard{
					{ShardId: aws.String("s"), ParentShardId: aws.String("p"), SequenceNumberRange: &dynamo.SequenceNumberRange{
						StartingSequenceNumber: aws.String("1"), EndingSequenceNumber: aws.String("2")}},
					{ShardId: aws.String("u"), SequenceNumberRange: &dynamo.SequenceNumberRange{StartingSequenceNumber: aws.String("3")}},
				},
			}}},
		{"GetShardIterator", `{"ShardIterator":"i"}`, &dynamo.GetShardIteratorOutput{ShardIterator: aws.String("i")}},
		{"GetRecords", `{"Records":[]}`, &dynamo.GetRecordsOutput{}},
		{"GetRecords", `{"NextShardIterator":"n","Records":[
				{"awsRegion":"r","eventID":"1","eventName":"MODIFY","eventSource":"aws:dynamodb","eventVersion":"1.1","dynamodb":{
					"ApproximateCreationDateTime":1700000000.123,"Keys":{"k":{"S":"x"}},"NewImage":{"n":{"S":"x"}},"OldImage":{"o":{"S":"x"}},
					"SequenceNumber":"7","SizeBytes":12,"StreamViewType":"NEW_AND_OLD_IMAGES"}},
				{"awsRegion":"r","eventID":"2","eventName":"REMOVE","eventSource":"aws:dynamodb","eventVersion":"1.1","dynamodb":{
					"ApproximateCreationDateTime":1700000001,"Keys":{"k":{"S":"x"}},"SequenceNumber":"8","SizeBytes":0,"StreamViewType":"KEYS_ONLY"},
					"userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}]}`,
			&dynamo.GetRecordsOutput{NextShardIterator: aws.String("n"), Records: []dynamo.Record{
				{AwsRegion: "r", EventID: "1", EventName: "MODIFY", Created: time.Unix(1700000000, 123_456_789), Keys: key("k"), NewImage: key("n"),
					OldImage: key("o"), SequenceNumber: "7", SizeBytes: 12, StreamViewType: "NEW_AND_OLD_IMAGES"},
				{AwsRegion: "r", EventID: "2", EventName: "REMOVE", Created: time.Unix(1700000001, 0), Keys: key("k"),
					SequenceNumber: "8", StreamViewType: "KEYS_ONLY", ByService: true},
			}}},
	} {
		t.Run(c.operation, func(t *testing.T) { sameOutput(t, c.operation, c.body, c.out) })
	}
}

func TestImagesMatchTheWire(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	server := &wireServer{status: 200}
	client := server.streamsClient()
	for range 300 {
		item := itemOf(t, randomItem(rnd))
		server.body = `{"Records":[{"dynamodb":{"NewImage":` + itemJSON(item) + `}}]}`
		want, err := client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: aws.String("i")})
		if err != nil {
			t.Fatalf("%s: %v", server.body, err)
		}
		out := &dynamo.GetRecordsOutput{Records: []dynamo.Record{{NewImage: item}}}
		got, err := NewStreamsClient(&fake{outs: []any{out}}, ClientOptions{}).GetRecords(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		clear(item) // the answer must not depend on the engine's bytes
		if diff := cmp.Diff(want.Records[0].Dynamodb.NewImage, got.Records[0].Dynamodb.NewImage, allFields); diff != "" {
			t.Fatalf("%s\n(-over HTTP +in process):\n%s", server.body, diff)
		}
	}
}

func TestErrorsOfStreamOperationsMatchTheWire(t *testing.T) {
	for _, c := range []struct {
		err    *dynamo.Error
		status int
		prefix string
	}{
		{dynamo.Errorf(dynamo.ExpiredIterator, "Iterator expired"), 400, "com.amazonaws.dynamodb.v20120810#"},
		{dynamo.Errorf(dynamo.InternalServerError, "Internal server error"), 500, "com.amazonaws.dynamodb.v20120810#"},
		{dynamo.Errorf(dynamo.LimitExceeded, "too many"), 400, "com.amazonaws.dynamodb.v20120810#"},
		{dynamo.Errorf(dynamo.ResourceNotFound, "no stream"), 400, "com.amazonaws.dynamodb.v20120810#"},
		{dynamo.Errorf(dynamo.TrimmedDataAccess, "gone"), 400, "com.amazonaws.dynamodb.v20120810#"},
		{dynamo.Invalid("1 validation error"), 400, "com.amazon.coral.validate#"},
	} {
		t.Run(string(c.err.Code), func(t *testing.T) {
			body := fmt.Sprintf(`{"__type":"%s%s","message":%q}`, c.prefix, c.err.Code, c.err.Message)
			sameErrorAsOverHTTP(t, "GetRecords", c.status, body, c.err)
		})
	}
}

func TestFailuresOfTheEngineAreInternalServerErrorsOfTheStreams(t *testing.T) {
	cause := errors.New("disk on fire")
	_, err := NewStreamsClient(&fake{err: fmt.Errorf("read: %w", cause)}, ClientOptions{}).GetRecords(t.Context(), nil)
	var internal *types.InternalServerError
	if !errors.As(err, &internal) || !errors.Is(err, cause) {
		t.Errorf("error %v, want an InternalServerError that shows its cause", err)
	}
}

func TestStreamsClient(t *testing.T) {
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		api := &fake{}
		_, err := NewStreamsClient(api, ClientOptions{}).ListStreams(ctx, nil)
		var cancelled *smithy.CanceledError
		if !errors.As(err, &cancelled) || !errors.Is(err, context.Canceled) || api.in != nil {
			t.Errorf("error %v, engine saw %v, want a cancelled call", err, api.in)
		}
	})
	t.Run("middleware of the caller", func(t *testing.T) {
		var log []string
		_, err := NewStreamsClient(&fake{}, ClientOptions{}).ListStreams(t.Context(), nil, func(o *dynamodbstreams.Options) {
			o.Interceptors.AddBeforeExecution(interceptor{&log})
		})
		if err != nil || len(log) != 1 {
			t.Errorf("error %v, log %v, want one call of the interceptor", err, log)
		}
	})
	t.Run("nothing is sent", func(t *testing.T) {
		api := &fake{}
		client := NewStreamsClient(api, ClientOptions{Region: "eu-west-1"})
		_, err := client.ListStreams(t.Context(), nil, func(o *dynamodbstreams.Options) {
			o.APIOptions = nil
			o.Credentials = someCredentials
		})
		if err == nil || !strings.Contains(err.Error(), "sends nothing") || api.in != nil {
			t.Errorf("error %v, engine saw %v", err, api.in)
		}
		if got := client.Options().Region; got != "eu-west-1" {
			t.Errorf("region %q", got)
		}
	})
	t.Run("unknown operation", func(t *testing.T) {
		if _, err := run(t.Context(), &fake{}, "no input"); err == nil {
			t.Error("no error")
		}
	})
}
