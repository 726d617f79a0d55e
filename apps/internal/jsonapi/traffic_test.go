package jsonapi

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/internal/serve"
)

// TestAnswersAreCountedByRoute: what callers invent makes no new count.
func TestAnswersAreCountedByRoute(t *testing.T) {
	var traffic Traffic
	stands := &clock{time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC)}
	front := NewFront(Options{
		Log: slog.New(slog.NewTextHandler(&bytes.Buffer{}, nil)), Now: stands.Now, MaxBody: 100,
		Edge: Bucket{PerSecond: 1, Burst: 50}, Counted: traffic.Note,
	}, []Route{
		{"GET /things/{id}", func(w http.ResponseWriter, _ *http.Request) error { return Write(w, http.StatusOK, "it") }},
		{"POST /things", func(_ http.ResponseWriter, r *http.Request) error { return r.Context().Err() }},
		{"PUT /things", func(http.ResponseWriter, *http.Request) error { panic("broken") }},
		{"DELETE /things", func(http.ResponseWriter, *http.Request) error { return nil }},
	})
	send := func(ctx context.Context, method, path string) {
		front.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, method, path, nil))
	}
	for i := range 10 {
		send(t.Context(), "GET", fmt.Sprintf("/things/%d?x=%d", i, i))
		send(t.Context(), "GET", fmt.Sprintf("/nothing/%d", i))
		send(t.Context(), fmt.Sprintf("METHOD%d", i), "/things/1")
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	send(gone, "POST", "/things")
	send(t.Context(), "PUT", "/things")
	send(t.Context(), "DELETE", "/things")
	send(t.Context(), "OPTIONS", "/things")
	send(t.Context(), "GET", "/things//1")
	for range 20 { // the last five are too many
		send(t.Context(), "HEAD", "/things/1")
	}
	want := []Count{
		{"/things", "DELETE", http.StatusOK, 1},
		{"/things", "POST", statusLeft, 1},
		{"/things", "PUT", http.StatusInternalServerError, 1},
		{"/things/{id}", "GET", http.StatusOK, 10},
		{"/things/{id}", "HEAD", http.StatusOK, 15},
		{"/things/{id}", "HEAD", http.StatusTooManyRequests, 5},
		{OtherRoute, "GET", http.StatusNotFound, 11},
		{OtherRoute, "OPTIONS", http.StatusNoContent, 1},
		{OtherRoute, "other", http.StatusMethodNotAllowed, 10},
	}
	if diff := cmp.Diff(want, traffic.Counts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWaitsGoIntoBuckets(t *testing.T) {
	var traffic Traffic
	for _, wait := range []time.Duration{0, 10 * time.Millisecond, 11 * time.Millisecond, 5 * time.Second, time.Minute} {
		traffic.Note(Answered{Route: "/b", Wait: wait})
	}
	traffic.Note(Answered{Route: "/a", Wait: time.Second})
	want := []Waits{
		{Route: "/a", Buckets: [8]int64{5: 1}, Sum: time.Second},
		{Route: "/b", Buckets: [8]int64{0: 2, 1: 1, 6: 1, 7: 1}, Sum: 65*time.Second + 21*time.Millisecond},
	}
	if diff := cmp.Diff(want, traffic.Waits()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAHandlerWithoutAFrontIsWatched: its streams go on, and count once they are over.
func TestAHandlerWithoutAFrontIsWatched(t *testing.T) {
	var traffic Traffic
	server := httptest.NewServer(traffic.Watch("/", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			http.NotFound(w, r)
			return
		}
		stream, err := serve.NewEvents(w, r)
		if err == nil {
			err = stream.KeepAlive()
		}
		if err != nil {
			t.Errorf("the stream: %v", err)
		}
	})))
	for _, path := range []string{"/missing", "/live", "/live"} {
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	server.Close() // when it has answered all
	want := []Count{{"/", "GET", http.StatusOK, 2}, {"/", "GET", http.StatusNotFound, 1}}
	if diff := cmp.Diff(want, traffic.Counts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
