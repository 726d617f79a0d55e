package apiclient_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"sortkey.dev/apps/internal/apiclient"
)

func transport(t *testing.T, handler http.HandlerFunc) *apiclient.Transport {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &apiclient.Transport{System: "things", Base: server.URL + "/", MaxAnswer: 100, HTTP: server.Client()}
}

func TestSendBoundsTheResponse(t *testing.T) {
	for size, fits := range map[int]bool{100: true, 101: false} {
		things := transport(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`"` + strings.Repeat("a", size-2) + `"`))
		})
		var text string
		err := things.Send(t.Context(), apiclient.Request{Method: http.MethodGet, Path: "/v1/a", Out: &text})
		if fits != (err == nil) || !fits && err.Error() != "things: the response of /v1/a is larger than 100 bytes" {
			t.Errorf("a response of %d bytes: %v", size, err)
		}
	}
}

func TestSendGivesResponsesWithoutACodeTheCodeOfTheirStatus(t *testing.T) {
	for status, want := range map[int]*apiclient.Error{
		http.StatusTooManyRequests:    apiclient.ErrRateLimited,
		http.StatusServiceUnavailable: apiclient.ErrUnavailable,
		http.StatusBadGateway:         apiclient.ErrServer,
		http.StatusNotFound:           {},
	} {
		things := transport(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<p>a proxy</p>"))
		})
		err := things.Send(t.Context(), apiclient.Request{Method: http.MethodGet, Path: "/v1/a"})
		refused, ok := errors.AsType[*apiclient.Error](err)
		if !ok || !errors.Is(err, want) || refused.Status != status || !strings.Contains(err.Error(), "the server answered ") {
			t.Errorf("status %d: %v", status, err)
		}
	}
}

// TestSessionRefreshesItsTokensOnce lets many requests find out at once that their access token has expired.
func TestSessionRefreshesItsTokensOnce(t *testing.T) {
	var mu sync.Mutex
	refreshed := 0
	things := transport(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.URL.Path == "/v1/auth/refresh":
			var in struct{ RefreshToken string }
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.RefreshToken != "r1" {
				t.Errorf("refreshed with %q, %v", in.RefreshToken, err)
			}
			refreshed++
			_, _ = w.Write([]byte(`{"accessToken":"a2","refreshToken":"r2"}`))
		case r.Header.Get("Authorization") != "Bearer a2":
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":{"code":"UNAUTHORIZED","message":"Sign in."}}`))
		default:
			_, _ = w.Write([]byte(`"ok"`))
		}
	})
	session := &apiclient.Session{Transport: things}
	session.Continue(apiclient.Tokens{UserID: "ada", AccessToken: "a1", RefreshToken: "r1"})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			var out string
			if err := session.Send(t.Context(), apiclient.Request{Method: http.MethodGet, Path: "/v1/a", Out: &out}); err != nil || out != "ok" {
				t.Errorf("%q, %v", out, err)
			}
		})
	}
	group.Wait()
	if tokens := session.Tokens(); refreshed != 1 || tokens.UserID != "ada" || tokens.RefreshToken != "r2" {
		t.Errorf("refreshed %d times, the tokens are %+v", refreshed, tokens)
	}
}
