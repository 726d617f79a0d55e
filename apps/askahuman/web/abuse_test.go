package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
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

// TestNewcomersShareAnAddress: a whole office answers for the first time. Only answers of an
// address have a limit, what was written stays in the form, and the reason is the true one. 64
// bits of IPv6 addresses are one address.
func TestNewcomersShareAnAddress(t *testing.T) {
	s := open(t)
	q := s.Submit(t, questions.Ask{AgentID: "agent", Type: "text", Prompt: "Which of these is friendlier?", Required: new(50)})
	_, site := setup{Options: web.Options{Hub: s.hub}}.handler(t, s.World)
	answer := func(from string) answer {
		v := s.visitor()
		v.Client.Transport = fromAddress{site, from}
		v.get("/q/"+q.QuestionID).want(t, 200)
		return v.send("/q/"+q.QuestionID, "answer", "I wrote this with care.")
	}
	for range askahuman.LimitAnswerFrom.Most - 1 {
		if _, err := s.Allow(t.Context(), askahuman.LimitAnswerFrom, "2001:db8::"); err != nil {
			t.Fatal(err)
		}
	}
	answer("[2001:db8::1]:1").want(t, 200, "Thank you")
	answer("[2001:db8::2]:1").want(t, http.StatusTooManyRequests,
		"I wrote this with care.", "Very many answers come from your network", "Send this again in")
	answer("[2001:db8:0:1::1]:1").want(t, 200, "Thank you")
}

// fromAddress sends requests to a handler as if they came from an address.
type fromAddress struct {
	handler http.Handler
	address string
}

func (f fromAddress) RoundTrip(r *http.Request) (*http.Response, error) {
	w, request := httptest.NewRecorder(), r.Clone(r.Context())
	request.RemoteAddr, request.RequestURI, request.Host = f.address, r.URL.RequestURI(), r.URL.Host
	if request.Body == nil {
		request.Body = http.NoBody
	}
	f.handler.ServeHTTP(w, request)
	response := w.Result()
	response.Request = r
	return response, nil
}

// TestAReportIsKeptWhenItIsTooMuch: what was written stays in the form.
func TestAReportIsKeptWhenItIsTooMuch(t *testing.T) {
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	v := s.visitor()
	v.get("/q/" + q.QuestionID)
	for range askahuman.LimitReportFrom.Most {
		if _, err := s.Allow(t.Context(), askahuman.LimitReportFrom, "127.0.0.1"); err != nil {
			t.Fatal(err)
		}
	}
	v.send("/q/"+q.QuestionID+"/report", "reason", "It asks for a password.").
		want(t, http.StatusTooManyRequests, "It asks for a password.", "Very many reports came from your network", "Send this again in")
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
	v.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if got := v.send("/me/forget").Head.Get("Clear-Site-Data"); !strings.Contains(got, `"storage"`) {
		t.Errorf("Clear-Site-Data is %q", got)
	}
}
