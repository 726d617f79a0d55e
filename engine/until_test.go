package engine

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// A pausingClock is a clock whose time jumps after it was read so many times: a process that is stopped there.
type pausingClock struct {
	*ManualClock
	mu    sync.Mutex
	reads int // until the pause; below 0: none
}

func (c *pausingClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.ManualClock.Now()
	if c.reads--; c.reads == 0 {
		c.Set(now.Add(time.Hour))
	}
	return now
}

func (c *pausingClock) pauseAfter(reads int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads = reads
}

type untilWorld struct {
	clock *pausingClock
	db    *DB
}

func newUntilWorld(t *testing.T) *untilWorld {
	w := &untilWorld{clock: &pausingClock{ManualClock: NewClock(newYear), reads: -1}}
	var err error
	if w.db, err = Open("", &Options{Clock: w.clock}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.db.Close() })
	_, err = w.db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: new("Until"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: new("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: new("id"), KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// there reports whether the item is there.
func (w *untilWorld) there(t *testing.T) bool {
	t.Helper()
	out, err := w.db.API().GetItem(context.Background(), &dynamodb.GetItemInput{TableName: new("Until"), Key: untilKey, ConsistentRead: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Item != nil
}

var untilKey = map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: "1"}}

func isLate(err error) bool {
	coded, ok := errors.AsType[smithy.APIError](err)
	return ok && coded.ErrorCode() == "LateRequestException"
}

// untilWrites holds a write of each kind that commits in its own way.
var untilWrites = map[string]func(context.Context, *DB) error{
	"PutItem": func(ctx context.Context, db *DB) error {
		_, err := db.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: new("Until"), Item: untilKey})
		return err
	},
	"PutItem of the client": func(ctx context.Context, db *DB) error {
		_, err := db.Client().PutItem(ctx, &dynamodb.PutItemInput{TableName: new("Until"), Item: untilKey})
		return err
	},
	"UpdateItem": func(ctx context.Context, db *DB) error {
		_, err := db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: new("Until"), Key: untilKey})
		return err
	},
	"BatchWriteItem": func(ctx context.Context, db *DB) error {
		_, err := db.API().BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"Until": {{PutRequest: &types.PutRequest{Item: untilKey}}}}})
		return err
	},
	"TransactWriteItems": func(ctx context.Context, db *DB) error {
		_, err := db.API().TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: new("Until"), Item: untilKey}}}})
		return err
	},
	"TransactWriteItems with a token": func(ctx context.Context, db *DB) error {
		_, err := db.Client().TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: new("Until"), Item: untilKey}}}})
		return err
	},
	"ExecuteStatement": func(ctx context.Context, db *DB) error {
		_, err := db.API().ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: new(`INSERT INTO "Until" VALUE {'id': '1'}`)})
		return err
	},
}

func TestALateWriteChangesNothing(t *testing.T) {
	for name, write := range untilWrites {
		t.Run(name, func(t *testing.T) {
			w := newUntilWorld(t)
			if err := write(WithUntil(t.Context(), newYear), w.db); !isLate(err) || w.there(t) {
				t.Errorf("on arrival: %v, there %v", err, w.there(t))
			}
			w.clock.pauseAfter(1) // between the two comparisons
			if err := write(WithUntil(t.Context(), newYear.Add(time.Minute)), w.db); !isLate(err) || w.there(t) {
				t.Errorf("between arrival and commit: %v, there %v", err, w.there(t))
			}
			if err := write(WithUntil(t.Context(), newYear.Add(2*time.Hour)), w.db); err != nil || !w.there(t) {
				t.Errorf("in time: %v", err)
			}
		})
	}
}

func TestALateReadIsRefused(t *testing.T) {
	w := newUntilWorld(t)
	late := WithUntil(t.Context(), newYear)
	if _, err := w.db.API().GetItem(late, &dynamodb.GetItemInput{TableName: new("Until"), Key: untilKey}); !isLate(err) {
		t.Errorf("GetItem: %v", err)
	}
	if _, err := w.db.API().Scan(late, &dynamodb.ScanInput{TableName: new("Until")}); !isLate(err) {
		t.Errorf("Scan: %v", err)
	}
}

func TestTheHeaderLimitsARequest(t *testing.T) {
	for name, test := range map[string]struct {
		until  string
		pause  int
		status int
		body   string
	}{
		"none":             {"", -1, 200, "{}"},
		"in time":          {strconv.FormatInt(newYear.UnixMilli()+1, 10), -1, 200, "{}"},
		"late":             {strconv.FormatInt(newYear.UnixMilli(), 10), -1, 400, "LateRequestException"},
		"late at commit":   {strconv.FormatInt(newYear.UnixMilli()+1, 10), 1, 400, "LateRequestException"},
		"not milliseconds": {"tomorrow", -1, 400, "ValidationException"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newUntilWorld(t)
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"TableName":"Until","Item":{"id":{"S":"1"}}}`))
			r.Header.Set("Content-Type", "application/x-amz-json-1.0")
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810.PutItem")
			if test.until != "" {
				r.Header.Set("X-Sortkey-Until", test.until)
			}
			w.clock.pauseAfter(test.pause)
			answer := httptest.NewRecorder()
			w.db.ServeHTTP(answer, r)
			if answer.Code != test.status || !strings.Contains(answer.Body.String(), test.body) {
				t.Errorf("%d %s, want %d %s", answer.Code, answer.Body, test.status, test.body)
			}
			if there := w.there(t); there != (test.status == 200) {
				t.Errorf("there: %v", there)
			}
		})
	}
}
