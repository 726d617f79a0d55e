package webhook_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/publichttp"
	"sortkey.dev/apps/internal/webhook"
)

// A fixture is a system with webhooks and a queue that the test steps.
type fixture struct {
	*platformtest.World
	t     *testing.T
	queue *jobs.Queue
	hooks *webhook.Hooks
}

func open(t *testing.T, options webhook.Options) *fixture {
	t.Helper()
	f := &fixture{World: platformtest.Open(t), t: t}
	var err error
	f.queue, err = jobs.New(f.Platform, jobs.Options{
		Lanes: []jobs.Lane{{Name: "webhooks"}}, Random: func() float64 { return 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	options.Queue = f.queue
	f.hooks, err = webhook.New(f.Platform, options)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// development allows the addresses of receivers in the test.
var development = publichttp.Options{AllowPrivate: true}

// step runs all jobs that are due.
func (f *fixture) step() {
	f.t.Helper()
	if _, err := f.queue.Step(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

// publish commits an event of an owner in a transaction.
func (f *fixture) publish(owner string, e webhook.Event) {
	f.t.Helper()
	tx := f.DB.Tx()
	if err := f.hooks.Publish(tx, owner, e); err != nil {
		f.t.Fatal(err)
	}
	if err := tx.Commit(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
}

// add adds an endpoint and returns its secret.
func (f *fixture) add(owner, url string, events ...string) (webhook.Endpoint, string) {
	f.t.Helper()
	e, secret, err := f.hooks.Add(f.t.Context(), owner, webhook.NewEndpoint{URL: url, Events: events})
	if err != nil {
		f.t.Fatal(err)
	}
	return e, secret
}

func (f *fixture) deliveries(subject string) []webhook.Delivery {
	f.t.Helper()
	all, _, err := f.hooks.Deliveries(f.t.Context(), subject, "")
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

// endpoint returns the only endpoint of an owner.
func (f *fixture) endpoint(owner string) webhook.Endpoint {
	f.t.Helper()
	all, err := f.hooks.Endpoints(f.t.Context(), owner)
	if err != nil || len(all) != 1 {
		f.t.Fatalf("%s has endpoints %+v (%v)", owner, all, err)
	}
	return all[0]
}

// waiting returns the number of jobs that are queued, and dead those that are dead.
func (f *fixture) waiting() (waiting, dead int) {
	f.t.Helper()
	for job, err := range f.DB.ScanJob().All(f.t.Context()) {
		switch {
		case err != nil:
			f.t.Fatal(err)
		case job.Status == jobs.Dead:
			dead++
		default:
			waiting++
		}
	}
	return waiting, dead
}

// A receiver is the HTTP server of a program that gets webhooks. It answers with the given
// handler.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []received
}

type received struct {
	header http.Header
	body   []byte
}

func receive(t *testing.T, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || request.Method != http.MethodPost || request.Header.Get("Content-Type") != "application/json" || !json.Valid(body) {
			t.Errorf("got %s %s: %q (%v)", request.Method, request.Header.Get("Content-Type"), body, err)
		}
		r.mu.Lock()
		r.got = append(r.got, received{request.Header.Clone(), body})
		r.mu.Unlock()
		answer(w, request)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) messages() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got...)
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}
