package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sortkey.dev/internal/namespaces"
)

// fakeDatabase serves requests with a function and records that it was closed.
type fakeDatabase struct {
	http.HandlerFunc
	closed   bool
	closeErr error
	failed   chan struct{}
}

func (d *fakeDatabase) Failed() <-chan struct{} { return d.failed }
func (d *fakeDatabase) Warnings() []string      { return nil }

func (d *fakeDatabase) Close() error {
	d.closed = true
	return d.closeErr
}

// A run is one serve in the background of a test.
type run struct {
	url    string
	stop   context.CancelFunc
	ended  chan error // serve's result
	stderr *bytes.Buffer
}

// begin starts serve on a free port with --json and waits for its first line.
func begin(t *testing.T, db *fakeDatabase, grace time.Duration) *run {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	stdout, w := io.Pipe()
	r := &run{stop: stop, ended: make(chan error, 1), stderr: new(bytes.Buffer)}
	cfg := serveConfig{addr: "127.0.0.1:0", asJSON: true, grace: grace, logLevel: choice{value: "warn"}}
	go func() {
		r.ended <- serve(ctx, streams{out: w, err: r.stderr}, cfg,
			func(serveConfig, *slog.Logger) (database, error) { return db, nil })
		w.Close()
	}()
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err != nil {
		t.Fatalf("no line on stdout: %v", err)
	}
	var event struct{ Event, Addr, URL string }
	if err := json.Unmarshal(line, &event); err != nil || event.Event != "listening" || strings.HasSuffix(event.Addr, ":0") {
		t.Fatalf("stdout says %s (%v), want a listening event with the real port", line, err)
	}
	r.url = event.URL
	return r
}

// post sends a request and returns the body of the response or the text of the error.
func (r *run) post() string {
	answer, err := http.Post(r.url, "", nil)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// TestServeDisconnectsSlowClients has a client announce a body and stop halfway. The
// server must close that connection and serve others meanwhile.
func TestServeDisconnectsSlowClients(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg := serveConfig{asJSON: true, readTimeout: 500 * time.Millisecond, grace: time.Hour}
	db, err := openEngine(cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- answer(ctx, streams{out: io.Discard}, cfg, listener, db, slog.New(slog.DiscardHandler))
	}()
	slow, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	io.WriteString(slow, "POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"+
		"Content-Type: application/x-amz-json-1.0\r\nContent-Length: 100\r\n\r\n{")
	other, err := http.Get("http://" + listener.Addr().String())
	if err != nil || other.StatusCode != http.StatusOK {
		t.Errorf("another client got %v, %v", other, err)
	}
	if _, err := io.ReadAll(slow); err != nil { // ends when the server closes the connection
		t.Errorf("the slow client's connection broke: %v", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestServeFinishesRequestsInFlight(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	db := &fakeDatabase{HandlerFunc: func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-release
		io.WriteString(w, "done")
	}}
	r := begin(t, db, time.Hour)
	body := make(chan string, 1)
	go func() { body <- r.post() }()
	<-entered
	r.stop()
	for { // until the server has stopped listening
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			break
		}
		conn.Close()
	}
	close(release)
	if got := <-body; got != "done" {
		t.Errorf("the request in flight got %q, want done", got)
	}
	if err := <-r.ended; err != nil {
		t.Errorf("serve: %v", err)
	}
	if !db.closed {
		t.Error("the database was not closed")
	}
}

func TestServeCutsOffRequestsAfterTheGracePeriod(t *testing.T) {
	entered := make(chan struct{})
	db := &fakeDatabase{HandlerFunc: func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
	}}
	r := begin(t, db, time.Nanosecond)
	body := make(chan string, 1)
	go func() { body <- r.post() }()
	<-entered
	r.stop()
	if err := <-r.ended; err != nil {
		t.Errorf("serve: %v", err)
	}
	if got := <-body; !strings.Contains(got, "EOF") {
		t.Errorf("the request got %q, want a cut connection", got)
	}
	if !db.closed || !strings.Contains(r.stderr.String(), "requests cut off at shutdown") {
		t.Errorf("closed %v, log %q", db.closed, r.stderr)
	}
}

func TestServeReportsADatabaseThatDoesNotClose(t *testing.T) {
	full := errors.New("no space left on device")
	r := begin(t, &fakeDatabase{closeErr: full}, time.Hour)
	r.stop()
	if err := <-r.ended; !errors.Is(err, full) {
		t.Errorf("serve: %v, want %v", err, full)
	}
}

// A failed database only rejects writes; a restart may help.
func TestServeEndsWhenTheDiskHasFailed(t *testing.T) {
	full := errors.New("no space left on device")
	db := &fakeDatabase{closeErr: full, failed: make(chan struct{})}
	r := begin(t, db, time.Hour)
	close(db.failed)
	err := <-r.ended
	var says bytes.Buffer
	printError(&says, err)
	if !errors.Is(err, full) || !strings.Contains(says.String(), "start it again") {
		t.Errorf("serve: %s", &says)
	}
}

func TestServeReleasesTheAddressWhenOpenFails(t *testing.T) {
	broken := errors.New("corrupt")
	cfg := serveConfig{addr: "127.0.0.1:0", logLevel: choice{value: "warn"}}
	err := serve(t.Context(), streams{out: io.Discard, err: io.Discard}, cfg,
		func(cfg serveConfig, _ *slog.Logger) (database, error) { return nil, broken })
	if !errors.Is(err, broken) {
		t.Errorf("serve: %v, want %v", err, broken)
	}
}

func TestBannerWarnsOfAnOpenAddress(t *testing.T) {
	open := &net.TCPAddr{IP: net.IPv4zero, Port: 8000}
	var out bytes.Buffer
	if err := announce(&out, serveConfig{data: "d"}, open); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"http://127.0.0.1:8000", "other machines can reach 0.0.0.0:8000", "not authenticated"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("banner lacks %q:\n%s", want, &out)
		}
	}
}

func TestPipesGetNoColour(t *testing.T) {
	if got := painter(new(bytes.Buffer))(bold, "plain"); got != "plain" {
		t.Errorf("a buffer got %q", got)
	}
}

// TestTheGuideNamesEveryFlag checks that the table of flags in the guide is complete.
func TestTheGuideNamesEveryFlag(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/serve.md")
	if err != nil {
		t.Fatal(err)
	}
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	serveCommand().setup(flags)
	flags.VisitAll(func(f *flag.Flag) {
		if !strings.Contains(string(guide), "| `--"+f.Name) {
			t.Errorf("docs/guide/serve.md has no line for --%s", f.Name)
		}
	})
}

// Each namespace has directories of its own.
func TestDirectoriesOfNamespaces(t *testing.T) {
	name := namespaces.Name{AccessKey: "key", Region: "eu-west-1"}
	cfg := serveConfig{data: "data", kinesisDir: "kinesis", region: "us-east-1"}.of(name)
	if cfg.data != filepath.Join("data", name.Dir()) || cfg.kinesisDir != filepath.Join("kinesis", name.Dir()) || cfg.region != "eu-west-1" {
		t.Errorf("got %s, %s, %s", cfg.data, cfg.kinesisDir, cfg.region)
	}
	if cfg := (serveConfig{}).of(name); cfg.data != "" || cfg.kinesisDir != "" {
		t.Errorf("in memory: %s, %s", cfg.data, cfg.kinesisDir)
	}
}

// The folder of --kinesis-dir must be one to write in; the trial leaves nothing behind.
func TestKinesisDirIsTried(t *testing.T) {
	dir := t.TempDir()
	cfg := serveConfig{kinesisDir: filepath.Join(dir, "records")}
	if err := cfg.checkFolders(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(cfg.kinesisDir); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	if os.Getuid() <= 0 {
		return // root may write anywhere
	}
	if err := os.Chmod(cfg.kinesisDir, 0o555); err != nil {
		t.Fatal(err)
	}
	below := serveConfig{kinesisDir: filepath.Join(cfg.kinesisDir, "below")}
	for _, cfg := range []serveConfig{cfg, below} {
		var printed bytes.Buffer
		printError(&printed, cfg.checkFolders())
		if !strings.Contains(printed.String(), "must be able to write "+filepath.Join(dir, "records")+", or choose another place for --kinesis-dir.") {
			t.Error(&printed)
		}
	}
}
