package api_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/api"
)

// busyDB fails every write of one item in the same way, as the counters of rate limits need it.
type busyDB struct {
	apps.DynamoDB
	err error
}

func (b busyDB) UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return nil, b.err
}

func (b busyDB) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return nil, b.err
}

// spent returns an error of a client that has tried often enough.
func spent(err error) error { return &retry.MaxAttemptsError{Attempt: 3, Err: err} }

// TestTemporaryFailuresAreReportedAsUnavailable: who asks a database that is away or overloaded
// is told to come back, and when, so that callers do not retry without end.
func TestTemporaryFailuresAreReportedAsUnavailable(t *testing.T) {
	s := open(t)
	for name, test := range map[string]struct {
		err    error
		status int
	}{
		"throttled": {spent(&types.ThrottlingException{}), http.StatusServiceUnavailable},
		"too much":  {spent(&types.ProvisionedThroughputExceededException{}), http.StatusServiceUnavailable},
		"away":      {fmt.Errorf("send: %w", &net.OpError{Op: "dial", Err: errors.New("connection refused by the vault")}), http.StatusServiceUnavailable},
		"a fault":   {errors.New("disk on fire"), http.StatusInternalServerError},
	} {
		t.Run(name, func(t *testing.T) {
			busy := serveOn(t, s.World, s.Through(t, busyDB{s.Database.DynamoDB, test.err}).Domain, func(*api.Options) {})
			a := busy.must(t, test.status, call{method: "GET", path: "/human/questions", ip: freshIP()})
			if again := a.header.Get("Retry-After"); (again != "") != (test.status == http.StatusServiceUnavailable) {
				t.Errorf("Retry-After is %q", again)
			}
			if a.str("error", "details", "request_id") == "" || strings.Contains(a.text, "vault") {
				t.Errorf("it says %s", a.text)
			}
			if log := busy.log.String(); strings.Count(log, "level=ERROR") != 1 {
				t.Errorf("the log is %s", log)
			}
		})
	}
}

// storelessDB fails every transaction in the same way.
type storelessDB struct {
	apps.DynamoDB
	err error
}

func (b storelessDB) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return nil, b.err
}

// TestAQuestionOfABatchFailsAsItWouldAlone: also if that passes.
func TestAQuestionOfABatchFailsAsItWouldAlone(t *testing.T) {
	s := open(t)
	question := fields{"prompt": "Which of these sounds friendlier?", "type": "text"}
	for name, test := range map[string]struct {
		err    error
		status int
	}{
		"throttled": {spent(&types.ThrottlingException{}), http.StatusServiceUnavailable},
		"a fault":   {errors.New("disk on fire"), http.StatusInternalServerError},
	} {
		t.Run(name, func(t *testing.T) {
			broken := serveOn(t, s.World, s.Through(t, storelessDB{s.Database.DynamoDB, test.err}).Domain, func(*api.Options) {})
			alone := broken.must(t, test.status, call{method: "POST", path: "/agent/questions", agent: "bot", body: question})
			batch := broken.must(t, http.StatusOK, call{method: "POST", path: "/agent/questions:batch", agent: "bot", body: fields{"questions": []any{question}}})
			if batch.num("results", 0, "status") != test.status || batch.str("results", 0, "error", "code") != alone.str("error", "code") {
				t.Errorf("alone it is %s, in a batch %s", alone.text, batch.text)
			}
		})
	}
}

// awayDB answers no reads.
type awayDB struct{ apps.DynamoDB }

var errAway = &net.OpError{Op: "dial", Err: errors.New("connection refused")}

func (awayDB) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return nil, errAway
}

func (awayDB) Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return nil, errAway
}

// TestProcessMetricsAreServedWithoutTheDatabase: they matter most then.
func TestProcessMetricsAreServedWithoutTheDatabase(t *testing.T) {
	s := open(t)
	world := s.Through(t, awayDB{s.Database.DynamoDB})
	away := serveOn(t, s.World, world.Domain, func(o *api.Options) { o.Staff = staffOf(t, world) })
	away.must(t, http.StatusServiceUnavailable, call{method: "GET", path: "/agent/questions", agent: "bot"})
	text := away.must(t, http.StatusOK, call{method: "GET", path: "/metrics", key: operatorSecret}).text
	for _, line := range []string{"askahuman_database_up 0", `askahuman_http_requests_total{route="/agent/questions",method="GET",code="503"} 1`} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, text)
		}
	}
}
