package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/internal/live"
)

// TestReportsOfOneAddressEnd: identities are free as well.
func TestReportsOfOneAddressEnd(t *testing.T) {
	s := open(t)
	id, household := s.ask(t, "bot", nil), "2001:db8:1:2::"
	s.useUp(t, askahuman.LimitReportFrom, household, askahuman.LimitReportFrom.Most)
	s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", call{
		method: http.MethodPost, path: "/human/questions/" + id + "/report", person: s.newcomer(t), ip: "2001:db8:1:2::7", body: fields{"reason": "odd"},
	})
}

// TestManyNamesAreOneAddress: the name of an agent is free, so where questions come from
// counts as well.
func TestManyNamesAreOneAddress(t *testing.T) {
	s := open(t)
	const household = "2001:db8:1:2::"
	s.useUp(t, askahuman.LimitAskFrom, household, askahuman.LimitAskFrom.Most-1)
	ask := func(n int, ip string) call {
		return call{method: "POST", path: "/agent/questions", agent: fmt.Sprintf("bot-%d", n), ip: ip,
			body: fields{"prompt": "Which of these sounds friendlier?", "type": "text"}}
	}
	s.must(t, http.StatusCreated, ask(1, household+"1"))
	a := s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", ask(2, household+"2"))
	if a.header.Get("Retry-After") == "" {
		t.Errorf("nothing says how long to wait: %v", a.header)
	}
	batch := ask(3, household+"3")
	batch.path, batch.body = "/agent/questions:batch", fields{"questions": []any{batch.body}}
	if a := s.must(t, http.StatusOK, batch); a.num("results", 0, "status") != http.StatusTooManyRequests {
		t.Errorf("a batch gets past the limit: %s", a.text)
	}
	s.must(t, http.StatusCreated, ask(4, "2001:db8:1:3::1"))
}

// TestManyNamesThatReadAreOneAddress: each name would open a count of its own.
func TestManyNamesThatReadAreOneAddress(t *testing.T) {
	s := open(t)
	const household = "2001:db8:1:2::"
	s.useUp(t, askahuman.LimitPollFrom, household, askahuman.LimitPollFrom.Most-1)
	list := func(n int, ip string) call {
		return call{method: "GET", path: "/agent/questions", agent: fmt.Sprintf("reader-%d", n), ip: ip}
	}
	s.must(t, http.StatusOK, list(1, household+"1"))
	before := s.windows(t)
	a := s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", list(2, household+"2"))
	if a.header.Get("Retry-After") == "" {
		t.Errorf("nothing says how long to wait: %v", a.header)
	}
	if after := s.windows(t); after != before {
		t.Errorf("the name that was refused is counted: %d windows, then %d", before, after)
	}
	s.must(t, http.StatusOK, list(3, "2001:db8:1:3::1"))
}

// windows returns how many counts there are.
func (s *site) windows(t *testing.T) int {
	t.Helper()
	n := 0
	for _, err := range s.Platform.DB.ScanRateWindow().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// TestWaitingCallersAreLimited: waiting costs a connection, so one address cannot wait without
// end.
func TestWaitingCallersAreLimited(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", nil)
	var leave func()
	for range live.MostFrom {
		var ok bool
		if leave, ok = s.hub.Enter("203.0.113.77"); !ok {
			t.Fatal("a place is missing")
		}
	}
	for _, path := range []string{"?wait=1", "/events"} {
		c := call{method: "GET", path: "/agent/questions/" + id + path, agent: "bot", ip: "203.0.113.77"}
		if a := s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", c); a.header.Get("Retry-After") != "10" {
			t.Errorf("%s: Retry-After %q", path, a.header.Get("Retry-After"))
		}
	}
	s.must(t, http.StatusOK, call{method: "GET", path: "/agent/questions/" + id, agent: "bot", ip: "203.0.113.77"})
	leave()
	s.must(t, http.StatusOK, call{method: "GET", path: "/agent/questions/" + id + "?wait=1&since=7", agent: "bot", ip: "203.0.113.77"})
}
