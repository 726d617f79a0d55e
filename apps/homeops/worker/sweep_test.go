package worker_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/apps/homeops"
	"sortkey.dev/apps/homeops/homeopstest"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// A refusing connection counts the writes that were refused.
type refusing struct {
	access.API
	refused *atomic.Int64
}

func (c refusing) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	out, err := c.API.PutItem(ctx, in, options...)
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		c.refused.Add(1)
	}
	return out, err
}

// promised returns a world in which Anna promised the dishes by noon.
func promised(t *testing.T) *homeopstest.World {
	w := open(t)
	w.Means("Jag tar disken före lunch", homeopstest.Promised("dishes", homeopstest.Start.Add(2*time.Hour)))
	w.Say(t, anna, "Jag tar disken före lunch")
	if err := w.Worker.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

// The sweep passes over a promise whose job is queued, without a write.
func TestSweepLeavesPromisesWithAJob(t *testing.T) {
	w := promised(t)
	var refused atomic.Int64
	process := w.Through(t, refusing{w.Database.DynamoDB, &refused})
	for range 24 { // it is reminded of and open
		w.Clock.Advance(time.Hour)
		process.Step(t)
	}
	if n := refused.Load(); n > 0 {
		t.Errorf("%d writes were refused", n)
	}
	wantTexts(t, w, chat, "Diskning finns kvar sedan idag.")
}

// A promise whose job was lost is reminded of and expires all the same.
func TestSweepQueuesLostJobsOfPromises(t *testing.T) {
	w := promised(t)
	page, err := w.Promises.Mine(t.Context(), anna, "")
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("%+v (%v)", page, err)
	}
	id := homeops.PromiseJob(anna, page.Items[0].PromiseID, time.Time{}).ID
	_, err = w.Database.DynamoDB.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
		TableName: new(w.Database.Prefix + platformdb.Tables()[0].Name),
		Key:       access.Item{"PK": &types.AttributeValueMemberS{Value: "JOB#" + id}, "SK": &types.AttributeValueMemberS{Value: "JOB"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 24 {
		w.Clock.Advance(time.Hour)
		w.Step(t)
	}
	if n := len(w.Telegram.Texts(chat)); n != 1 {
		t.Errorf("the bot said %d lines", n)
	}
}
