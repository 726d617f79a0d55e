package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman/client"
)

// slept is a clock that moves only by sleeping, and remembers how long.
type slept struct {
	now    time.Time
	pauses []time.Duration
}

func (s *slept) sleep(ctx context.Context, d time.Duration) error {
	s.pauses = append(s.pauses, d)
	s.now = s.now.Add(d)
	return ctx.Err()
}

// asking returns a client of a server that gives answers one after the other, the last one for
// ever.
func asking(t *testing.T, answers ...func(http.ResponseWriter)) (*client.Client, *slept) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		answers[0](w)
		if len(answers) > 1 {
			answers = answers[1:]
		}
	}))
	t.Cleanup(server.Close)
	clock := &slept{now: time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC)}
	return client.New(server.URL, "bot", client.WithClock(func() time.Time { return clock.now }, clock.sleep)), clock
}

func question(status client.Status, answers int) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		_ = json.NewEncoder(w).Encode(client.Question{ListedQuestion: client.ListedQuestion{QuestionID: "q", Status: status, CurrentResponses: answers}})
	}
}

func failure(status int, header ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
}

func TestPausesGrowByHalfToFiveMinutes(t *testing.T) {
	want := []float64{30, 45, 67.5, 101.25, 151.875, 227.8125, 300, 300}
	var got []float64
	for i := range want {
		got = append(got, client.Pause(i).Seconds())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pauses in seconds (-want +got):\n%s", diff)
	}
	if client.Pause(1_000_000) != 300*time.Second {
		t.Errorf("the pause grows beyond five minutes: %s", client.Pause(1_000_000))
	}
}

func TestAwaitReturnsAnswersSoFarAtTheTimeout(t *testing.T) {
	c, clock := asking(t, question(client.Partial, 1))
	got, err := c.Await(t.Context(), []string{"q"}, client.AwaitOptions{Min: 5, Timeout: 100 * time.Second})
	if err != nil || len(got) != 1 || got[0].CurrentResponses != 1 {
		t.Fatalf("got %+v, %v; want the question with its one answer", got, err)
	}
	// The last pause ends at the deadline and not after it.
	if diff := cmp.Diff([]time.Duration{30 * time.Second, 45 * time.Second, 25 * time.Second}, clock.pauses); diff != "" {
		t.Errorf("pauses (-want +got):\n%s", diff)
	}
}

func TestAwaitReportsProgress(t *testing.T) {
	changed := question(client.Partial, 1)
	c, clock := asking(t, question(client.Open, 0), changed, changed, question(client.Closed, 2))
	var seen []int
	_, err := c.Await(t.Context(), []string{"q"}, client.AwaitOptions{Min: 2, FirstPause: 2 * time.Second, Progress: func(questions []client.Question) {
		seen = append(seen, questions[0].CurrentResponses)
	}})
	if diff := cmp.Diff([]int{0, 1, 2}, seen); err != nil || diff != "" {
		t.Errorf("answers (%v, -want +got):\n%s", err, diff)
	}
	if len(clock.pauses) != 0 {
		t.Errorf("the server told of each change, and it paused for %v", clock.pauses)
	}
}

// TestAwaitPausesForSeveralQuestions: only one can be waited for at a time.
func TestAwaitPausesForSeveralQuestions(t *testing.T) {
	c, clock := asking(t, question(client.Open, 0), question(client.Open, 0), question(client.Closed, 2))
	if _, err := c.Await(t.Context(), []string{"q", "r"}, client.AwaitOptions{Min: 2, FirstPause: 2 * time.Second}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]time.Duration{2 * time.Second}, clock.pauses); diff != "" {
		t.Errorf("pauses (-want +got):\n%s", diff)
	}
}

func TestAwaitTimesOutAfterAnHourByDefault(t *testing.T) {
	c, clock := asking(t, question(client.Open, 0))
	began := clock.now
	if got, err := c.Await(t.Context(), []string{"q"}, client.AwaitOptions{}); err != nil || len(got) != 1 {
		t.Fatalf("got %+v, %v; want the open question", got, err)
	}
	if waited := clock.now.Sub(began); waited != time.Hour {
		t.Errorf("it waited %s", waited)
	}
	if client.RequestTimeout != 30*time.Second {
		t.Errorf("a request may take %s, want 30s", client.RequestTimeout)
	}
}

func TestAwaitEndsWithEnoughAnswersOrTheQuestion(t *testing.T) {
	for name, end := range map[string]func(http.ResponseWriter){
		"enough answers": question(client.Partial, 2),
		"closed":         question(client.Closed, 1),
		"expired":        question(client.Expired, 0),
	} {
		t.Run(name, func(t *testing.T) {
			c, clock := asking(t, question(client.Open, 0), end)
			if _, err := c.Await(t.Context(), []string{"q"}, client.AwaitOptions{Min: 2}); err != nil {
				t.Fatal(err)
			}
			if len(clock.pauses) != 0 {
				t.Errorf("it paused for %v although the server told of the end", clock.pauses)
			}
		})
	}
}

func TestAwaitRetriesAfterFailuresAndRateLimits(t *testing.T) {
	c, clock := asking(t, failure(http.StatusBadGateway), failure(http.StatusTooManyRequests, "Retry-After", "90"), question(client.Closed, 5))
	got, err := c.Await(t.Context(), []string{"q"}, client.AwaitOptions{})
	if err != nil || len(got) != 1 || got[0].Status != client.Closed {
		t.Fatalf("got %+v, %v; want the closed question", got, err)
	}
	if diff := cmp.Diff([]time.Duration{30 * time.Second, 90 * time.Second}, clock.pauses); diff != "" {
		t.Errorf("pauses (-want +got):\n%s", diff)
	}
}

func TestAwaitFailsOnPermanentErrors(t *testing.T) {
	c, _ := asking(t, func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`{"error":{"code":"QUESTION_NOT_FOUND","message":"There is no such question."}}`))
	})
	if _, err := c.Await(t.Context(), []string{"q"}, client.AwaitOptions{}); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, _ = asking(t, question(client.Open, 0))
	if _, err := c.Await(ctx, []string{"q"}, client.AwaitOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the end of the context", err)
	}
}

func TestErrorsSayWhatTheServerSaid(t *testing.T) {
	c, _ := asking(t, func(w http.ResponseWriter) {
		header := w.Header()
		header.Set("Retry-After", "120")
		header.Set("X-RateLimit-Limit", "60")
		header.Set("X-RateLimit-Remaining", "0")
		header.Set("X-RateLimit-Reset", "1770037200")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"error":{"code":"RATE_LIMITED","message":"Slow down.","details":{"field":"prompt","constraint":"length","min":10,"max":2000}}}`))
	})
	_, err := c.Submit(t.Context(), client.Ask{Prompt: "hm", Type: client.Text})
	refused, ok := errors.AsType[*client.Error](err)
	if !ok || !errors.Is(err, client.ErrRateLimited) {
		t.Fatalf("got %v, want ErrRateLimited", err)
	}
	ten, most := 10, 2000
	want := &client.Error{Status: 429, Code: "RATE_LIMITED", Message: "Slow down.", RetryAfter: 2 * time.Minute, Limit: 60,
		Reset: time.Unix(1770037200, 0), Details: client.Details{Field: "prompt", Constraint: "length", Min: &ten, Max: &most}}
	if diff := cmp.Diff(want, refused); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}

// TestErrorsOfProxiesAreTyped: what stands between has no codes, but the same statuses.
func TestErrorsOfProxiesAreTyped(t *testing.T) {
	for status, want := range map[int]error{
		http.StatusBadGateway:         client.ErrServer,
		http.StatusServiceUnavailable: client.ErrUnavailable,
		http.StatusTooManyRequests:    client.ErrRateLimited,
	} {
		c, _ := asking(t, failure(status))
		if _, err := c.Get(t.Context(), "q"); !errors.Is(err, want) {
			t.Errorf("a proxy's page with status %d gives %v, want %v", status, err, want)
		}
	}
}
