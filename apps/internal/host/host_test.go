package host_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/accounts"
	"sortkey.dev/apps/internal/apptest"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/host"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/mail"
	"sortkey.dev/apps/internal/metrics"
	"sortkey.dev/apps/internal/notify"
	"sortkey.dev/apps/internal/operator"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webhook"
	"sortkey.dev/apps/internal/webkit"
	"sortkey.dev/apps/internal/webtest"
)

// A disk is a database that can refuse writes.
type disk struct {
	apps.DynamoDB
	full *atomic.Bool
}

func (d disk) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if d.full.Load() {
		return nil, errors.New("the disk is full")
	}
	return d.DynamoDB.PutItem(ctx, in, options...)
}

// A world is a database on which processes of a small system are opened.
type world struct {
	database apptest.Database
	full     atomic.Bool
	settings map[string]string
	ran      chan string // jobs that were run, with the process
	looped   chan string
}

func open(t *testing.T) *world {
	return &world{database: apptest.Open(t, nil), settings: map[string]string{}, ran: make(chan string, 100), looped: make(chan string, 100)}
}

// A process is a process of the small system.
type process struct {
	*host.Host
	*host.System
	url string
}

func (w *world) config() apps.Config {
	return apps.Config{
		DynamoDB: disk{w.database.DynamoDB, &w.full}, Streams: w.database.Streams, TablePrefix: w.database.Prefix,
		Secret: []byte("a secret of tests"), PublicURL: "http://small.example.org", Setting: setting(w.settings),
	}
}

func options() host.Options {
	return host.Options{
		System: "small", Title: "Small", Prefix: "SMALL", Uses: everything, Lanes: []jobs.Lane{{Name: "work", Every: 10 * time.Millisecond}},
		Metrics:  metrics.Options{Counters: []string{"greeted"}},
		Accounts: &accounts.Options{Argon: accounts.Cheap},
		Notify:   &notify.Options{Address: func(context.Context, string) (string, error) { return "", nil }},
		Webhooks: &webhook.Options{},
	}
}

func (w *world) process(t *testing.T, name string) *process {
	t.Helper()
	h, err := host.Open(t.Context(), w.config(), options())
	if err != nil {
		t.Fatal(err)
	}
	// The system's own tables: those of the platform once more, under another name.
	own := platformdb.New(w.config().DynamoDB, append(h.Access(), access.WithTablePrefix(w.database.Prefix+"own-"))...)
	if err := h.Provision(t.Context(), own.Client(), platformdb.Tables(), platformdb.Patterns[:1]); err != nil {
		t.Fatal(err)
	}
	h.Queue.Handle("greet", "work", jobs.Policy{}, func(_ context.Context, job jobs.Job) error { w.ran <- name + " " + job.ID; return nil })
	site, err := h.Site(webkit.Options{
		Nav:   []webkit.Link{{Href: "/", Text: "Start"}},
		Files: fstest.MapFS{"pages/start.html": {Data: []byte(`{{define "main"}}<h1>Hello</h1>{{end}}`)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	system, err := h.System(t.Context(), host.Front{
		Site: site,
		Pages: func(mux *http.ServeMux) {
			site.Handle(mux, map[string]webkit.Handler{
				"GET /{$}": func(rw http.ResponseWriter, r *http.Request) error {
					h.Metrics.Count("greeted", 1)
					if _, err := own.PutHeartbeat(r.Context(), platformdb.Heartbeat{Name: "start", At: h.Platform.Now()}); err != nil {
						return err
					}
					site.Render(rw, r, http.StatusOK, "start.html", nil)
					return nil
				},
				"GET /broken": func(http.ResponseWriter, *http.Request) error { return errors.New("broken") },
			})
		},
		Handlers: map[string]http.Handler{"/api/": http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { fmt.Fprint(rw, "the API") })},
		Loops:    []background.Loop{{Name: "own", Every: time.Hour, Do: func(context.Context) error { w.looped <- name; return nil }}},
		Operator: operator.Options{Tabs: []operator.Tab{{Name: "reports", Title: "Reports", Waiting: func(context.Context) (int64, error) { return 7, nil },
			Pages: map[string]operator.Handler{"GET ": func(http.ResponseWriter, *http.Request, staff.Operator) error { return nil }}}}},
		Settings: []operator.Setting{{Title: "Own setting", On: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Host: h, System: system}
	server := httptest.NewServer(p)
	t.Cleanup(func() { site.Close(); server.Close() })
	p.url = server.URL
	return p
}

// ServeHTTP serves the system.
func (p *process) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.System.ServeHTTP(w, r) }

// run runs the background of processes until the test ends.
func run(t *testing.T, all ...*process) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for _, p := range all {
		group.Go(func() {
			if err := p.Run(ctx); err != nil {
				t.Errorf("run: %v", err)
			}
		})
	}
	stop = sync.OnceFunc(func() { cancel(); group.Wait() })
	t.Cleanup(stop)
	return stop
}

// get reads a page of a process, whatever the response.
func (p *process) get(t *testing.T, path string, header ...string) (int, string) {
	t.Helper()
	return look(webtest.NewVisitor(t, p.url), path, header...)
}

func look(v *webtest.Visitor, path string, header ...string) (int, string) {
	v.T.Helper()
	sent := http.Header{}
	if len(header) == 2 {
		sent.Set(header[0], header[1])
	}
	v.Do(http.MethodGet, path, "", nil, sent)
	return v.Code, v.Page
}

// operatorOf returns a visitor who is signed in as the first operator.
func operatorOf(t *testing.T, p *process, secret string) *webtest.Visitor {
	t.Helper()
	v := webtest.NewVisitor(t, p.url)
	v.Open("/operator/sign-in")
	v.Send(http.StatusOK, "/operator/sign-in", "name", staff.First, "secret", secret)
	if v.Path != "/operator" {
		t.Fatalf("the sign-in leads to %s", v.Path)
	}
	return v
}

func TestOpeningTwice(t *testing.T) {
	w := open(t)
	first, second := w.process(t, "a"), w.process(t, "b")
	pages := first.Pages()
	if len(pages) != 1 || pages[0] != second.Pages()[0] || pages[0].Name != "operator" || pages[0].Password == "" {
		t.Fatalf("the operators' page: %+v", pages)
	}
	client := operatorOf(t, first, pages[0].Password)
	_, page := look(client, "/operator/settings")
	for _, words := range []string{"Own setting", "SMALL_SMTP", "No mail is sent.", "System"} {
		if !strings.Contains(page, words) {
			t.Errorf("the settings do not say %q", words)
		}
	}
	w.settings["OPERATOR_SECRET"] = "chosen by the owner"
	chosen := w.process(t, "c")
	if text := chosen.Pages()[0].Text(); strings.Contains(text, "chosen by the owner") || strings.Contains(text, "sign in") {
		t.Errorf("the chosen secret is shown: %s", text)
	}
	operatorOf(t, chosen, "chosen by the owner")
}

func TestEveryDoorIsOpen(t *testing.T) {
	w := open(t)
	p := w.process(t, "a")
	for path, want := range map[string]string{"/": "<h1>Hello</h1>", "/api/x": "the API", "/health": `"status":"ok"`, "/operator": "Operators sign in"} {
		if status, body := p.get(t, path); status != http.StatusOK || !strings.Contains(strings.ReplaceAll(body, ": ", ":"), want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, _ := p.get(t, "/broken"); status != http.StatusInternalServerError {
		t.Errorf("a failure: %d", status)
	}
	if err := p.Host.Metrics.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status, _ := p.get(t, "/metrics"); status != http.StatusUnauthorized {
		t.Errorf("metrics without a token: %d", status)
	}
	status, body := p.get(t, "/metrics", "Authorization", "Bearer "+p.Staff.Token())
	for _, line := range []string{
		`small_events_24h{event="greeted"} 1`, `small_events_24h{event="failures"} 1`, `small_database_up 1`, `small_jobs_due{lane="work"} 0`,
		`small_operators_waiting{tab="reports"} 7`, `small_http_requests_total{route="/",method="GET",code="500"} 1`, `small_pattern_calls_total{pattern="PutHeartbeat"}`,
	} {
		if status != http.StatusOK || !strings.Contains(body, line) {
			t.Errorf("metrics %d without %s:\n%s", status, line, body)
		}
	}
}

func TestHealthSaysThatTheDatabaseTakesNoWrites(t *testing.T) {
	w := open(t)
	p := w.process(t, "a")
	w.full.Store(true)
	if status, body := p.get(t, "/health"); status != http.StatusServiceUnavailable || !strings.Contains(body, "unavailable") {
		t.Errorf("health: %d %s", status, body)
	}
}

// TestTwoProcesses: a job runs in one of them, a notification reaches the open pages of both, and
// an operator of one is known to the other.
func TestTwoProcesses(t *testing.T) {
	w := open(t)
	a, b := w.process(t, "a"), w.process(t, "b")
	listeners := map[string]*live.Listener{"a": a.Hub.Listen(notify.Topic("ann")), "b": b.Hub.Listen(notify.Topic("ann"))}
	stop := run(t, a, b)
	for range 2 {
		<-w.looped
	}
	for name, l := range listeners { // the first hint says that the stream is followed
		<-l.C()
		l.Changed()
		t.Logf("process %s listens", name)
	}
	if _, err := a.Notifier.TellNow(t.Context(), notify.Notification{Recipient: "ann", Kind: "hello", Event: "1", At: time.Now(), Title: "Hello", Link: "/"}); err != nil {
		t.Fatal(err)
	}
	<-listeners["b"].C()
	<-listeners["a"].C()
	for i := range 20 {
		if _, err := a.Queue.Add(t.Context(), jobs.Job{ID: fmt.Sprint(i), Kind: "greet"}); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for range 20 {
		ran := <-w.ran
		if _, id, _ := strings.Cut(ran, " "); seen[id] {
			t.Errorf("job %s ran twice", id)
		} else {
			seen[id] = true
		}
	}
	client := operatorOf(t, a, a.Pages()[0].Password)
	client.Client.Jar.SetCookies(mustParse(t, b.url), client.Client.Jar.Cookies(mustParse(t, a.url)))
	client.Base = b.url
	client.Open("/operator")
	client.Says("Signed in as")
	stop()
	if len(a.Loops()) < 5 || !a.Kick("own") || a.Kick("none") {
		t.Errorf("loops: %+v", a.Loops())
	}
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestMailIsKeptWithoutAServerAndQueuedWithOne: mail of a server that is away waits as a job.
func TestMailIsKeptWithoutAServerAndQueuedWithOne(t *testing.T) {
	w := open(t)
	p := w.process(t, "a")
	message := mail.Message{To: "ann@example.org", Subject: "Hello", Text: "Hello Ann"}
	for i, want := range []platformdb.MailState{platformdb.MailStateKept, platformdb.MailStateQueued} {
		if i == 1 {
			w.settings["SMTP"] = "smtp://127.0.0.1:1?tls=off&from=small@example.org"
			p = w.process(t, "b")
		}
		if err := p.Mail.Post(t.Context(), message); err != nil {
			t.Fatal(err)
		}
		rows, err := p.Mail.Recent(t.Context(), 2, 1)
		if err != nil || len(rows) != 1 || rows[0].State != want {
			t.Errorf("the mail: %+v, %v", rows, err)
		}
		page, err := p.Queue.Waiting(t.Context(), "mail", 0, "")
		if err != nil || len(page.Items) != i {
			t.Errorf("jobs: %+v, %v", page.Items, err)
		}
	}
}

// TestFilesAreKeptWithTheData opens a system twice on a directory: a file of the first run is there in
// the second.
func TestFilesAreKeptWithTheData(t *testing.T) {
	w := open(t)
	config := w.config()
	config.FilesDir = filepath.Join(t.TempDir(), "data", "small-files")
	ctx, stop := context.WithCancel(t.Context())
	first, err := host.Open(ctx, config, options())
	if err == nil {
		_, err = first.Files.Put(t.Context(), "images/a", "text/plain", strings.NewReader("a picture"), 9)
	}
	if err != nil {
		t.Fatal(err)
	}
	stop()
	second, err := host.Open(t.Context(), config, options())
	if err != nil {
		t.Fatal(err)
	}
	kept, err := second.Files.Get(t.Context(), "images/a")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = kept.Close() }()
	if text, err := io.ReadAll(kept); err != nil || string(text) != "a picture" {
		t.Errorf("after a restart the file is %q: %v", text, err)
	}
}

func TestSystemsThatCannotBeOpened(t *testing.T) {
	w := open(t)
	for name, change := range map[string]func(*host.Options){
		"no name":               func(o *host.Options) { o.System = "" },
		"no title":              func(o *host.Options) { o.Title = "" },
		"no prefix":             func(o *host.Options) { o.Prefix = "" },
		"accounts without mail": func(o *host.Options) { o.Uses.Mail = false },
		"a lane twice":          func(o *host.Options) { o.Lanes = []jobs.Lane{{Name: "mail"}} },
		"a counter twice":       func(o *host.Options) { o.Metrics.Counters = []string{host.CountRequests} },
	} {
		o := options()
		change(&o)
		if _, err := host.Open(t.Context(), w.config(), o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	w.settings["FILES"] = "ftp://files"
	if _, err := host.Open(t.Context(), w.config(), options()); err == nil || !strings.HasPrefix(err.Error(), "SMALL_FILES ") {
		t.Errorf("a store that is not known: %v", err)
	}
	delete(w.settings, "FILES")
	h, err := host.Open(t.Context(), w.config(), host.Options{System: "tiny", Title: "Tiny", Prefix: "TINY"})
	if err != nil || h.Mail != nil || h.Files != nil || h.Notifier != nil {
		t.Fatalf("the smallest system: %+v, %v", h, err)
	}
	if _, err := h.System(t.Context(), host.Front{}); err == nil {
		t.Error("a front without a site: no error")
	}
}
