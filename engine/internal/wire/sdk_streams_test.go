package wire

import (
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/internal/retrytest"
)

// streamsClient returns a real client of streams for a server that runs on api.
func streamsClient(t *testing.T, api dynamo.API) *dynamodbstreams.Client {
	t.Helper()
	server := httptest.NewServer(NewHandler(api, Options{}))
	t.Cleanup(server.Close)
	return dynamodbstreams.New(dynamodbstreams.Options{
		BaseEndpoint: aws.String(server.URL),
		Region:       "us-east-1",
		Credentials:  aws.AnonymousCredentials{},
		Retryer:      retrytest.BrokenConnections,
	})
}

var streamsTypes = cmpopts.IgnoreUnexported(types.Stream{}, types.StreamDescription{}, types.Shard{}, types.SequenceNumberRange{}, types.KeySchemaElement{},
	types.Record{}, types.StreamRecord{}, types.Identity{}, types.AttributeValueMemberS{})

func TestStreamsThroughTheSDK(t *testing.T) {
	api := &fake{output: &dynamo.ListStreamsOutput{LastEvaluatedStreamArn: new("arn"), Streams: []dynamo.StreamSummary{{StreamArn: new("arn"), StreamLabel: new("l"), TableName: new("t")}}}}
	client := streamsClient(t, api)
	listed, err := client.ListStreams(t.Context(), &dynamodbstreams.ListStreamsInput{TableName: aws.String("t"), Limit: aws.Int32(1)})
	if err != nil {
		t.Fatal(err)
	}
	wantList := []types.Stream{{StreamArn: aws.String("arn"), StreamLabel: aws.String("l"), TableName: aws.String("t")}}
	if diff := cmp.Diff(wantList, listed.Streams, streamsTypes); diff != "" || *listed.LastEvaluatedStreamArn != "arn" {
		t.Errorf("last %s, streams (-want +got):\n%s", *listed.LastEvaluatedStreamArn, diff)
	}

	api.output = &dynamo.DescribeStreamOutput{StreamDescription: describedStream()}
	described, err := client.DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{
		StreamArn: aws.String("arn"), ShardFilter: &types.ShardFilter{ShardId: aws.String("s"), Type: types.ShardFilterTypeChildShards},
	})
	if err != nil {
		t.Fatal(err)
	}
	wantInput := &dynamo.DescribeStreamInput{StreamArn: new("arn"), ShardFilter: &dynamo.ShardFilter{ShardId: new("s"), Type: "CHILD_SHARDS"}}
	if diff := cmp.Diff(wantInput, api.input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	wantStream := &types.StreamDescription{
		CreationRequestDateTime: aws.Time(time.UnixMilli(1760013296789).UTC()),
		KeySchema:               []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
		LastEvaluatedShardId:    aws.String("s2"),
		Shards: []types.Shard{
			{ShardId: aws.String("s1"), SequenceNumberRange: &types.SequenceNumberRange{StartingSequenceNumber: aws.String("1"), EndingSequenceNumber: aws.String("9")}},
			{ShardId: aws.String("s2"), ParentShardId: aws.String("s1"), SequenceNumberRange: &types.SequenceNumberRange{StartingSequenceNumber: aws.String("10")}},
		},
		StreamArn: aws.String("arn"), StreamLabel: aws.String("label"), StreamStatus: "ENABLED", StreamViewType: "KEYS_ONLY", TableName: aws.String("t"),
	}
	if diff := cmp.Diff(wantStream, described.StreamDescription, streamsTypes); diff != "" {
		t.Errorf("stream (-want +got):\n%s", diff)
	}
}

func TestRecordsThroughTheSDK(t *testing.T) {
	api := &fake{output: &dynamo.GetShardIteratorOutput{ShardIterator: new("i")}}
	client := streamsClient(t, api)
	iterator, err := client.GetShardIterator(t.Context(), &dynamodbstreams.GetShardIteratorInput{
		StreamArn: aws.String("arn"), ShardId: aws.String("s"), ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
	})
	if err != nil || *iterator.ShardIterator != "i" {
		t.Fatalf("iterator %+v, %v", iterator, err)
	}

	api.output = &dynamo.GetRecordsOutput{NextShardIterator: new("j"), Records: streamRecords()}
	got, err := client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator, Limit: aws.Int32(2)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&dynamo.GetRecordsInput{ShardIterator: new("i"), Limit: new(int32(2))}, api.input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	image := func(value string) map[string]types.AttributeValue {
		return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: value}}
	}
	want := []types.Record{
		{
			AwsRegion: aws.String("eu-west-2"), EventID: aws.String("e1"), EventName: "MODIFY", EventSource: aws.String("aws:dynamodb"), EventVersion: aws.String("1.1"),
			Dynamodb: &types.StreamRecord{
				ApproximateCreationDateTime: aws.Time(time.Unix(1760013296, 0).UTC()), Keys: image("a"), NewImage: image("b"), OldImage: image("c"),
				SequenceNumber: aws.String("100000000000000000001"), SizeBytes: aws.Int64(9), StreamViewType: "NEW_AND_OLD_IMAGES",
			},
		},
		{
			AwsRegion: aws.String("eu-west-2"), EventID: aws.String("e2"), EventName: "REMOVE", EventSource: aws.String("aws:dynamodb"), EventVersion: aws.String("1.1"),
			Dynamodb: &types.StreamRecord{
				ApproximateCreationDateTime: aws.Time(time.Unix(1760013297, 0).UTC()), Keys: image("a"),
				SequenceNumber: aws.String("2"), SizeBytes: aws.Int64(0), StreamViewType: "KEYS_ONLY",
			},
			UserIdentity: &types.Identity{PrincipalId: aws.String("dynamodb.amazonaws.com"), Type: aws.String("Service")},
		},
	}
	if diff := cmp.Diff(want, got.Records, streamsTypes); diff != "" || *got.NextShardIterator != "j" {
		t.Errorf("next %s, records (-want +got):\n%s", *got.NextShardIterator, diff)
	}
}

func TestErrorsOfStreamsThroughTheSDK(t *testing.T) {
	api := &fake{}
	client := streamsClient(t, api)
	read := func(code dynamo.Code) error {
		api.err = dynamo.Errorf(code, "old")
		_, err := client.GetRecords(t.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: aws.String("i")})
		return err
	}
	err := read(dynamo.ExpiredIterator)
	if shown, ok := errors.AsType[*types.ExpiredIteratorException](err); !ok || shown.ErrorMessage() != "old" {
		t.Errorf("error is %v", err)
	}
	err = read(dynamo.TrimmedDataAccess)
	if shown, ok := errors.AsType[*types.TrimmedDataAccessException](err); !ok || shown.ErrorMessage() != "old" {
		t.Errorf("error is %v", err)
	}
	err = read(dynamo.ResourceNotFound)
	if shown, ok := errors.AsType[*types.ResourceNotFoundException](err); !ok || shown.ErrorMessage() != "old" {
		t.Errorf("error is %v", err)
	}
}
