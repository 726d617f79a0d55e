package evolve_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/internal/evolve"
)

// serve serves a store over HTTP, and returns a client for it.
func serve(t *testing.T) *dynamodb.Client {
	t.Helper()
	server := httptest.NewServer(open(t, ""))
	t.Cleanup(server.Close)
	return dynamodb.New(dynamodb.Options{
		Region: "eu-central-1", BaseEndpoint: aws.String(server.URL), Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
}

// quickly is the timing of an endpoint whose leases are short.
func quickly(context.Context, string, access.StateRow) (settle, lease time.Duration, err error) {
	return time.Millisecond, 20 * time.Millisecond, nil
}

// shorten makes the lease of data short, as a migration that began would.
func shorten(t *testing.T, api access.API, client *access.Client) {
	t.Helper()
	epochs := migrate.Epochs{API: api, Design: client.Design(), TableName: client.Table}
	s, err := epochs.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Lease, s.Longest = 20*time.Millisecond, 20*time.Millisecond
	if _, err := api.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("p-notes"), Item: s.Item(client.Design().State.Key())}); err != nil {
		t.Fatal(err)
	}
}

// TestAnEndpointIsAskedFirst: another process of the older version may use the data.
func TestAnEndpointIsAskedFirst(t *testing.T) {
	versions, api := histories(t, notes1, notes2), serve(t)
	o := evolve.Options{API: api, Timing: quickly}
	_, old, err := keep(t, versions[0], o, 1)
	if err != nil {
		t.Fatal(err)
	}
	shorten(t, api, old)
	write(t, api, 20)

	// A program that knows the new version only cannot serve meanwhile.
	_, _, err = keep(t, versions[1], o)
	if waits, ok := errors.AsType[*evolve.WaitsError](err); !ok || waits.Migration != "0002-next" || waits.Version != 1 {
		t.Fatalf("it does not wait: %v", err)
	}
	if _, err := old.Begin(t.Context()); err != nil {
		t.Errorf("the older process: %v", err)
	}
	o.Resume = true
	if _, _, err = keep(t, versions[1], o); err != nil {
		t.Fatal(err)
	}
	are(t, api, 2, 20)
	time.Sleep(20 * time.Millisecond) // its lease
	_, err = old.Begin(t.Context())
	if fenced, ok := errors.AsType[*access.FencedError](err); !ok || fenced.Overtaken || !strings.Contains(fenced.Reason, "deploy newer code") {
		t.Errorf("the older process afterwards: %v", err)
	}
}

// TestTwoVersionsSideBySide: a program that holds both versions serves at once, and goes on with the migration when an
// operator lets it.
func TestTwoVersionsSideBySide(t *testing.T) {
	versions, api := histories(t, notes1, notes2), serve(t)
	o := evolve.Options{API: api, Timing: quickly}
	_, old, err := keep(t, versions[0], o, 1)
	if err != nil {
		t.Fatal(err)
	}
	shorten(t, api, old)
	write(t, api, 20)
	data, next, err := keep(t, versions[1], o, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*access.Client{old, next} {
		if begun, err := c.Begin(t.Context()); err != nil || c == next && begun.Phase() != access.PhaseBefore {
			t.Errorf("%v", err)
		}
	}
	for range 2 {
		if err := data.Continue(t.Context()); err != nil {
			t.Fatal(err)
		}
		stand := standOf(t, data)
		if stand.Waits == "" || stand.Version != 1 || stand.Program != 2 || stand.Migration != "0002-next" || stand.Under {
			t.Errorf("it does not wait: %+v", stand)
		}
	}
	are(t, api, 1, 20)

	// The operator confirms with sortkey migrate resume that the older program runs nowhere.
	epochs := &migrate.Epochs{API: api, Design: next.Design(), TableName: next.Table, Control: "p-" + evolve.Control}
	if err := migrate.Resume(t.Context(), epochs, &migrate.Migration{ID: "0002-next", Design: "Notes"}, "deploy"); err != nil {
		t.Fatal(err)
	}
	if err := data.Continue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stand := standOf(t, data); stand.Version != 2 || stand.Waits != "" || stand.Migration != "" {
		t.Errorf("at the end: %+v", stand)
	}
	are(t, api, 2, 20)
	time.Sleep(20 * time.Millisecond) // their leases
	if begun, err := next.Begin(t.Context()); err != nil || begun.Phase() != access.PhaseAfter {
		t.Errorf("the new process: %v", err)
	}
	if _, err := old.Begin(t.Context()); err == nil {
		t.Error("the older process goes on")
	}
}
