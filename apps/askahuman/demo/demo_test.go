package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"sortkey.dev/apps"
	"sortkey.dev/apps/askahuman/client"
	"sortkey.dev/apps/askahuman/demo"
	"sortkey.dev/apps/askahuman/server"
	"sortkey.dev/apps/internal/apptest"
)

// traffic counts what was said to the system, by method, path and status.
type traffic struct {
	mu    sync.Mutex
	count map[string]map[int]int
}

func (c *traffic) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		name := r.Method + " " + r.URL.Path
		if c.count[name] == nil {
			c.count[name] = map[int]int{}
		}
		c.count[name][response.StatusCode]++
	}
	return response, err
}

// start opens a system with a clock of the test.
func start(t *testing.T, clock *apptest.Clock) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String()
	db := apptest.Open(t, nil)
	system, err := server.Open(t.Context(), apps.Config{
		DynamoDB: db.DynamoDB, Streams: db.Streams, TablePrefix: db.Prefix, Secret: []byte("a secret of tests, thirty-two and more"),
		PublicURL: url, Setting: func(string) string { return "" }, Log: slog.New(slog.DiscardHandler), Now: clock.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	front := &httptest.Server{Listener: listener, Config: &http.Server{Handler: system}}
	front.Start()
	t.Cleanup(front.Close)
	return url
}

// TestDemoStaysWithinTheRateLimits plays for most of an hour of the system's clock.
func TestDemoStaysWithinTheRateLimits(t *testing.T) {
	clock := apptest.NewClock(time.Now().Truncate(time.Hour).Add(5 * time.Minute)) // windows begin with the hour
	url := start(t, clock)
	seen := &traffic{count: map[string]map[int]int{}}
	var log bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const steps = 800
	slept := 0
	err := demo.Play(ctx, demo.Options{
		BaseURL: url, HTTP: &http.Client{Transport: seen}, Log: slog.New(slog.NewTextHandler(&log, nil)), Seed: 7,
		Sleep: func(ctx context.Context, d time.Duration) error {
			clock.Advance(d)
			if slept++; slept == steps {
				cancel()
			}
			return ctx.Err()
		},
	})
	if !errors.Is(err, context.Canceled) || slept != steps {
		t.Errorf("it ended after %d steps with %v", slept, err)
	}
	if log.Len() > 0 {
		t.Errorf("something was refused:\n%s", &log)
	}
	asked, answers := seen.count["POST /agent/questions"], seen.count["POST /human/responses"]
	if asked[http.StatusCreated] < 11+steps/9 || len(asked) != 1 {
		t.Errorf("questions by status: %v", asked)
	}
	if answers[http.StatusCreated] < steps/2 || answers[http.StatusTooManyRequests] > 0 {
		t.Errorf("answers by status: %v", answers)
	}
	if looks := seen.count["GET /human/questions"]; looks[http.StatusOK] < steps/5 || looks[http.StatusOK] > 270 || len(looks) != 1 {
		t.Errorf("the crowd looked for questions, by status: %v; some of 300 are for the visitor", looks)
	}
	checkFeed(t, url)
}

// TestTheCrowdAnswersVisitors: visitors' questions are answered soon and in full, a choice by an
// option and a text by words, while the invented agents get answers, too.
func TestTheCrowdAnswersVisitors(t *testing.T) {
	clock := apptest.NewClock(time.Now().Truncate(time.Hour).Add(5 * time.Minute))
	url := start(t, clock)
	visitor := client.New(url, "visitor")
	var ids []string
	var asked, first time.Time
	ask := func() {
		for _, q := range []client.Ask{
			{Prompt: "Which of these sounds friendlier?", Type: client.MultipleChoice, Options: []string{"Hello", "Hi", "Hey"}, MinResponses: new(4)},
			{Prompt: "What would you call a boat?", Type: client.Text, MinResponses: new(3)},
		} {
			submitted, err := visitor.Submit(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, submitted.QuestionID)
		}
		asked = clock.Now()
	}
	seen := &traffic{count: map[string]map[int]int{}}
	var log bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const steps = 60
	slept := 0
	err := demo.Play(ctx, demo.Options{
		BaseURL: url, HTTP: &http.Client{Transport: seen}, Log: slog.New(slog.NewTextHandler(&log, nil)), Seed: 3,
		Sleep: func(ctx context.Context, d time.Duration) error {
			if slept++; slept == 3 { // in the midst of life
				ask()
			}
			if first.IsZero() && len(ids) > 0 && answered(t, visitor, ids) > 0 {
				first = clock.Now()
			}
			if clock.Advance(d); slept == steps {
				cancel()
			}
			return ctx.Err()
		},
	})
	if !errors.Is(err, context.Canceled) || log.Len() > 0 {
		t.Errorf("it ended with %v, and something was refused:\n%s", err, &log)
	}
	if took := first.Sub(asked); first.IsZero() || took > 16*time.Second {
		t.Errorf("the first answer came after %s", took)
	}
	questions, err := visitor.PollOnce(t.Context(), ids...)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		if q.Status != client.Closed {
			t.Errorf("%q is %s with %d answers", q.Prompt, q.Status, q.CurrentResponses)
		}
	}
	if all := seen.count["POST /human/responses"][http.StatusCreated]; all < 2*7 {
		t.Errorf("of %d answers 7 were for the visitor", all)
	}
}

// answered returns how many answers the questions have together.
func answered(t *testing.T, visitor *client.Client, ids []string) (n int) {
	t.Helper()
	questions, err := visitor.PollOnce(t.Context(), ids...)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		n += q.CurrentResponses
	}
	return n
}

// checkFeed finds something to answer for a visitor, and people who have earned points.
func checkFeed(t *testing.T, url string) {
	t.Helper()
	var feed struct {
		Questions []json.RawMessage `json:"questions"`
	}
	get(t, url+"/human/questions?limit=50", &feed)
	if len(feed.Questions) < 4 {
		t.Errorf("a visitor finds %d questions", len(feed.Questions))
	}
	var board struct {
		Entries []struct {
			Points int `json:"points"`
		} `json:"entries"`
	}
	get(t, url+"/human/leaderboard", &board)
	if len(board.Entries) < 10 || board.Entries[0].Points <= 0 {
		t.Errorf("the leaderboard: %+v", board)
	}
}

func get(t *testing.T, url string, out any) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(out); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, response.Status, err)
	}
}

// prompts records the questions that are asked.
type prompts struct{ list []string }

func (p *prompts) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPost && r.URL.Path == "/agent/questions" {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		var ask struct{ Prompt string }
		if err := json.Unmarshal(text, &ask); err != nil {
			return nil, err
		}
		p.list = append(p.list, ask.Prompt)
		r.Body = io.NopCloser(bytes.NewReader(text))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestTheDemoNeverRepeatsAQuestion plays twice on a kept directory.
func TestTheDemoNeverRepeatsAQuestion(t *testing.T) {
	clock := apptest.NewClock(time.Now().Truncate(time.Hour).Add(5 * time.Minute))
	url, memory := start(t, clock), filepath.Join(t.TempDir(), "demo.json")
	seen := new(prompts)
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		slept := 0
		err := demo.Play(ctx, demo.Options{
			BaseURL: url, HTTP: &http.Client{Transport: seen}, Seed: 5, Memory: memory,
			Sleep: func(ctx context.Context, d time.Duration) error {
				clock.Advance(d)
				if slept++; slept == 60 {
					cancel()
				}
				return ctx.Err()
			},
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if len(seen.list) < 12+2*6 {
		t.Errorf("%d questions were asked", len(seen.list))
	}
	once := make(map[string]bool)
	for _, prompt := range seen.list {
		if once[prompt] {
			t.Errorf("asked twice: %s", prompt)
		}
		once[prompt] = true
	}
}

// TestTheDemoOutlivesTheSystem: where nothing answers it tries again, and ends when it is told to.
func TestTheDemoOutlivesTheSystem(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tried := 0
	err := demo.Play(ctx, demo.Options{BaseURL: gone.URL, Sleep: func(ctx context.Context, _ time.Duration) error {
		if tried++; tried == 3 {
			cancel()
		}
		return ctx.Err()
	}})
	if !errors.Is(err, context.Canceled) || tried != 3 {
		t.Errorf("after %d tries: %v", tried, err)
	}
}
