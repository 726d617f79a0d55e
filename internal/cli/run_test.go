package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sortkey.dev/apps"
	askahuman "sortkey.dev/apps/askahuman/server"
)

// A running is one system in the background of a test.
type running struct {
	url, line string
	stop      context.CancelFunc
	ended     chan error
	stderr    *bytes.Buffer
}

// beginRun starts "run ask-a-human --json" on a free port and waits for its first line.
func beginRun(t *testing.T, cfg runConfig) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	stdout, w := io.Pipe()
	r := &running{stop: stop, ended: make(chan error, 1), stderr: new(bytes.Buffer)}
	cfg.addr, cfg.asJSON, cfg.logLevel = "127.0.0.1:0", true, choice{value: "warn"}
	go func() {
		r.ended <- runSystem(ctx, streams{out: w, err: r.stderr}, cfg, askahuman.Kind())
		w.Close()
	}()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("no line on stdout: %v, %v", err, <-r.ended)
	}
	var event struct{ Event, System, URL, Data string }
	if err := json.Unmarshal([]byte(line), &event); err != nil || event.Event != "listening" || event.System != "ask-a-human" || event.Data != cfg.data {
		t.Fatalf("stdout says %s (%v)", line, err)
	}
	r.url, r.line = event.URL, line
	return r
}

// end stops the system and checks that it ends without an error.
func (r *running) end(t *testing.T) {
	t.Helper()
	r.stop()
	if err := <-r.ended; err != nil {
		t.Errorf("run: %v", err)
	}
	if r.stderr.Len() > 0 {
		t.Errorf("it logged %s", r.stderr)
	}
}

// post sends JSON and reads JSON.
func (r *running) post(t *testing.T, path, header, value, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(header, value)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		t.Fatalf("%s: %s, %v", path, response.Status, err)
	}
	return response.StatusCode, answer
}

func TestRunServesASystemUntilItIsStopped(t *testing.T) {
	r := beginRun(t, runConfig{})
	page, err := http.Get(r.url + "/")
	if err != nil || page.StatusCode != http.StatusOK || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		t.Errorf("the first page: %v, %v", page, err)
	}
	page.Body.Close()
	live, err := http.Get(r.url + "/live/feed") // a page that stays open must not block the end
	if err != nil || live.StatusCode != http.StatusOK {
		t.Fatalf("the live page: %v, %v", live, err)
	}
	defer live.Body.Close()
	r.end(t)
	if _, err := io.Copy(io.Discard, live.Body); err != nil {
		t.Errorf("the live page was cut: %v", err)
	}
}

// TestDemoPagesSayThatUsersAreSimulated checks that a demo does not promise real people.
func TestDemoPagesSayThatUsersAreSimulated(t *testing.T) {
	for demo, want := range map[bool]string{true: "simulated people answer", false: "This asks real people"} {
		r := beginRun(t, runConfig{demo: demo})
		page, err := http.Get(r.url + "/developers")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(page.Body)
		page.Body.Close()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("demo %v: the page lacks %q (%v)", demo, want, err)
		}
		r.end(t)
	}
}

// TestRunKeepsADirectory checks that people, questions and the secret survive a restart, and
// that only the owner can read the secret.
func TestRunKeepsADirectory(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "new", "data")
	first := beginRun(t, runConfig{data: directory})
	_, identity := first.post(t, "/human/identity", "X-Unused", "x", "{}")
	person, _ := identity["fingerprint"].(string)
	_, submitted := first.post(t, "/agent/questions", "X-Agent-Id", "bot", `{"prompt":"Which of these sounds friendlier?","type":"text","min_responses":2}`)
	id, _ := submitted["question_id"].(string)
	answer := `{"question_id":"` + id + `","answer":"The second one, it does not shout.","response_time_ms":60000}`
	if status, said := first.post(t, "/human/responses", "X-Fingerprint", person, answer); status != http.StatusCreated {
		t.Fatalf("the answer: %d %v", status, said)
	}
	info, err := os.Stat(filepath.Join(directory, "secret"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the secret: %v, %v", info, err)
	}
	first.end(t)

	second := beginRun(t, runConfig{data: directory})
	if status, said := second.post(t, "/human/responses", "X-Fingerprint", person, answer); status != http.StatusConflict {
		t.Errorf("the same person answers the same question again: %d %v", status, said)
	}
	second.end(t)
}

func TestRunRejectsADirectoryInUse(t *testing.T) {
	directory := t.TempDir()
	first := beginRun(t, runConfig{data: directory})
	err := runSystem(t.Context(), streams{out: io.Discard, err: io.Discard},
		runConfig{addr: "127.0.0.1:0", data: directory, asJSON: true, logLevel: choice{value: "warn"}}, askahuman.Kind())
	if err == nil || !strings.Contains(err.Error(), directory) {
		t.Errorf("a second process: %v, want the directory named", err)
	}
	first.end(t)
}

// TestRunLeavesTheSecretOfADirectoryInUse checks that a rejected process has not created a
// secret, which would not match the data at the next start.
func TestRunLeavesTheSecretOfADirectoryInUse(t *testing.T) {
	directory := t.TempDir()
	logger := slog.New(slog.DiscardHandler)
	first, err := embeddedStore(runConfig{data: directory}, logger)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(directory, "secret")
	if err := os.Remove(path); err != nil { // as if both had been started at the same time
		t.Fatal(err)
	}
	if _, err := embeddedStore(runConfig{data: directory}, logger); err == nil {
		t.Error("two processes have one directory")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the rejected process has created a secret (%v)", err)
	}
	if err := first.close(); err != nil {
		t.Error(err)
	}
}

func TestRunChecksItsFlags(t *testing.T) {
	for _, c := range []struct {
		cfg  runConfig
		want string // in the error; "" is none
	}{
		{runConfig{}, ""},
		{runConfig{addr: "nowhere"}, "--addr"},
		{runConfig{data: "d", aws: true}, "give one"},
		{runConfig{prefix: "test-1_a."}, ""},
		{runConfig{prefix: "a b"}, "--table-prefix"},
		{runConfig{prefix: strings.Repeat("a", 101)}, "--table-prefix"},
		{runConfig{publicURL: "https://ask.example.org"}, ""},
		{runConfig{publicURL: "http://[::1]:8080/"}, ""},
		{runConfig{publicURL: "ask.example.org"}, "--public-url"},
		{runConfig{publicURL: "ftp://ask.example.org"}, "--public-url"},
		{runConfig{publicURL: "https://"}, "--public-url"},
		{runConfig{publicURL: "https://:80"}, "--public-url"},
		{runConfig{publicURL: "https://a b"}, "--public-url"},
		{runConfig{publicURL: "https://me:word@example.org"}, "--public-url"},
		{runConfig{publicURL: "https://example.org/ask"}, "--public-url"},
		{runConfig{publicURL: "https://example.org/?x=1"}, "--public-url"},
		{runConfig{publicURL: "https://example.org#x"}, "--public-url"},
	} {
		c.cfg.addr = cmp.Or(c.cfg.addr, "127.0.0.1:0")
		err := c.cfg.check("run")
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.cfg, err, c.want)
		}
	}
}

func TestRunRejectsAChangedSecret(t *testing.T) {
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "secret"), []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := runSystem(t.Context(), streams{out: io.Discard, err: io.Discard},
		runConfig{addr: "127.0.0.1:0", data: directory, asJSON: true, logLevel: choice{value: "warn"}}, askahuman.Kind())
	if err == nil || !strings.Contains(err.Error(), "too short") {
		t.Errorf("run: %v", err)
	}
}

// TestRunPrintsItsPages checks that the output has the pages, and the generated secret of operators.
func TestRunPrintsItsPages(t *testing.T) {
	var out bytes.Buffer
	pages := append(askahuman.Kind().Pages, apps.Page{Path: "/operator", Doc: "health and jobs", Name: "operator", Password: "1234"})
	if err := announceSystem(&out, runConfig{demo: true}, askahuman.Kind(), pages, "http://127.0.0.1:8080"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Ask-a-Human is ready at http://127.0.0.1:8080", "/developers", "/openapi.json", "/mcp", "health and jobs; sign in as operator with 1234", "the other people and programs are invented", "in memory", "Ctrl+C"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, &out)
		}
	}
}

// Who stops a system while it is being opened gets no error.
func TestStoppedWhileASystemIsOpened(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	kind := apps.Kind{Name: "slow", Open: func(ctx context.Context, _ apps.Config) (apps.System, error) {
		stop(errors.New("interrupted"))
		return nil, fmt.Errorf("look at a table: %w", ctx.Err())
	}}
	if err := live(ctx, streams{out: io.Discard}, runConfig{}, kind, apps.Config{Log: slog.New(slog.DiscardHandler)}, freePort(t), &starting{}); err != nil {
		t.Error(err)
	}
	kind.Open = func(context.Context, apps.Config) (apps.System, error) { return nil, errors.New("no such table") }
	if err := live(t.Context(), streams{out: io.Discard}, runConfig{}, kind, apps.Config{Log: slog.New(slog.DiscardHandler)}, freePort(t), &starting{}); err == nil {
		t.Error("a system that cannot be opened is no error")
	}
}

func freePort(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}
