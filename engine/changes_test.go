package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine"
)

func createStreamed(t *testing.T, db *engine.DB, name string) {
	t.Helper()
	_, err := db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName:            &name,
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: new("pk"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: new("pk"), KeyType: types.KeyTypeHash}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func putNumber(t *testing.T, db *engine.DB, table, pk string, n int) {
	t.Helper()
	if err := tryPutNumber(t.Context(), db, table, pk, n); err != nil {
		t.Fatal(err)
	}
}

func tryPutNumber(ctx context.Context, db *engine.DB, table, pk string, n int) error {
	_, err := db.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: pk}, "n": &types.AttributeValueMemberN{Value: fmt.Sprint(n)},
	}})
	return err
}

func describeChange(r streamtypes.Record) string {
	return fmt.Sprint(r.EventName, " ", r.Dynamodb.Keys["pk"].(*streamtypes.AttributeValueMemberS).Value, " ",
		r.Dynamodb.NewImage["n"].(*streamtypes.AttributeValueMemberN).Value)
}

// TestChangesWaitAndContinue follows a table while it is written, stops in between and continues.
func TestChangesWaitAndContinue(t *testing.T) {
	for name, dir := range map[string]string{"memory": "", "disk": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			db, err := engine.Open(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			createStreamed(t, db, "orders")
			putNumber(t, db, "orders", "a", 1)
			changes, err := db.Changes(t.Context(), "orders", engine.FromNow)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for n := 2; n <= 4; n++ {
				go tryPutNumber(t.Context(), db, "orders", "a", n) // the loop below waits for it
				for record, err := range changes {
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, describeChange(record))
					break
				}
			}
			if want := "[MODIFY a 2 MODIFY a 3 MODIFY a 4]"; fmt.Sprint(got) != want {
				t.Errorf("got %v, want %s", got, want)
			}
		})
	}
}

// TestChangesEndWithTheStream reads all changes from the oldest on; the loop ends once the
// stream is disabled.
func TestChangesEndWithTheStream(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	createStreamed(t, db, "orders")
	for n := range 100 {
		putNumber(t, db, "orders", fmt.Sprint("item", n%10), n)
	}
	changes, err := db.Changes(t.Context(), "orders", engine.FromOldest)
	if err != nil {
		t.Fatal(err)
	}
	off := &types.StreamSpecification{StreamEnabled: new(false)}
	if _, err := db.API().UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: new("orders"), StreamSpecification: off}); err != nil {
		t.Fatal(err)
	}
	last := map[string]string{}
	count := 0
	for record, err := range changes {
		if err != nil {
			t.Fatal(err)
		}
		last[record.Dynamodb.Keys["pk"].(*streamtypes.AttributeValueMemberS).Value] = describeChange(record)
		count++
	}
	if count != 100 || last["item3"] != "MODIFY item3 93" {
		t.Errorf("%d changes, the last one of item3 was %s", count, last["item3"])
	}
	if _, err := db.Changes(t.Context(), "orders", engine.FromNow); err == nil {
		t.Error("Changes succeeded for a table without a stream")
	}
}

// TestChangesEndWithTheirContext cancels a waiting loop.
func TestChangesEndWithTheirContext(t *testing.T) {
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	createStreamed(t, db, "orders")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	changes, err := db.Changes(ctx, "orders", engine.FromOldest)
	if err != nil {
		t.Fatal(err)
	}
	putNumber(t, db, "orders", "a", 1)
	var ended error
	for _, err := range changes {
		if ended = err; err == nil {
			cancel()
		}
	}
	if !errors.Is(ended, context.Canceled) {
		t.Errorf("the loop ended with %v", ended)
	}
}
