package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/server"
	"sortkey.dev/apps/internal/apptest"
)

var (
	buildDirectory string
	build          = sync.OnceValues(func() (string, error) {
		name := "sortkey"
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		path := filepath.Join(buildDirectory, name)
		command := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "sortkey.dev/cmd/sortkey")
		command.Stderr = os.Stderr
		return path, command.Run()
	})
)

func TestMain(m *testing.M) {
	directory, err := os.MkdirTemp("", "sortkey-mcp-")
	if err != nil {
		panic(err)
	}
	buildDirectory = directory
	code := m.Run()
	_ = os.RemoveAll(directory) // a leftover in the temporary folder is harmless
	os.Exit(code)
}

// program returns the command line, built once.
func program(t *testing.T) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatalf("build sortkey: %v", err)
	}
	return path
}

// A site is the whole system, reached over HTTP.
type site struct{ url string }

func start(t *testing.T) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &site{url: "http://" + listener.Addr().String()}
	db := apptest.Open(t, nil)
	system, err := server.Open(ctx, apps.Config{
		DynamoDB: db.DynamoDB, Streams: db.Streams, TablePrefix: db.Prefix, Secret: []byte("a secret of tests, thirty-two and more"),
		PublicURL: s.url, Setting: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	front := &httptest.Server{Listener: listener, Config: &http.Server{Handler: system}}
	front.Start()
	t.Cleanup(func() { cancel(); front.Close() })
	return s
}

// post sends JSON and reads what comes back, which has to be a success.
func (s *site) post(t *testing.T, path string, header http.Header, body map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), "POST", s.url+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s %v (%v)", path, response.Status, answer, err)
	}
	return answer
}

func (s *site) newcomer(t *testing.T) http.Header {
	t.Helper()
	identity := s.post(t, "/human/identity", http.Header{}, map[string]any{})
	return http.Header{"X-Fingerprint": {identity["fingerprint"].(string)}}
}

// choose answers with an option as a new person.
func (s *site) choose(t *testing.T, question string, option int) {
	t.Helper()
	s.post(t, "/human/responses", s.newcomer(t), map[string]any{"question_id": question, "selected_option": option, "response_time_ms": 60_000})
}

// say answers with a text as a new person.
func (s *site) say(t *testing.T, question, text string, confidence int) {
	t.Helper()
	s.post(t, "/human/responses", s.newcomer(t), map[string]any{"question_id": question, "answer": text, "confidence": confidence, "response_time_ms": 60_000})
}

// protect gives an agent a key.
func (s *site) protect(t *testing.T, agent string) string {
	t.Helper()
	return s.post(t, "/agent/key", http.Header{"X-Agent-Id": {agent}}, map[string]any{})["key"].(string)
}
