package examples

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine"
)

// switchOnStream makes a table keep its changes.
func switchOnStream(ctx context.Context, client *dynamodb.Client) error {
	_, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: aws.String("Music"),
		StreamSpecification: &types.StreamSpecification{
			StreamEnabled:  aws.Bool(true),
			StreamViewType: types.StreamViewTypeNewAndOldImages,
		},
	})
	return err
}

// printChanges prints the changes of the table as they are made.
func printChanges(ctx context.Context, db *engine.DB) error {
	changes, err := db.Changes(ctx, "Music", engine.FromNow)
	if err != nil {
		return err
	}
	for record, err := range changes {
		if err != nil {
			return err
		}
		fmt.Println(record.EventName, record.Dynamodb.Keys["Song"])
	}
	return nil
}

// readShard reads what a shard holds now, on the engine as on AWS.
func readShard(ctx context.Context, streams *dynamodbstreams.Client, stream, shard *string) ([]streamtypes.Record, error) {
	at, err := streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn:         stream,
		ShardId:           shard,
		ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
	})
	if err != nil {
		return nil, err
	}
	var all []streamtypes.Record
	for next := at.ShardIterator; next != nil; {
		page, err := streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: next})
		if err != nil {
			return nil, err
		}
		if len(page.Records) == 0 {
			break // caught up; with next, reading can go on later
		}
		all = append(all, page.Records...)
		next = page.NextShardIterator
	}
	return all, nil
}

// splitShards gives every open shard of the table's stream two children.
func splitShards(ctx context.Context, db *engine.DB) error {
	return db.SplitShards(ctx, "Music")
}

// expireByAttribute deletes songs when the time in their attribute Until has come.
func expireByAttribute(ctx context.Context, client *dynamodb.Client) error {
	_, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("Music"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{
			AttributeName: aws.String("Until"), // a Number: seconds since 1970
			Enabled:       aws.Bool(true),
		},
	})
	return err
}

// addYearIndex lets songs be found by their year, while the table is in use.
func addYearIndex(ctx context.Context, client *dynamodb.Client) error {
	_, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName:            aws.String("Music"),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("Year"), AttributeType: types.ScalarAttributeTypeN}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName:  aws.String("ByYear"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("Year"), KeyType: types.KeyTypeHash}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}}},
	})
	return err
}

func TestChanges(t *testing.T) {
	db, err := engine.Open("", &engine.Options{ExpiryInterval: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	client := db.Client()
	for _, step := range []func(context.Context, *dynamodb.Client) error{createMusic, switchOnStream, expireByAttribute, addYearIndex} {
		if err := step(t.Context(), client); err != nil {
			t.Fatal(err)
		}
	}
	if err := addSong(t.Context(), client, "Happy Day", "1999"); err != nil {
		t.Fatal(err)
	}
	if err := splitShards(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	table, err := client.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("Music")})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := db.Streams().DescribeStream(t.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: table.Table.LatestStreamArn})
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	for _, shard := range stream.StreamDescription.Shards {
		all, err := readShard(t.Context(), db.Streams(), table.Table.LatestStreamArn, shard.ShardId)
		if err != nil {
			t.Fatal(err)
		}
		records += len(all)
	}
	if n := len(stream.StreamDescription.Shards); n != 12 {
		t.Errorf("%d shards, want four and their eight children", n)
	}
	if records != 1 {
		t.Errorf("%d records, want 1", records)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := printChanges(ctx, db); err == nil {
		t.Error("changes were printed after the end of the context")
	}
}
