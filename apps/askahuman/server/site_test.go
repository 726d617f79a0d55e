package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/apps/askahuman/server"
	"sortkey.dev/apps/internal/apptest"
)

const secret = "a secret of tests, thirty-two and more"

// settings of a site. Requests come through a proxy, so that a test can be many addresses.
type settings map[string]string

var usual = settings{"ASK_A_HUMAN_TRUST_PROXY": "1", "ASK_A_HUMAN_PRIVATE_CALLBACKS": "1"}

// A site is the whole system, reached over HTTP, while its own work runs.
type site struct {
	url    string
	system apps.System
	http   *http.Client
	end    context.CancelFunc // the process is told to end
	closed func()             // waits until it has
}

func memory(t *testing.T) apps.Config {
	t.Helper()
	db := apptest.Open(t, nil)
	return apps.Config{DynamoDB: db.DynamoDB, Streams: db.Streams, TablePrefix: db.Prefix}
}

// start opens a system on a database and serves it as the command line does.
func start(t *testing.T, config apps.Config, set settings) *site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := &site{url: "http://" + listener.Addr().String(), end: cancel}
	config.Secret, config.PublicURL, config.Now = []byte(secret), s.url, time.Now
	config.Setting = func(name string) string { return set[name] }
	config.Log = slog.New(slog.DiscardHandler)
	if s.system, err = server.Open(ctx, config); err != nil {
		t.Fatalf("open: %v", err)
	}
	ran := make(chan error, 1)
	go func() { ran <- s.system.Run(ctx) }()
	front := &httptest.Server{Listener: listener, Config: &http.Server{Handler: s.system}}
	front.Start()
	s.http = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	var once atomic.Bool
	s.closed = func() {
		if once.Swap(true) {
			return
		}
		s.http.CloseIdleConnections()
		front.Close() // waits for the requests in flight
		if err := <-ran; err != nil {
			t.Errorf("run: %v", err)
		}
	}
	t.Cleanup(func() { cancel(); s.closed() })
	return s
}

func (s *site) agent(name string) *client.Client {
	return client.New(s.url, name, client.WithHTTPClient(s.http))
}

// A call is a request with a JSON body, from an address of its own.
type call struct {
	method, path, person string
	body                 any
}

var addresses atomic.Int64

func (s *site) send(ctx context.Context, c call) (int, map[string]any, error) {
	text, err := json.Marshal(c.body)
	if err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, c.method, s.url+c.path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	n := addresses.Add(1)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.%d.%d", n/250, 1+n%250))
	if c.person != "" {
		request.Header.Set("X-Fingerprint", c.person)
	}
	response, err := s.http.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer := map[string]any{}
	body, err := io.ReadAll(response.Body)
	if err == nil && len(body) > 0 {
		err = json.Unmarshal(body, &answer)
	}
	return response.StatusCode, answer, err
}

func (s *site) must(t *testing.T, status int, c call) map[string]any {
	t.Helper()
	got, answer, err := s.send(t.Context(), c)
	if err != nil || got != status {
		t.Fatalf("%s %s: %d %v (%v), want %d", c.method, c.path, got, answer, err, status)
	}
	return answer
}

// newcomer returns the token of a new person.
func (s *site) newcomer(t *testing.T) string {
	t.Helper()
	return s.must(t, http.StatusCreated, call{method: "POST", path: "/human/identity", body: struct{}{}})["fingerprint"].(string)
}

func says(person, question, text string) call {
	return call{method: "POST", path: "/human/responses", person: person,
		body: map[string]any{"question_id": question, "answer": text, "response_time_ms": 60_000}}
}

// ask asks a question in words.
func (s *site) ask(t *testing.T, agent string, wanted int) string {
	t.Helper()
	submitted, err := s.agent(agent).Submit(t.Context(), client.Ask{Prompt: "Which of these sounds friendlier?", Type: client.Text, MinResponses: &wanted})
	if err != nil {
		t.Fatalf("ask: %v", err)
	}
	return submitted.QuestionID
}

// events opens the stream of a question's events. next is the data of the next event, and its name; "" when the
// stream has ended.
func (s *site) events(t *testing.T, agent, question string) (next func() (name, data string)) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "GET", s.url+"/agent/questions/"+question+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Agent-Id", agent)
	response, err := s.http.Do(request)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("open the stream: %v, %v", response, err)
	}
	t.Cleanup(func() { response.Body.Close() })
	lines := bufio.NewScanner(response.Body)
	return func() (name, data string) {
		for lines.Scan() {
			if rest, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = rest
			}
			if rest, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return name, rest
			}
		}
		return "", ""
	}
}

// responsesOf returns how many answers an event tells of.
func responsesOf(t *testing.T, data string) int {
	t.Helper()
	var question client.Question
	if err := json.Unmarshal([]byte(data), &question); err != nil {
		t.Fatalf("the event %q: %v", data, err)
	}
	return question.CurrentResponses
}
