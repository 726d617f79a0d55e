package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman/api"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/staff"
)

const operatorSecret = "the secret of operators"

// staffOf returns operators of whom the first has operatorSecret.
func staffOf(t *testing.T, w *askahumantest.World) *staff.Staff {
	t.Helper()
	operators, err := staff.New(w.Platform, staff.Options{FirstSecret: operatorSecret})
	if err != nil {
		t.Fatal(err)
	}
	return operators
}

// watched returns a site with operators.
func watched(t *testing.T) *site {
	t.Helper()
	s := open(t)
	return serveOn(t, s.World, s.Domain, func(o *api.Options) {
		o.Staff = staffOf(t, s.World)
		o.Loops = func() []background.State { return []background.State{{Name: "jobs", Failures: 2}, {Name: "hints"}} }
	})
}

func TestOperatorsReadMetrics(t *testing.T) {
	s := watched(t)
	s.ask(t, "bot", nil)
	if err := s.Env.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	a := s.must(t, http.StatusOK, call{method: "GET", path: "/metrics", key: operatorSecret})
	if got := a.header.Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("it is %q", got)
	}
	got := map[string]bool{}
	for line := range strings.Lines(a.text) {
		got[strings.TrimSpace(line)] = true
	}
	want := []string{
		"# TYPE askahuman_events_24h gauge",
		`askahuman_events_24h{event="submitted"} 1`,
		`askahuman_events_24h{event="answered"} 0`,
		`askahuman_median_seconds{until="completion"} 0`,
		`askahuman_queue{queue="jobs_due"} 1`,
		`askahuman_queue{queue="jobs_dead"} 0`,
		`askahuman_loop_failures{loop="jobs"} 2`,
		`askahuman_loop_failures{loop="hints"} 0`,
	}
	for _, line := range want {
		if !got[line] {
			t.Errorf("%q is missing in:\n%s", line, a.text)
		}
	}
}

// TestProgramsReadMetricsWithTheirToken: operators find it under Settings.
func TestProgramsReadMetricsWithTheirToken(t *testing.T) {
	s := watched(t)
	token := staffOf(t, s.World).Token()
	s.must(t, http.StatusOK, call{method: "GET", path: "/metrics", key: token})
	s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", call{method: "GET", path: "/metrics", key: token + "0"})
}

// TestOperatorsSeeWhatIsAnsweredAndHow: by the routes there are, whatever is asked for.
func TestOperatorsSeeWhatIsAnsweredAndHow(t *testing.T) {
	s := watched(t)
	for range 2 {
		s.ask(t, "bot", nil)
	}
	s.refused(t, http.StatusNotFound, "QUESTION_NOT_FOUND", call{method: "GET", path: "/agent/questions/nobodys-one", agent: "bot"})
	s.refused(t, http.StatusNotFound, "QUESTION_NOT_FOUND", call{method: "GET", path: "/agent/questions/nobodys-two", agent: "bot"})
	s.must(t, http.StatusNotFound, call{method: "GET", path: "/nowhere"})
	text := s.must(t, http.StatusOK, call{method: "GET", path: "/metrics", key: operatorSecret}).text
	for _, line := range []string{
		"# TYPE askahuman_http_requests_total counter",
		`askahuman_http_requests_total{route="/agent/questions",method="POST",code="201"} 2`,
		`askahuman_http_requests_total{route="/agent/questions/{id}",method="GET",code="404"} 2`,
		`askahuman_http_requests_total{route="other",method="GET",code="404"} 1`,
		"# TYPE askahuman_http_wait_seconds histogram",
		`askahuman_http_wait_seconds_bucket{route="/agent/questions/{id}",le="+Inf"} 2`,
		`askahuman_http_wait_seconds_count{route="/agent/questions/{id}"} 2`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%q is missing in:\n%s", line, text)
		}
	}
	for _, secret := range []string{"nobodys", "nowhere", "bot"} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is shown in:\n%s", secret, text)
		}
	}
}

// TestMetricsRequireTheOperatorSecret: who guesses is held up, and who knows is not.
func TestMetricsRequireTheOperatorSecret(t *testing.T) {
	s := watched(t)
	look := func(key, ip string) call { return call{method: "GET", path: "/metrics", key: key, ip: ip} }
	const guesser, other = "203.0.113.50", "203.0.113.51"
	for range 2 * staff.TokenLimit.Most {
		s.must(t, http.StatusOK, look(operatorSecret, guesser)) // counts nothing
	}
	a := s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", look("", guesser))
	if diff := cmp.Diff(`Bearer realm="operators"`, a.header.Get("WWW-Authenticate")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range staff.TokenLimit.Most {
		s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", look("the secret of others", guesser))
	}
	s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", look("the secret of others", guesser))
	s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", look(operatorSecret, guesser)) // or guessing would go on
	s.must(t, http.StatusOK, look(operatorSecret, other))
	s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", call{method: "GET", path: "/metrics", header: map[string]string{"Authorization": "Basic b3A6"}})
}

// TestMetricsAreDisabledWithoutASecret: not even with an empty one.
func TestMetricsAreDisabledWithoutASecret(t *testing.T) {
	s := open(t)
	for _, given := range []string{"", "Bearer ", "Bearer x"} {
		s.refused(t, http.StatusUnauthorized, "UNAUTHORIZED", call{method: "GET", path: "/metrics", header: map[string]string{"Authorization": given}})
	}
}
