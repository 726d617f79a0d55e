package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/api"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/domain"
	"sortkey.dev/apps/internal/live"
)

// A site is the API on a real database, reached over HTTP. Everything that is said there is
// compared with the document.
type site struct {
	*askahumantest.World
	url   string
	hub   *live.Hub
	http  *http.Client
	log   *logged
	end   func() // the process is ending
	spoke *recorder
}

// logged returns the log.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// start is the initial time of a new site's clock: a Monday at noon, UTC. It is far ahead,
// because a database removes what is to be kept until a time that has passed on its own clock.
var start = time.Date(2099, time.February, 2, 12, 0, 0, 0, time.UTC)

func open(t *testing.T) *site {
	t.Helper()
	world := askahumantest.Open(t)
	world.Clock.Set(start)
	return serveOn(t, world, world.Domain, func(*api.Options) {})
}

// serveOn serves a domain, which need not be that of the world.
func serveOn(t *testing.T, world *askahumantest.World, rooms *domain.Domain, change func(*api.Options)) *site {
	t.Helper()
	done := make(chan struct{})
	s := &site{World: world, hub: &live.Hub{}, log: &logged{}, spoke: &recorder{t: t}, end: sync.OnceFunc(func() { close(done) })}
	options := api.Options{
		Domain: rooms, Hub: s.hub, Log: slog.New(slog.NewTextHandler(s.log, nil)), Done: done,
		Proxies: 1, VAPIDPublicKey: "the public key",
	}
	change(&options)
	handler, err := api.New(options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Cleanup(s.end) // before the server waits for its connections
	s.url, s.http = server.URL, &http.Client{Transport: s.spoke, Timeout: patience}
	return s
}

// patience is the timeout for events that should happen at once.
const patience = time.Minute

// A call is a request.
type call struct {
	method, path string
	agent, key   string // of an agent
	person       string // a token
	ip           string // as the proxy says
	header       map[string]string
	body         any // a string is sent as it is
}

// An answer is a response.
type answer struct {
	status int
	header http.Header
	text   string
	json   map[string]any
}

func (s *site) request(t *testing.T, c call) *http.Request {
	t.Helper()
	var body io.Reader
	switch b := c.body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(t.Context(), c.method, s.url+c.path, body)
	if err != nil {
		t.Fatal(err)
	}
	if c.body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	set := func(name, value string) {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	set("X-Agent-Id", c.agent)
	set("X-Fingerprint", c.person)
	set("X-Forwarded-For", c.ip)
	if c.key != "" {
		set("Authorization", "Bearer "+c.key)
	}
	for name, value := range c.header {
		set(name, value)
	}
	return request
}

func (s *site) do(t *testing.T, c call) answer {
	t.Helper()
	response, err := s.http.Do(s.request(t, c))
	if err != nil {
		t.Fatalf("%s %s: %v", c.method, c.path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", c.method, c.path, err)
	}
	a := answer{status: response.StatusCode, header: response.Header, text: string(text)}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") && len(text) > 0 {
		if err := json.Unmarshal(text, &a.json); err != nil {
			t.Fatalf("%s %s answers what is no object: %s", c.method, c.path, text)
		}
	}
	return a
}

// must returns a call that has to be answered with a status.
func (s *site) must(t *testing.T, status int, c call) answer {
	t.Helper()
	a := s.do(t, c)
	if a.status != status {
		t.Fatalf("%s %s: got %d %s, want %d", c.method, c.path, a.status, a.text, status)
	}
	return a
}

// refused returns a call that has to be refused with a status and a code.
func (s *site) refused(t *testing.T, status int, code string, c call) answer {
	t.Helper()
	a := s.must(t, status, c)
	if got := a.code(); got != code {
		t.Fatalf("%s %s: got the code %s, want %s: %s", c.method, c.path, got, code, a.text)
	}
	return a
}

func (a answer) code() string {
	e, _ := a.json["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

// at returns a value deep in the answer.
func (a answer) at(path ...any) any {
	var value any = a.json
	for _, step := range path {
		switch s := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[s]
		case int:
			list, _ := value.([]any)
			if s >= len(list) {
				return nil
			}
			value = list[s]
		}
	}
	return value
}

func (a answer) str(path ...any) string {
	text, _ := a.at(path...).(string)
	return text
}

func (a answer) num(path ...any) int {
	n, _ := a.at(path...).(float64)
	return int(n)
}

func (a answer) list(path ...any) []any {
	list, _ := a.at(path...).([]any)
	return list
}

type fields = map[string]any

// ask asks a text question and gives its id.
func (s *site) ask(t *testing.T, agent string, more fields) string {
	t.Helper()
	body := fields{"prompt": "Which of these sounds friendlier?", "type": "text"}
	for name, value := range more {
		body[name] = value
	}
	return s.must(t, http.StatusCreated, call{method: "POST", path: "/agent/questions", agent: agent, body: body}).str("question_id")
}

// newcomer returns the token of a new person.
func (s *site) newcomer(t *testing.T) string {
	t.Helper()
	return s.must(t, http.StatusCreated, call{method: "POST", path: "/human/identity", ip: freshIP()}).str("fingerprint")
}

// says submits a text answer of a new person.
func says(person, question, text string) call {
	return call{method: "POST", path: "/human/responses", person: person,
		body: fields{"question_id": question, "answer": text, "response_time_ms": 60_000}}
}

// chooses returns an answer that chooses an option.
func chooses(person, question string, option int) call {
	return call{method: "POST", path: "/human/responses", person: person,
		body: fields{"question_id": question, "selected_option": option, "response_time_ms": 60_000}}
}

func poll(agent, id string) call {
	return call{method: "GET", path: "/agent/questions/" + id, agent: agent}
}

var (
	ipMutex sync.Mutex
	ips     int
)

// freshIP returns an unused address.
func freshIP() string {
	ipMutex.Lock()
	defer ipMutex.Unlock()
	ips++
	return fmt.Sprintf("198.51.%d.%d", 100+ips/250, ips%250)
}
