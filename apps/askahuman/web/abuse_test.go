package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/web"
	"sortkey.dev/apps/internal/live"
)

// TestAKeyEndsTheSessionsOfOthers: who came as an agent before it had a key sees nothing of
// it afterwards.
func TestAKeyEndsTheSessionsOfOthers(t *testing.T) {
	s := open(t)
	s.ask("Which of these is friendlier?")
	owner, stranger := s.visitor(), s.visitor()
	for _, v := range []*visitor{owner, stranger} {
		v.get("/developers/agent")
		v.send("/developers/agent", "agent_id", "agent").want(t, 200, "Which of these is friendlier?")
	}
	owner.send("/developers/agent/key").want(t, 200, "Keep this key")
	owner.get("/developers/agent").want(t, 200, "Which of these is friendlier?")
	stranger.get("/developers/agent").want(t, 200, "Which agent is yours?")
	stranger.send("/developers/agent/key").want(t, 401)
}

// TestABannedAgentIsSignedOut: a ban holds for sessions that were there before.
func TestABannedAgentIsSignedOut(t *testing.T) {
	s := open(t)
	s.ask("Which of these is friendlier?")
	v := s.visitor()
	v.get("/developers/agent")
	v.send("/developers/agent", "agent_id", "agent").want(t, 200, "Which of these is friendlier?")
	if err := s.Operators.SetAgentModerationStatus(t.Context(), "operator", "agent", "banned"); err != nil {
		t.Fatal(err)
	}
	v.get("/developers/agent").want(t, 200, "Which agent is yours?")
}

// TestAHouseholdIsOneAddress: 64 bits of IPv6 addresses are not as many limits.
func TestAHouseholdIsOneAddress(t *testing.T) {
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	site, err := web.New(web.Options{Domain: s.Domain, Hub: s.hub, Box: s.Box})
	if err != nil {
		t.Fatal(err)
	}
	identity := func(from string) bool {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/q/"+q.QuestionID, nil)
		r.RemoteAddr = from
		site.ServeHTTP(w, r)
		return strings.Contains(strings.Join(w.Header().Values("Set-Cookie"), "\n"), "person=")
	}
	for range askahuman.LimitIdentity.Most - 1 {
		if _, err := s.Allow(t.Context(), askahuman.LimitIdentity, "2001:db8::"); err != nil {
			t.Fatal(err)
		}
	}
	if !identity("[2001:db8::1]:1") {
		t.Error("the last identity of the hour is not given")
	}
	if identity("[2001:db8::2]:1") {
		t.Error("another address of the same household gets one more")
	}
	if !identity("[2001:db8:0:1::1]:1") {
		t.Error("another household gets none")
	}
}

// TestOpenPagesOfOneAddressAreBounded: every open page is a connection.
func TestOpenPagesOfOneAddressAreBounded(t *testing.T) {
	s := open(t)
	for range live.MostFrom {
		if _, ok := s.hub.Enter("127.0.0.1"); !ok {
			t.Fatal("a place is missing")
		}
	}
	s.visitor().get("/live/feed").want(t, http.StatusTooManyRequests)
	s.visitor().get("/").want(t, http.StatusOK)
}

// TestForgettingEmptiesTheBrowser: pages that were kept for times without a network show what
// was deleted.
func TestForgettingEmptiesTheBrowser(t *testing.T) {
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	v := s.visitor()
	v.get("/q/" + q.QuestionID)
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if got := v.send("/me/forget").header.Get("Clear-Site-Data"); !strings.Contains(got, `"storage"`) {
		t.Errorf("Clear-Site-Data is %q", got)
	}
}
