package examples

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/apps/exambuddy/exambuddydb/exambuddydbtest"
	"sortkey.dev/engine"
)

// addUntil adds a song that expires.
func addUntil(ctx context.Context, client *dynamodb.Client, song string, until time.Time) error {
	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("Music"),
		Item: map[string]types.AttributeValue{
			"Artist": &types.AttributeValueMemberS{Value: "No One You Know"},
			"Song":   &types.AttributeValueMemberS{Value: song},
			"Until":  &types.AttributeValueMemberN{Value: strconv.FormatInt(until.Unix(), 10)},
		},
	})
	return err
}

// countSongs returns the number of songs.
func countSongs(t *testing.T, client *dynamodb.Client) int32 {
	t.Helper()
	songs, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("Music"), Select: types.SelectCount})
	if err != nil {
		t.Fatal(err)
	}
	return songs.Count
}

func TestASongExpiresAfterAMonth(t *testing.T) {
	clock := engine.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	db, err := engine.Open("", &engine.Options{Clock: clock, ExpiryInterval: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	client := db.Client()
	for _, step := range []func(context.Context, *dynamodb.Client) error{createMusic, expireByAttribute} {
		if err := step(t.Context(), client); err != nil {
			t.Fatal(err)
		}
	}
	if err := addUntil(t.Context(), client, "Call Me Today", clock.Now().Add(30*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	clock.Advance(30 * 24 * time.Hour)
	if n := countSongs(t, client); n != 1 {
		t.Errorf("after a month there are %d songs, want 1", n)
	}
	clock.Advance(time.Hour) // looks for expired items on the way
	if n := countSongs(t, client); n != 0 {
		t.Errorf("an hour later there are %d songs, want none", n)
	}
}

func TestGeneratedHelperTakesAClock(t *testing.T) {
	clock := engine.NewClock(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	_, memory := exambuddydbtest.OpenWith(t, &engine.Options{Clock: clock})
	clock.Advance(time.Hour)
	if got := memory.ClockState().Now; !got.Equal(clock.Now()) {
		t.Errorf("the database's time is %v, want %v", got, clock.Now())
	}
}
