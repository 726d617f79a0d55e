package serve_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/apps/internal/serve"
)

func TestValidPath(t *testing.T) {
	for path, want := range map[string]bool{
		"/": true, "/items/ä": true, "/items/\xff": false, "/" + strings.Repeat("a", 499): true, "/" + strings.Repeat("a", 500): false,
	} {
		if serve.ValidPath(path) != want {
			t.Errorf("%.20q is valid: %t", path, !want)
		}
	}
}

func TestClientIP(t *testing.T) {
	for _, test := range []struct {
		proxies           int
		remote, forwarded string
		want              string
	}{
		{0, "192.0.2.1:1234", "203.0.113.7", "192.0.2.1"},
		{1, "192.0.2.1:1234", "203.0.113.7", "203.0.113.7"},
		{1, "192.0.2.1:1234", "10.0.0.1, 203.0.113.7", "203.0.113.7"}, // the first is the caller's invention
		{2, "192.0.2.1:1234", "203.0.113.7, 198.51.100.1", "203.0.113.7"},
		{3, "192.0.2.1:1234", "203.0.113.7, 198.51.100.1", "192.0.2.1"}, // a proxy is missing
		{1, "192.0.2.1:1234", "203.0.113.7:443", "203.0.113.7"},
		{1, "192.0.2.1:1234", "", "192.0.2.1"},
		{1, "192.0.2.1:1234", "unknown", "192.0.2.1"},
		{0, "[::ffff:192.0.2.1]:1234", "", "192.0.2.1"},
		{0, "[2001:db8::1%eth0]:1234", "", "2001:db8::1"},
		{1, "192.0.2.1:1234", "2001:db8::1%eth0", "2001:db8::1"},
		{0, "192.0.2.1", "", "192.0.2.1"},
		{0, "@", "", "invalid IP"},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.RemoteAddr = test.remote
		r.Header.Set("X-Forwarded-For", test.forwarded)
		if got := serve.ClientIP(r, test.proxies); got.String() != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

func TestNetwork(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1": "192.0.2.1", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "2001:db8:1:2::": "2001:db8:1:2::",
	} {
		if got := serve.Network(netip.MustParseAddr(address)); got.String() != want {
			t.Errorf("%s is in %s, want %s", address, got, want)
		}
	}
}

func TestEveryKindHasAStatus(t *testing.T) {
	seen := make(map[int]refusal.Kind)
	for kind := refusal.Invalid; kind <= refusal.TooLarge; kind++ {
		status := serve.Status(kind)
		if other, twice := seen[status]; twice || status < 400 || status >= 500 {
			t.Errorf("%s is %d, as %s", kind, status, other)
		}
		seen[status] = kind
	}
	if got := serve.Status(0); got != http.StatusInternalServerError {
		t.Errorf("no kind is %d", got)
	}
}

func TestUnmatched(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /form", func(http.ResponseWriter, *http.Request) {})
	for path, want := range map[string]string{"/form": "POST", "/other": ""} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		handler, _ := mux.Handler(r)
		if got := serve.Unmatched(handler, r); got != want {
			t.Errorf("%s takes %q, want %q", path, got, want)
		}
	}
}

func TestEvents(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.Header.Set("Last-Event-ID", "41")
	w := httptest.NewRecorder()
	events, err := serve.NewEvents(w, r)
	if err != nil || events.LastID != "41" {
		t.Fatalf("after %q: %v", events.LastID, err)
	}
	for _, err := range []error{
		events.Send("news", "42", "one\r\ntwo\rthree\nfour"), events.KeepAlive(),
		events.Send("a\nb", "c\x00\rd", ""), events.SendJSON("", "", map[string]int{"n": 1}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if err := events.SendJSON("bad", "", func() {}); err == nil || !strings.Contains(err.Error(), "bad") {
		t.Errorf("what cannot be encoded: %v", err)
	}
	want := "retry: 2000\n\nid: 42\nevent: news\ndata: one\ndata: two\ndata: three\ndata: four\n\n: alive\n\n" +
		"id: c  d\nevent: a b\ndata: \n\ndata: {\"n\":1}\n\n"
	if got := w.Body.String(); got != want || w.Header().Get("Content-Type") != "text/event-stream; charset=utf-8" {
		t.Errorf("sent %q, want %q", got, want)
	}
}
