package server

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInternalCallsKeepTheClientAddress: a caller can invent what it was forwarded for, but not
// what our proxy adds, in a line of its own.
func TestInternalCallsKeepTheClientAddress(t *testing.T) {
	var got *http.Request
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = r })
	caller := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	caller.RemoteAddr = "10.0.0.1:1234"
	caller.Header["X-Forwarded-For"] = []string{"203.0.113.66", "198.51.100.7"}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://inside/agent/questions", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (inside{handler: api, caller: caller}).RoundTrip(request); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"203.0.113.66", "198.51.100.7"}, got.Header.Values("X-Forwarded-For")); diff != "" {
		t.Errorf("forwarded for (-want +got):\n%s", diff)
	}
	if got.RemoteAddr != caller.RemoteAddr {
		t.Errorf("it comes from %s", got.RemoteAddr)
	}
}
