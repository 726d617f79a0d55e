package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/engine"
)

func TestErrorsOfOpen(t *testing.T) {
	locked := t.TempDir()
	open(t, locked)
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	newer := t.TempDir()
	db, err := engine.Open(newer, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(newer, "SORTKEY"), []byte("sortkey storage, format 99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := []error{engine.ErrClosed, engine.ErrLocked, engine.ErrFormat, engine.ErrForeign}
	for _, c := range []struct {
		dir  string
		want error
	}{{locked, engine.ErrLocked}, {newer, engine.ErrFormat}, {foreign, engine.ErrForeign}} {
		db, err := engine.Open(c.dir, nil)
		if err == nil {
			db.Close()
		}
		for _, e := range all {
			if errors.Is(err, e) != (e == c.want) {
				t.Errorf("%v, want only %q: matches %q: %t", err, c.want, e, errors.Is(err, e))
			}
		}
	}
}

// TestErrorsAfterClose calls through each door.
func TestErrorsAfterClose(t *testing.T) {
	for name, dir := range map[string]string{"memory": "", "disk": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			db, err := engine.Open(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			table := musicTable("music")
			table.StreamSpecification = &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: types.StreamViewTypeKeysOnly}
			created, err := db.API().CreateTable(t.Context(), table)
			if err != nil {
				t.Fatal(err)
			}
			stream := created.TableDescription.LatestStreamArn
			changes, err := db.Changes(t.Context(), "music", engine.FromNow)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			api, client := db.API(), db.Client()
			for call, run := range map[string]func(context.Context) error{
				"PutItem": func(ctx context.Context) error {
					_, err := api.PutItem(ctx, &dynamodb.PutItemInput{TableName: new("music"), Item: song("a", "b")})
					return err
				},
				"GetItem of the client": func(ctx context.Context) error {
					_, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: new("music"), Key: song("a", "b")})
					return err
				},
				"BatchGetItem": func(ctx context.Context) error {
					_, err := api.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
						"music": {Keys: []map[string]types.AttributeValue{song("a", "b")}}}})
					return err
				},
				"Scan": func(ctx context.Context) error {
					_, err := api.Scan(ctx, &dynamodb.ScanInput{TableName: new("music")})
					return err
				},
				"CreateTable": func(ctx context.Context) error {
					_, err := api.CreateTable(ctx, musicTable("more"))
					return err
				},
				"DescribeTable": func(ctx context.Context) error {
					_, err := api.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: new("music")})
					return err
				},
				"DeleteTable": func(ctx context.Context) error {
					_, err := api.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: new("music")})
					return err
				},
				"ListTables": func(ctx context.Context) error {
					_, err := api.ListTables(ctx, &dynamodb.ListTablesInput{})
					return err
				},
				"ListStreams": func(ctx context.Context) error {
					_, err := db.Streams().ListStreams(ctx, &dynamodbstreams.ListStreamsInput{})
					return err
				},
				"DescribeStream": func(ctx context.Context) error {
					_, err := db.Streams().DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: stream})
					return err
				},
				"Changes": func(ctx context.Context) error {
					_, err := db.Changes(ctx, "music", engine.FromNow)
					return err
				},
				"a loop over changes": func(context.Context) error {
					for _, err := range changes {
						return err
					}
					return nil
				},
				"SplitShards": func(ctx context.Context) error { return db.SplitShards(ctx, "music") },
			} {
				if err := run(t.Context()); !errors.Is(err, engine.ErrClosed) {
					t.Errorf("%s after Close: %v", call, err)
				}
			}
		})
	}
}
