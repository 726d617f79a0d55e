package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine"
)

// The changes of a table arrive in the file of its destination while the database runs, or
// when it is opened again.
func TestKinesisDestinationReceivesAllChanges(t *testing.T) {
	dir, records := t.TempDir(), t.TempDir()
	const rounds, puts = 3, 20
	for round := range rounds {
		db, err := engine.Open(dir, &engine.Options{KinesisDir: records})
		if err != nil {
			t.Fatal(err)
		}
		api := db.API()
		if round == 0 {
			if _, err := api.CreateTable(t.Context(), keyed("things", "id/S")); err != nil {
				t.Fatal(err)
			}
			_, err := api.EnableKinesisStreamingDestination(t.Context(), &dynamodb.EnableKinesisStreamingDestinationInput{
				TableName: aws.String("things"), StreamArn: aws.String("arn:aws:kinesis:us-east-1:123456789012:stream/changes"),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range puts {
			id := fmt.Sprintf("%d-%d", round, i)
			_, err := api.PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: aws.String("things"), Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if round == rounds-1 {
			err := eventually(t.Context(), func() (bool, error) {
				content, err := os.ReadFile(filepath.Join(records, "changes.jsonl"))
				if errors.Is(err, fs.ErrNotExist) {
					return false, nil
				}
				return bytes.Count(content, []byte{'\n'}) >= rounds*puts, err
			})
			if err != nil {
				t.Error(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(filepath.Join(records, "changes.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for round := range rounds {
		for i := range puts {
			if id := fmt.Sprintf(`"NewImage":{"id":{"S":"%d-%d"}}`, round, i); bytes.Count(content, []byte(id)) != 1 {
				t.Errorf("%s is there %d times", id, bytes.Count(content, []byte(id)))
			}
		}
	}
}

// Two databases that have the same folder do not overwrite each other's records: the second one
// cannot enable a destination until the first is closed.
func TestKinesisFolderHasOneDatabase(t *testing.T) {
	records := t.TempDir()
	first, second := openKinesis(t, records), openKinesis(t, records)
	if status, reason := enableKinesis(t, first); status != types.DestinationStatusActive {
		t.Fatalf("the first: %s, %s", status, reason)
	}
	status, reason := enableKinesis(t, second)
	if status != types.DestinationStatusEnableFailed || !strings.Contains(reason, records) || !strings.Contains(reason, "a folder of its own") {
		t.Errorf("the second: %s, %s", status, reason)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if status, reason := enableKinesis(t, second); status != types.DestinationStatusActive {
		t.Errorf("the second after the first is closed: %s, %s", status, reason)
	}
}

// A folder that was removed while the database runs is made again, and belongs to the database.
func TestKinesisFolderIsMadeAgain(t *testing.T) {
	records := filepath.Join(t.TempDir(), "records")
	db, other := openKinesis(t, records), openKinesis(t, records)
	enableKinesis(t, db)
	if err := os.RemoveAll(records); err != nil {
		t.Fatal(err)
	}
	_, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String("things"), Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "a"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	err = eventually(ctx, func() (bool, error) {
		content, err := os.ReadFile(filepath.Join(records, "changes.jsonl"))
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return bytes.HasSuffix(content, []byte{'\n'}), err
	})
	if err != nil {
		t.Fatalf("the change does not arrive: %v", err)
	}
	if status, _ := enableKinesis(t, other); status != types.DestinationStatusEnableFailed {
		t.Errorf("another database can use the folder: %s", status)
	}
}

// openKinesis opens a database in memory with a folder for records and a table.
func openKinesis(t *testing.T, records string) *engine.DB {
	t.Helper()
	db, err := engine.Open("", &engine.Options{KinesisDir: records})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.API().CreateTable(t.Context(), keyed("things", "id/S")); err != nil {
		t.Fatal(err)
	}
	return db
}

// enableKinesis enables a destination of the table and returns its final state.
func enableKinesis(t *testing.T, db *engine.DB) (status types.DestinationStatus, reason string) {
	t.Helper()
	_, err := db.API().EnableKinesisStreamingDestination(t.Context(), &dynamodb.EnableKinesisStreamingDestinationInput{
		TableName: aws.String("things"), StreamArn: aws.String("arn:aws:kinesis:us-east-1:123456789012:stream/changes"),
	})
	if err != nil {
		t.Fatal(err)
	}
	err = eventually(t.Context(), func() (bool, error) {
		out, err := db.API().DescribeKinesisStreamingDestination(t.Context(), &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: aws.String("things")})
		if err != nil {
			return false, err
		}
		destination := out.KinesisDataStreamDestinations[0]
		status, reason = destination.DestinationStatus, aws.ToString(destination.DestinationStatusDescription)
		return status != types.DestinationStatusEnabling, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return status, reason
}
