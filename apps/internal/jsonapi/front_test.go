package jsonapi

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/internal/serve"
)

// clock stands still until it is moved.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func TestABucketEmptiesAndFillsAgain(t *testing.T) {
	c := &clock{time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC)}
	b := newBuckets(Bucket{PerSecond: 100, Burst: 500}, c.Now)
	one, other := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	taken := func(address netip.Addr) (n int) {
		for b.take(address) == 0 {
			n++
		}
		return n
	}
	for _, step := range []struct {
		passed time.Duration
		want   int
	}{{0, 500}, {0, 0}, {10 * time.Millisecond, 1}, {time.Second, 100}, {time.Hour, 500}, {-time.Hour, 0}} {
		c.now = c.now.Add(step.passed)
		if got := taken(one); got != step.want {
			t.Errorf("after %s: %d requests are let through, want %d", step.passed, got, step.want)
		}
	}
	if got := taken(other); got != 500 {
		t.Errorf("another address: %d, want 500", got)
	}
	if wait := b.take(other); wait != 10*time.Millisecond {
		t.Errorf("the wait is %s, want 10ms", wait)
	}
	six := [2]netip.Addr{netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::ffff:2")}
	if got := taken(six[0]) + taken(six[1]); got != 500 {
		t.Errorf("one network of IPv6: %d, want 500", got)
	}
}

func TestBucketsAreBounded(t *testing.T) {
	c := &clock{time.Date(2026, 2, 2, 12, 0, 0, 0, time.UTC)}
	b := newBuckets(Bucket{PerSecond: 1, Burst: 2}, c.Now)
	busy := netip.MustParseAddr("192.0.2.1")
	address := netip.MustParseAddr("10.0.0.0")
	for i := range 3 * maxBuckets {
		address = address.Next()
		b.take(address)
		if i%1000 == 0 {
			b.take(busy)
		}
	}
	if got := len(b.recent) + len(b.older); got > maxBuckets {
		t.Errorf("%d addresses are remembered, want at most %d", got, maxBuckets)
	}
	if b.take(busy) == 0 {
		t.Error("an address that was busy all the time was forgotten")
	}
}

func guarded(log *bytes.Buffer, proxies int, routes ...Route) http.Handler {
	return NewFront(Options{
		Log: slog.New(slog.NewTextHandler(log, nil)), Now: time.Now, MaxBody: 100, Edge: Bucket{PerSecond: 1000, Burst: 1000}, Proxies: proxies,
	}, routes)
}

func TestWhereARequestComesFrom(t *testing.T) {
	for _, test := range []struct {
		proxies           int
		remote, forwarded string
		want              string
	}{
		{0, "192.0.2.1:1234", "203.0.113.7", "192.0.2.1"},
		{1, "192.0.2.1:1234", "203.0.113.7", "203.0.113.7"},
		{1, "192.0.2.1:1234", "10.0.0.1, 203.0.113.7", "203.0.113.7"},
		{1, "192.0.2.1:1234", "", "192.0.2.1"},
		{1, "192.0.2.1:1234", "unknown", "192.0.2.1"},
		{0, "[::ffff:192.0.2.1]:1234", "", "192.0.2.1"},
		{0, "[2001:db8::1%eth0]:1234", "", "2001:db8::1"},
		{0, "@", "", "invalid IP"},
	} {
		var got netip.Addr
		handler := guarded(&bytes.Buffer{}, test.proxies, Route{"GET /", func(_ http.ResponseWriter, r *http.Request) error {
			got = ClientIP(r)
			return nil
		}})
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = test.remote
		r.Header.Set("X-Forwarded-For", test.forwarded)
		handler.ServeHTTP(httptest.NewRecorder(), r)
		if got.String() != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

func TestFailuresAndPanicsLookAlike(t *testing.T) {
	for name, handler := range map[string]Handler{
		"failure": func(http.ResponseWriter, *http.Request) error { return fmt.Errorf("read: %w", errors.New("secret")) },
		"panic":   func(http.ResponseWriter, *http.Request) error { panic("secret") },
		"value":   func(w http.ResponseWriter, _ *http.Request) error { return Write(w, 200, make(chan int)) },
	} {
		var log bytes.Buffer
		answer := httptest.NewRecorder()
		guarded(&log, 0, Route{"GET /", handler}).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		id := answer.Header().Get("X-Request-Id")
		want := `{"error":{"code":"SERVER_ERROR","message":"Something went wrong here. If it stays so, tell us the request id.","details":{"request_id":"` + id + `"}}}` + "\n"
		if answer.Code != http.StatusInternalServerError || answer.Body.String() != want || id == "" {
			t.Errorf("%s: got %d %s", name, answer.Code, answer.Body)
		}
		if strings.Count(log.String(), "level=ERROR") != 1 || !strings.Contains(log.String(), "request="+id) {
			t.Errorf("%s logs %s", name, log.String())
		}
	}
}

func TestAFailureInTheMiddleOfAStreamIsLoggedOnly(t *testing.T) {
	var log bytes.Buffer
	answer := httptest.NewRecorder()
	guarded(&log, 0, Route{"GET /", func(w http.ResponseWriter, r *http.Request) error {
		stream, err := serve.NewEvents(w, r)
		if err != nil {
			return err
		}
		if err := errors.Join(stream.SendJSON("news", "", "line\nline"), stream.KeepAlive()); err != nil {
			return err
		}
		return errors.New("too late")
	}}).ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	want := "retry: 2000\n\nevent: news\ndata: \"line\\nline\"\n\n: alive\n\n"
	if answer.Code != http.StatusOK || answer.Body.String() != want {
		t.Errorf("got %d %q, want %q", answer.Code, answer.Body, want)
	}
	if !strings.Contains(log.String(), "too late") {
		t.Errorf("the log has %s", log.String())
	}
}
