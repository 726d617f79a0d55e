package operator_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/jsonapi"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

const firstSecret = "the first secret"

// system holds the page of a small system's own tab.
var system = fstest.MapFS{"pages/reports.html": {Data: []byte(`{{define "title"}}Reports{{end}}{{define "head"}}{{template "operator-head" .}}{{end}}
{{define "main"}}{{template "operator-bar" .}}<p>Reports to decide: {{.Data.Count}}</p>
<form method="post" action="/operator/reports/7">{{.CSRF}}<input type="hidden" name="back" value="/operator/reports">{{ui "button" "Text" "Decide"}}</form>{{end}}`)}}

type reportsView struct {
	operator.Bar
	Count int64
}

// A world is a small system with operators.
type world struct {
	*platformtest.World
	staff   *staff.Staff
	trail   *audit.Trail
	queue   *jobs.Queue
	metrics *metrics.Metrics
	traffic *jsonapi.Traffic
	meter   *access.Meter
	loops   []background.State
	kicked  chan string
	reports atomic.Int64
	broken  atomic.Bool // reports cannot be counted

	refuseWrites atomic.Bool // of single items

	frame *operator.Frame
	url   string
}

func open(t *testing.T, change ...func(*operator.Options)) *world {
	t.Helper()
	w := &world{meter: new(access.Meter), traffic: new(jsonapi.Traffic), kicked: make(chan string, 10)}
	w.World = platformtest.Open(t)
	database := w.Database
	database.DynamoDB = disk{database.DynamoDB, &w.refuseWrites}
	w.Platform = platformtest.On(t, database, w.Box, w.Clock, access.WithObserver(w.meter))
	w.trail = audit.New(w.Platform, audit.Options{})
	var err error
	if w.staff, err = staff.New(w.Platform, staff.Options{FirstSecret: firstSecret, Trail: w.trail}); err != nil {
		t.Fatal(err)
	}
	w.queue, err = jobs.New(w.Platform, jobs.Options{Lanes: []jobs.Lane{{Name: "work"}, {Name: "post"}}, Trail: w.trail})
	if err != nil {
		t.Fatal(err)
	}
	once := jobs.Policy{Tries: 1}
	for kind, lane := range map[string]string{"send": "post", "count": "work"} {
		w.queue.Handle(kind, lane, once, func(context.Context, jobs.Job) error { return errors.New("no such host: example.invalid") })
	}
	if w.metrics, err = metrics.New(w.Platform, metrics.Options{Counters: []string{"asked", "answered", "failed"}}); err != nil {
		t.Fatal(err)
	}
	w.serve(t, change)
	return w
}

func (w *world) serve(t *testing.T, change []func(*operator.Options)) {
	t.Helper()
	mux := http.NewServeMux()
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { handler.ServeHTTP(rw, r) }))
	site, err := webkit.New(webkit.Options{
		Name: "Small", Accent: webkit.Teal, PublicURL: server.URL, Box: w.Box, Now: w.Clock.Now, Files: system, More: []webkit.Pages{operator.Templates},
		NavFor: func(r *http.Request) []webkit.Link {
			links, _ := w.frame.Nav(r)
			return links
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { site.Close(); server.Close() })
	w.url = server.URL
	options := operator.Options{
		Site: site, Platform: w.Platform, Staff: w.staff, Trail: w.trail, Queue: w.queue, Metrics: w.metrics, Traffic: w.traffic,
		Meter: w.meter, Patterns: platformdb.Patterns, Loops: func() []background.State { return w.loops },
		Kick:     func(name string) bool { w.kicked <- name; return name == "sweeper" },
		Tabs:     []operator.Tab{w.reportsTab(site)},
		Overview: smallOverview(), Kinds: map[string]string{"send": "Send a mail"},
		Subjects: func(job jobs.Job) []operator.Target {
			if job.Kind != "send" {
				return nil
			}
			return []operator.Target{{Text: "person 7", Href: "/operator/reports"}, {Text: "address of " + job.ID}}
		},
		Settings: []operator.Setting{
			{Title: "Mail", On: true, Text: "Mail is sent.", Value: "mail.example.org", Name: "SMALL_SMTP"},
			{Title: "Web push", Text: "People have an inbox on the page.", Name: "SMALL_VAPID"}, {Title: "Proxies"},
		},
	}
	for _, f := range change {
		f(&options)
	}
	if w.frame, err = operator.New(options); err != nil {
		t.Fatal(err)
	}
	w.frame.Register(mux)
	handler = w.traffic.Watch("/", site.Handler(mux))
}

func (w *world) reportsTab(site *webkit.Site) operator.Tab {
	return operator.Tab{
		Name: "reports", Title: "Reports", Note: "to decide",
		Waiting: func(context.Context) (int64, error) {
			if w.broken.Load() {
				return 0, errors.New("the index is away")
			}
			return w.reports.Load(), nil
		},
		Pages: map[string]operator.Handler{
			"GET ": func(rw http.ResponseWriter, r *http.Request, by staff.Operator) error {
				site.Render(rw, r, http.StatusOK, "reports.html", reportsView{Bar: operator.NewBar(by, "Reports"), Count: w.reports.Load()})
				return nil
			},
			"GET /{id}": func(http.ResponseWriter, *http.Request, staff.Operator) error {
				return refusal.New(refusal.NotFound, "", "There is no such report.")
			},
			"POST /{id}": func(rw http.ResponseWriter, r *http.Request, by staff.Operator) error {
				if w.reports.Add(-1) < 0 {
					return refusal.New(refusal.Conflict, "", "It was decided already.")
				}
				site.Flash(rw, r, webkit.Good, by.Name+" decided report "+r.PathValue("id"))
				site.Redirect(rw, r, operator.Back(r))
				return nil
			},
		},
	}
}

func smallOverview() operator.Overview {
	return operator.Overview{
		Figures: func(r metrics.Report) []webkit.Stat {
			return []webkit.Stat{{Label: "Answer rate", Value: webkit.Percent(float64(r.Totals["answered"]) / float64(max(r.Totals["asked"], 1)))}}
		},
		Counters: []operator.Counter{{Name: "asked", Label: "Questions"}, {Name: "answered", Label: "Answers"}},
		Charts: []operator.Chart{
			{Title: "Questions by hour", Desc: "What was asked and answered.", Counters: []operator.Counter{{Name: "asked", Label: "Asked"}, {Name: "answered", Label: "Answered"}}},
			{Title: "Failures by hour", Desc: "What failed.", Counters: []operator.Counter{{Name: "failed", Label: "Failed"}}, Stacked: true},
		},
		Alerts: func(r metrics.Report) []operator.Alert {
			if r.Totals["failed"] < 10 {
				return nil
			}
			return []operator.Alert{{Name: "Failures", Is: webkit.Number(r.Totals["failed"]), Should: "below 10"}}
		},
	}
}

// dead queues jobs that fail.
func (w *world) dead(t *testing.T, all ...jobs.Job) {
	t.Helper()
	for _, job := range all {
		if _, err := w.queue.Add(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.queue.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A browser is a visitor whose requests return the status.
type browser struct{ *webtest.Visitor }

func (w *world) browser(t *testing.T) *browser {
	t.Helper()
	return &browser{webtest.NewVisitor(t, w.url)}
}

// operator returns a browser in which the first operator is signed in.
func (w *world) operator(t *testing.T) *browser {
	t.Helper()
	b := w.browser(t)
	b.Get("/operator")
	if status := b.Submit("/operator/sign-in", "name", staff.First, "secret", firstSecret); status != http.StatusOK || b.Path != "/operator" {
		t.Fatalf("sign in: %d at %s", status, b.Path)
	}
	return b
}

// see loads a page that must exist.
func (b *browser) see(path string, words ...string) {
	b.T.Helper()
	b.Open(path)
	b.Says(words...)
}

const hour = time.Hour

// A disk is a database that can refuse writes.
type disk struct {
	apps.DynamoDB
	full *atomic.Bool
}

var errDisk = errors.New("the disk is full")

func (d disk) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if d.full.Load() {
		return nil, errDisk
	}
	return d.DynamoDB.PutItem(ctx, in, options...)
}
