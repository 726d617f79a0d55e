package jsonapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"sortkey.dev/apps/internal/jsonapi"
)

func TestGuardLimitsTheRateOfAnAddress(t *testing.T) {
	now := time.Date(2026, time.February, 2, 12, 0, 0, 0, time.UTC)
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	guarded := jsonapi.Guard(page, jsonapi.Bucket{PerSecond: 1, Burst: 2}, func() time.Time { return now }, 0)
	get := func(from string) *httptest.ResponseRecorder {
		t.Helper()
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = from
		r.Header.Set("X-Forwarded-For", "203.0.113.9") // not believed without a proxy
		guarded.ServeHTTP(w, r)
		return w
	}
	// All addresses of a household are one.
	for i, from := range []string{"[2001:db8::1]:5", "[2001:db8::2]:5"} {
		if w := get(from); w.Code != http.StatusNoContent {
			t.Errorf("request %d: %d", i, w.Code)
		}
	}
	if w := get("[2001:db8::3]:5"); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" {
		t.Errorf("the third at once: %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	if w := get("[2001:db8:0:1::1]:5"); w.Code != http.StatusNoContent {
		t.Errorf("another person: %d", w.Code)
	}
	now = now.Add(time.Second)
	if w := get("[2001:db8::4]:5"); w.Code != http.StatusNoContent {
		t.Errorf("a second later: %d", w.Code)
	}
}
