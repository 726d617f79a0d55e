package api_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
)

func TestAQuestionNeedsAPromptAndATypeOnly(t *testing.T) {
	s := open(t)
	a := s.must(t, http.StatusCreated, call{method: "POST", path: "/agent/questions", agent: "bot",
		body: `{"prompt":"Too short?","type":"text","options":null,"min_responses":null}`})
	id := a.str("question_id")
	want := fields{"question_id": id, "status": "OPEN", "poll_url": "/agent/questions/" + id,
		"answer_url": "/q/" + id, "result_url": "/developers/questions/" + id,
		"created_at": "2099-02-02T12:00:00Z", "expires_at": "2099-02-02T13:00:00Z"}
	if diff := cmp.Diff(want, a.json); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := a.header.Get("Location"); got != "/agent/questions/"+id {
		t.Errorf("it is at %q", got)
	}
	if a.header.Get("X-RateLimit-Limit") != "60" || a.header.Get("X-RateLimit-Remaining") != "59" ||
		a.header.Get("X-RateLimit-Reset") != strconv.FormatInt(start.Add(65*time.Minute).Unix(), 10) {
		t.Errorf("the limit is said as %v", a.header)
	}
	got := s.must(t, http.StatusOK, poll("bot", id))
	want = fields{"question_id": id, "status": "OPEN", "prompt": "Too short?", "type": "text", "audience": []any{"general"},
		"required_responses": 5.0, "current_responses": 0.0, "created_at": "2099-02-02T12:00:00Z", "expires_at": "2099-02-02T13:00:00Z",
		"responses": []any{}, "reliability": "low"}
	if diff := cmp.Diff(want, got.json); diff != "" {
		t.Errorf("polled (-want +got):\n%s", diff)
	}
	if got.header.Get("X-RateLimit-Limit") != "600" {
		t.Errorf("the limit of polling is said as %v", got.header)
	}
}

func TestTheBoundsOfAQuestion(t *testing.T) {
	s := open(t)
	options := func(n, length int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf("%0*d", length, i)
		}
		return all
	}
	choice := func(options []string) fields { return fields{"type": "multiple_choice", "options": options} }
	for i, test := range []struct {
		change     fields
		field      string // that is wrong; "" if nothing is
		constraint string
	}{
		{fields{"prompt": strings.Repeat("é", 9)}, "prompt", "length"},
		{fields{"prompt": strings.Repeat("é", 10)}, "", ""},
		{fields{"prompt": strings.Repeat("é", 2000)}, "", ""},
		{fields{"prompt": strings.Repeat("é", 2001)}, "prompt", "length"},
		{fields{"prompt": nil}, "prompt", "required"},
		{fields{"prompt": 7}, "prompt", "type"},
		{fields{"promt": "x"}, "promt", "unknown"},
		{fields{"type": "essay"}, "type", "allowed"},
		{choice(options(1, 1)), "options", "count"},
		{choice(options(2, 1)), "", ""},
		{choice(options(10, 1)), "", ""},
		{choice(options(11, 2)), "options", "count"},
		{choice(options(2, 200)), "", ""},
		{choice(options(2, 201)), "options", "length"},
		{choice([]string{"a", "a"}), "options", "unique"},
		{fields{"options": []any{"a", 2}}, "options[1]", "type"},
		{fields{"min_responses": 0}, "min_responses", "range"},
		{fields{"min_responses": 1}, "", ""},
		{fields{"min_responses": 50}, "", ""},
		{fields{"min_responses": 51}, "min_responses", "range"},
		{fields{"min_responses": 2.5}, "min_responses", "type"},
		{fields{"timeout_seconds": 59}, "timeout_seconds", "range"},
		{fields{"timeout_seconds": 60}, "", ""},
		{fields{"timeout_seconds": 86400}, "", ""},
		{fields{"timeout_seconds": 86401}, "timeout_seconds", "range"},
		{fields{"timeout_seconds": int64(1) << 62}, "timeout_seconds", "range"},
		{fields{"audience": []string{"other"}}, "audience", "allowed"},
		{fields{"callback_url": "ftp://example.org"}, "callback_url", "format"},
		{fields{"language": "en us"}, "language", "format"},
		{fields{"idempotency_key": strings.Repeat("k", 201)}, "idempotency_key", "length"},
	} {
		body := fields{"prompt": "Which of these sounds friendlier?", "type": "text"}
		for name, value := range test.change {
			body[name] = value
		}
		c := call{method: "POST", path: "/agent/questions", agent: fmt.Sprintf("bot-%d", i), body: body}
		if test.field == "" {
			s.must(t, http.StatusCreated, c)
			continue
		}
		a := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", c)
		if a.str("error", "details", "field") != test.field || a.str("error", "details", "constraint") != test.constraint {
			t.Errorf("%v: got %s, want the constraint %s of %s", test.change, a.text, test.constraint, test.field)
		}
	}
	a := s.do(t, call{method: "POST", path: "/agent/questions", agent: "bot", body: fields{"promt": "x"}})
	want := fields{"error": fields{"code": "VALIDATION_ERROR", "message": `There is no field "promt"; did you mean "prompt"?`,
		"details": fields{"field": "promt", "constraint": "unknown", "suggestion": "prompt"}}}
	if diff := cmp.Diff(want, a.json); diff != "" {
		t.Errorf("a misspelled field (-want +got):\n%s", diff)
	}
}

func TestAKeyMakesAskingSafeToRepeat(t *testing.T) {
	s := open(t)
	body := fields{"prompt": "Which of these sounds friendlier?", "type": "text", "idempotency_key": "k1"}
	c := call{method: "POST", path: "/agent/questions", agent: "bot", body: body}
	first := s.must(t, http.StatusCreated, c)
	again := s.must(t, http.StatusOK, c)
	if diff := cmp.Diff(first.json, again.json); diff != "" {
		t.Errorf("repeated (-first +again):\n%s", diff)
	}
	inHeader := c
	inHeader.body = fields{"prompt": "Which of these sounds friendlier?", "type": "text"}
	inHeader.header = map[string]string{"X-Idempotency-Key": "k1"}
	if got := s.must(t, http.StatusOK, inHeader).str("question_id"); got != first.str("question_id") {
		t.Errorf("the key in the header gives %s", got)
	}
	inHeader.body = fields{"prompt": "Is this another question?", "type": "text"}
	s.refused(t, http.StatusConflict, "IDEMPOTENCY_KEY_REUSED", inHeader)
	inHeader.body, inHeader.header = body, map[string]string{"X-Idempotency-Key": "k2"}
	if got := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", inHeader).str("error", "details", "constraint"); got != "conflict" {
		t.Errorf("two keys break the constraint %s", got)
	}
	if got := s.must(t, http.StatusOK, call{method: "GET", path: "/agent/questions", agent: "bot"}).list("questions"); len(got) != 1 {
		t.Errorf("there are %d questions, want 1", len(got))
	}
	c.agent = "another"
	if got := s.must(t, http.StatusCreated, c).str("question_id"); got == first.str("question_id") {
		t.Error("another agent with the same key got the same question")
	}
	c.agent = "bot"
	s.Clock.Advance(25 * time.Hour)
	if got := s.must(t, http.StatusCreated, c).str("question_id"); got == first.str("question_id") {
		t.Error("the key counts after 25 hours")
	}
}

func TestManyQuestionsAtOnce(t *testing.T) {
	s := open(t)
	good := fields{"prompt": "Which of these sounds friendlier?", "type": "text", "idempotency_key": "one", "callback_url": "https://example.org/hook"}
	batch := func(questions ...any) call {
		return call{method: "POST", path: "/agent/questions:batch", agent: "bot", body: fields{"questions": questions}}
	}
	a := s.must(t, http.StatusOK, batch(good, fields{"prompt": "short", "type": "text"}, fields{"prompt": "x", "typ": "text"}, good))
	var statuses []int
	for i := range a.list("results") {
		statuses = append(statuses, a.num("results", i, "status"))
	}
	if diff := cmp.Diff([]int{201, 400, 400, 200}, statuses); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
	if a.str("results", 0, "question", "question_id") != a.str("results", 3, "question", "question_id") {
		t.Error("the repeated question is another")
	}
	if !strings.HasPrefix(a.str("results", 0, "question", "callback_secret"), "whsec_") {
		t.Error("there is no secret for the callback")
	}
	if a.str("results", 2, "error", "details", "suggestion") != "type" {
		t.Errorf("the misspelled field: %s", a.text)
	}
	if got := a.header.Get("X-RateLimit-Remaining"); got != "56" {
		t.Errorf("%s questions remain, want 56: each counts", got)
	}
	for n, questions := range map[string][]any{"none": {}, "26": make([]any, 26)} {
		if got := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", batch(questions...)); got.str("error", "details", "constraint") != "count" {
			t.Errorf("%s questions: %s", n, got.text)
		}
	}
	keyed := batch(good)
	keyed.header = map[string]string{"X-Idempotency-Key": "k"}
	s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", keyed)

	s.useUp(t, askahuman.LimitAsk, "bot", 55)
	a = s.must(t, http.StatusOK, batch(fields{"prompt": "The last one of this hour?", "type": "text"}, good))
	if a.num("results", 0, "status") != 201 || a.num("results", 1, "status") != 429 || a.num("results", 1, "error", "details", "retry_after") != 3900 {
		t.Errorf("at the limit: %s", a.text)
	}
	if a.header.Get("Retry-After") != "3900" {
		t.Errorf("the headers do not say how long to wait: %v", a.header)
	}
}

// useUp uses a limit several times.
func (s *site) useUp(t *testing.T, limit askahuman.Limit, subject string, uses int) {
	t.Helper()
	for range uses {
		if _, err := s.Allow(t.Context(), limit, subject); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSixtyQuestionsAnHourAndAHundredAtOnce(t *testing.T) {
	s := open(t)
	var last string
	for range 60 {
		last = s.ask(t, "bot", fields{"timeout_seconds": 86400})
	}
	c := call{method: "POST", path: "/agent/questions", agent: "bot", body: fields{"prompt": "One question too many?", "type": "text"}}
	a := s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", c)
	for name, want := range map[string]string{
		"Retry-After": "3900", "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0",
		"X-RateLimit-Reset": strconv.FormatInt(start.Add(65*time.Minute).Unix(), 10),
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	s.Clock.Advance(65 * time.Minute)
	for range 40 {
		s.ask(t, "bot", fields{"timeout_seconds": 86400})
	}
	s.refused(t, http.StatusForbidden, "AGENT_QUOTA_EXCEEDED", c)
	closed := s.must(t, http.StatusOK, call{method: "DELETE", path: "/agent/questions/" + last, agent: "bot"})
	if closed.str("status") != "CLOSED" || closed.str("closed_at") == "" {
		t.Errorf("closed early: %s", closed.text)
	}
	s.must(t, http.StatusOK, call{method: "DELETE", path: "/agent/questions/" + last, agent: "bot"}) // again
	s.must(t, http.StatusCreated, c)
}

func TestAnAgentsListHasItsQuestionsOnceAndInOrder(t *testing.T) {
	s := open(t)
	var want []string
	for range 7 {
		want = append([]string{s.ask(t, "bot", nil)}, want...)
		s.Clock.Advance(time.Second)
	}
	s.ask(t, "another", nil)
	s.must(t, http.StatusOK, call{method: "DELETE", path: "/agent/questions/" + want[2], agent: "bot"})
	list := func(query string) (ids []string) {
		for cursor := "start"; cursor != ""; {
			c := call{method: "GET", path: "/agent/questions?" + query, agent: "bot"}
			if cursor != "start" {
				c.path += "&cursor=" + cursor
			}
			a := s.must(t, http.StatusOK, c)
			for i := range a.list("questions") {
				ids = append(ids, a.str("questions", i, "question_id"))
			}
			cursor = a.str("next_cursor")
		}
		return ids
	}
	for _, query := range []string{"limit=2", "limit=100", "limit=7"} {
		if diff := cmp.Diff(want, list(query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	if diff := cmp.Diff(want[2:3], list("status=CLOSED")); diff != "" {
		t.Errorf("closed ones (-want +got):\n%s", diff)
	}
	for query, field := range map[string]string{"limit=0": "limit", "limit=101": "limit", "limit=many": "limit", "status=DONE": "status", "cursor=x": "cursor"} {
		a := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", call{method: "GET", path: "/agent/questions?" + query, agent: "bot"})
		if got := a.str("error", "details", "field"); got != field {
			t.Errorf("%s blames %s", query, got)
		}
	}
}

func TestPollingHasALimit(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", nil)
	s.useUp(t, askahuman.LimitPoll, "bot", 600)
	for _, c := range []call{poll("bot", id), poll("bot", id+"/events"), {method: "GET", path: "/agent/questions", agent: "bot"}, {method: "DELETE", path: "/agent/questions/" + id, agent: "bot"}} {
		if a := s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", c); a.header.Get("X-RateLimit-Limit") != "600" {
			t.Errorf("%s %s: the limit is said as %v", c.method, c.path, a.header)
		}
	}
}
