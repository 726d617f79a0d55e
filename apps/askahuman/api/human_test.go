package api_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/internal/secret"
)

func TestOnePersonAnswersAQuestionOnce(t *testing.T) {
	s := open(t)
	id, person := s.ask(t, "bot", nil), s.newcomer(t)
	detail := call{method: "GET", path: "/human/questions/" + id, person: person}
	if a := s.must(t, http.StatusOK, detail); a.at("can_answer") != true || a.num("responses_needed") != 5 {
		t.Errorf("before: %s", a.text)
	}
	var all sync.WaitGroup
	statuses := make([]int, 4)
	for i := range statuses {
		request := s.request(t, says(person, id, "The first one, by far"))
		all.Go(func() {
			response, err := s.http.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			response.Body.Close()
			statuses[i] = response.StatusCode
		})
	}
	all.Wait()
	count := make(map[int]int)
	for _, status := range statuses {
		count[status]++
	}
	if diff := cmp.Diff(map[int]int{201: 1, 409: 3}, count); diff != "" {
		t.Errorf("statuses of the same answer at once (-want +got):\n%s", diff)
	}
	s.refused(t, http.StatusConflict, "ALREADY_ANSWERED", says(person, id, "The first one, by far"))
	if a := s.must(t, http.StatusOK, detail); a.at("can_answer") != false {
		t.Errorf("after: %s", a.text)
	}
	if a := s.must(t, http.StatusOK, call{method: "GET", path: "/human/questions", person: person}); len(a.list("questions")) != 0 {
		t.Errorf("it is still in the feed: %s", a.text)
	}
	if a := s.must(t, http.StatusOK, call{method: "GET", path: "/human/questions"}); len(a.list("questions")) != 1 {
		t.Errorf("it is not in the feed of others: %s", a.text)
	}
}

func TestAQuestionIsOverWhenItsTimeIsUp(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", fields{"timeout_seconds": 60})
	s.must(t, http.StatusCreated, says(s.newcomer(t), id, "Just in time"))
	s.Clock.Advance(61 * time.Second)
	a := s.must(t, http.StatusOK, poll("bot", id))
	if a.str("status") != "EXPIRED" || a.str("expired_at") != "2099-02-02T12:01:00Z" || a.str("responses", 0, "answer") != "Just in time" {
		t.Errorf("polled: %s", a.text)
	}
	late := s.newcomer(t)
	s.refused(t, http.StatusGone, "QUESTION_CLOSED", says(late, id, "Am I late?"))
	s.refused(t, http.StatusGone, "QUESTION_CLOSED", call{method: "GET", path: "/human/questions/" + id, person: late})
	if a := s.must(t, http.StatusOK, call{method: "GET", path: "/human/questions", person: late}); len(a.list("questions")) != 0 {
		t.Errorf("it is in the feed: %s", a.text)
	}
}

func TestVotesAreSummedUpForEveryOption(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", fields{"type": "multiple_choice", "options": []string{"Hi", "Hello", "Good day"}, "min_responses": 4})
	for _, option := range []int{1, 1, 0, 1} {
		s.must(t, http.StatusCreated, chooses(s.newcomer(t), id, option))
	}
	a := s.must(t, http.StatusOK, poll("bot", id))
	if diff := cmp.Diff(fields{"Hi": 1.0, "Hello": 3.0, "Good day": 0.0}, a.at("summary")); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if a.num("current_responses") != 4 || a.str("status") != "CLOSED" || a.str("reliability") != "high" {
		t.Errorf("polled: %s", a.text)
	}
	if diff := cmp.Diff(fields{"option": "Hello", "share": 0.75}, a.at("consensus")); diff != "" {
		t.Errorf("consensus (-want +got):\n%s", diff)
	}
	person := s.newcomer(t)
	other := s.ask(t, "bot", fields{"type": "multiple_choice", "options": []string{"Hi", "Hello"}})
	for _, c := range []call{chooses(person, other, 2), chooses(person, other, -1), says(person, other, "neither")} {
		s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", c)
	}
}

func TestHasteIsNoticedAndSlowedDown(t *testing.T) {
	s := open(t)
	s.Clock.Advance(500 * time.Millisecond) // a limit that ends between two seconds ends with the later one
	person := s.newcomer(t)
	hasty := says(person, s.ask(t, "bot", nil), "I did not read it")
	hasty.body.(fields)["response_time_ms"] = 3000
	s.must(t, http.StatusCreated, hasty)
	flagged, _, err := s.Operators.Flagged(t.Context(), 10, "")
	if err != nil || len(flagged) != 1 || flagged[0].Response.FlagReason == nil || *flagged[0].Response.FlagReason != askahumandb.ResponseFlagReasonSuspiciousTiming {
		t.Fatalf("flagged: %+v, %v; want the hasty answer", flagged, err)
	}
	for _, text := range []string{"Second answer here", "Third answer is this", "Fourth answer follows", "Fifth and last one"} {
		s.must(t, http.StatusCreated, says(person, s.ask(t, "bot", nil), text))
	}
	sixth := says(person, s.ask(t, "bot", nil), "One too many")
	a := s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", sixth)
	if a.header.Get("Retry-After") != "60" || a.header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("the headers are %v", a.header)
	}
	if header, body := a.header.Get("X-RateLimit-Reset"), strconv.Itoa(a.num("error", "details", "reset")); header != body {
		t.Errorf("the limit ends at %s in the header and at %s in the body", header, body)
	}
	s.Clock.Advance(60 * time.Second)
	s.must(t, http.StatusCreated, sixth)
}

func TestWhatAnAnswerEarns(t *testing.T) {
	s := open(t)
	id, person := s.ask(t, "bot", nil), s.newcomer(t)
	c := says(person, id, strings.Repeat("thoughtful ", 11))
	c.body.(fields)["confidence"], c.body.(fields)["source"], c.body.(fields)["timezone_offset"] = 5, "link", 60
	a := s.must(t, http.StatusCreated, c)
	if a.num("points_earned") != 22 || a.num("total_points") != 22 || a.num("streak_days") != 1 || a.str("next_badge", "id") == "" {
		t.Errorf("it earned %s, want 10+2+5+5 points", a.text)
	}
	stats := s.must(t, http.StatusOK, call{method: "GET", path: "/human/stats", person: person, header: map[string]string{"X-Timezone-Offset": "60"}})
	if stats.num("total_points") != 22 || stats.num("rank") != 1 || stats.str("badges", 0, "earned_at") == "" || stats.num("answers_by_category", "general") != 1 {
		t.Errorf("stats: %s", stats.text)
	}
	fresh := s.must(t, http.StatusOK, call{method: "GET", path: "/human/stats", person: s.newcomer(t)})
	if fresh.at("rank") != nil || fresh.num("total_points") != 0 || len(fresh.list("progress")) != 18 {
		t.Errorf("stats of a newcomer: %s", fresh.text)
	}
	for period, resets := range map[string]string{"daily": "2099-02-03T00:00:00Z", "weekly": "2099-02-09T00:00:00Z", "all_time": ""} {
		board := s.must(t, http.StatusOK, call{method: "GET", path: "/human/leaderboard?limit=1000&period=" + period, person: person})
		if board.num("your_rank") != 1 || board.at("entries", 0, "is_current_user") != true || board.str("resets_at") != resets {
			t.Errorf("the %s board: %s", period, board.text)
		}
	}
	if board := s.must(t, http.StatusOK, call{method: "GET", path: "/human/leaderboard"}); board.at("your_rank") != nil || board.str("period") != "all_time" {
		t.Errorf("the board for an anonymous visitor: %s", board.text)
	}
	if got := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", call{method: "GET", path: "/human/leaderboard?period=yearly"}).str("error", "details", "field"); got != "period" {
		t.Errorf("a wrong period blames %s", got)
	}
}

func TestWhatAnAnswerMustBe(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", nil)
	for _, test := range []struct {
		change fields
		field  string
	}{
		{fields{"question_id": nil}, "question_id"},
		{fields{"answer": " "}, "answer"},
		{fields{"answer": strings.Repeat("a", 5001)}, "answer"},
		{fields{"answer": nil, "selected_option": 0}, "selected_option"},
		{fields{"confidence": 0}, "confidence"},
		{fields{"confidence": 6}, "confidence"},
		{fields{"response_time_ms": -1}, "response_time_ms"},
		{fields{"response_time_ms": int64(1) << 62}, "response_time_ms"},
		{fields{"source": "spam"}, "source"},
		{fields{"timezone_offset": 841}, "timezone_offset"},
		{fields{"fingerprint_hash": "x"}, "fingerprint_hash"},
	} {
		c := says(s.newcomer(t), id, "A good answer")
		for name, value := range test.change {
			c.body.(fields)[name] = value
		}
		if got := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", c).str("error", "details", "field"); got != test.field {
			t.Errorf("%v blames %q, want %q", test.change, got, test.field)
		}
	}
	s.must(t, http.StatusCreated, says(s.newcomer(t), id, strings.Repeat("a", 5000)))
}

func TestTheFeedComesInPages(t *testing.T) {
	s := open(t)
	want := make(map[string]bool)
	for range 7 {
		want[s.ask(t, "bot", nil)] = true
		s.Clock.Advance(time.Second)
	}
	technical := s.ask(t, "bot", fields{"audience": []string{"technical"}})
	want[technical] = true
	got := make(map[string]bool)
	for path := "/human/questions?limit=3"; ; {
		a := s.must(t, http.StatusOK, call{method: "GET", path: path})
		for i := range a.list("questions") {
			id := a.str("questions", i, "question_id")
			if got[id] {
				t.Errorf("%s is there twice", id)
			}
			got[id] = true
		}
		if a.str("next_cursor") == "" {
			break
		}
		path = "/human/questions?limit=3&cursor=" + a.str("next_cursor")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	a := s.must(t, http.StatusOK, call{method: "GET", path: "/human/questions?limit=-5&audience=technical"})
	if len(a.list("questions")) != 1 || a.str("questions", 0, "question_id") != technical {
		t.Errorf("for one audience: %s", a.text)
	}
	for query, field := range map[string]string{"limit=few": "limit", "cursor=x": "cursor", "audience=other": "audience"} {
		a := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", call{method: "GET", path: "/human/questions?" + query})
		if got := a.str("error", "details", "field"); got != field {
			t.Errorf("%s blames %s", query, got)
		}
	}
}

// The feed has 20 questions unless it is said, and never more than 50; a leaderboard has ten
// places, and never more than 100.
func TestHowLongListsAre(t *testing.T) {
	s := open(t)
	for n := range 51 {
		s.Ask(t, fmt.Sprintf("agent-%d", n), 5)
	}
	for n := range 101 {
		q := s.Ask(t, fmt.Sprintf("agent-%d", n), 1)
		if _, err := s.Answers.Answer(t.Context(), s.Person(t, n), askahumantest.Text(q.QuestionID, 20)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]int{
		"/human/questions": 20, "/human/questions?limit=0": 1, "/human/questions?limit=51": 50,
		"/human/leaderboard": 10, "/human/leaderboard?limit=0": 1, "/human/leaderboard?limit=101": 100,
	} {
		a := s.must(t, http.StatusOK, call{method: "GET", path: path})
		if got := len(a.list("questions")) + len(a.list("entries")); got != want {
			t.Errorf("%s has %d, want %d", path, got, want)
		}
	}
}

// A day ends where the person is, also when one request does not say where that is.
func TestARequestWithoutAZoneIsFromWhereThePersonWas(t *testing.T) {
	s := open(t)
	person := s.newcomer(t)
	s.Clock.Set(time.Date(2099, time.February, 3, 4, 0, 0, 0, time.UTC))
	monday := says(person, s.ask(t, "bot", nil), "It is Monday evening in the west")
	monday.header = map[string]string{"X-Timezone-Offset": "-480"}
	s.must(t, http.StatusCreated, monday)
	s.Clock.Set(time.Date(2099, time.February, 4, 7, 0, 0, 0, time.UTC))
	streak := func(header map[string]string) int {
		return s.must(t, http.StatusOK, call{method: "GET", path: "/human/stats", person: person, ip: freshIP(), header: header}).num("streak_days")
	}
	if got := streak(nil); got != 1 {
		t.Errorf("on Tuesday evening the streak is %d, want 1", got)
	}
	if got := streak(map[string]string{"X-Timezone-Offset": "0"}); got != 0 {
		t.Errorf("for a person who has gone to UTC, where it is Wednesday, it is %d, want 0", got)
	}
	tuesday := says(person, s.ask(t, "bot", nil), "It is Tuesday evening in the west")
	if got := s.must(t, http.StatusCreated, tuesday).num("streak_days"); got != 2 {
		t.Errorf("an answer on Tuesday evening makes it %d, want 2", got)
	}
}

func TestSubscriptions(t *testing.T) {
	s := open(t)
	person := s.newcomer(t)
	do := func(method string, body fields) call {
		return call{method: method, path: "/human/push/subscribe", person: person, ip: freshIP(), body: body}
	}
	fcm := s.must(t, http.StatusCreated, do("POST", fields{"fcm_token": "t1"}))
	if fcm.str("status") != "active" || fcm.str("channel") != "fcm" || fcm.num("min_interval_minutes") != 30 {
		t.Errorf("subscribed: %s", fcm.text)
	}
	key := func(bytes int) string { return base64.RawURLEncoding.EncodeToString(make([]byte, bytes)) }
	browser := s.must(t, http.StatusCreated, do("POST", fields{"endpoint": "https://push.example/1", "p256dh": key(65), "auth": key(16)}))
	inbox := s.must(t, http.StatusCreated, do("POST", fields{"audience": []string{"ethics"}, "min_interval_minutes": 5}))
	if browser.str("channel") != "webpush" || inbox.str("channel") != "inbox" || inbox.str("audience", 0) != "ethics" {
		t.Errorf("subscribed: %s %s", browser.text, inbox.text)
	}
	changed := s.must(t, http.StatusOK, do("PUT", fields{"subscription_id": fcm.str("subscription_id"), "fcm_token": "t2", "min_interval_minutes": 60}))
	if changed.num("min_interval_minutes") != 60 || changed.str("subscription_id") != fcm.str("subscription_id") {
		t.Errorf("changed: %s", changed.text)
	}
	s.must(t, http.StatusOK, do("PUT", fields{"fcm_token": "t3"}))
	for _, test := range []struct {
		c     call
		field string
	}{
		{do("POST", fields{"min_interval_minutes": 0}), "min_interval_minutes"},
		{do("POST", fields{"min_interval_minutes": 4}), "min_interval_minutes"},
		{do("POST", fields{"min_interval_minutes": 1441}), "min_interval_minutes"},
		{do("POST", fields{"channel": "pigeon"}), "channel"},
		{do("POST", fields{"channel": "fcm"}), "fcm_token"},
		{do("POST", fields{"endpoint": "http://push.example/1"}), "endpoint"},
		{do("POST", fields{"endpoint": "https://push.example/1", "p256dh": "x"}), "p256dh"},
		{do("POST", fields{"audience": []string{"other"}}), "audience"},
		{do("POST", fields{"subscription_id": "x"}), "subscription_id"},
		{do("PUT", fields{"subscription_id": fcm.str("subscription_id"), "channel": "inbox"}), "channel"},
	} {
		s.Clock.Advance(30 * time.Minute) // within the limit
		if got := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", test.c).str("error", "details", "field"); got != test.field {
			t.Errorf("%v blames %q, want %q", test.c.body, got, test.field)
		}
	}
	end := call{method: "DELETE", path: "/human/push/subscribe/" + fcm.str("subscription_id"), person: s.newcomer(t)}
	s.refused(t, http.StatusNotFound, "NOT_FOUND", end) // it is another's
	end.person = person
	s.must(t, http.StatusNoContent, end)
	s.must(t, http.StatusNoContent, end)
	if got := s.must(t, http.StatusOK, call{method: "GET", path: "/human/push/key"}).str("public_key"); got != "the public key" {
		t.Errorf("the key is %q", got)
	}
	address := freshIP()
	s.useUp(t, askahuman.LimitSubscribeFrom, address, 300)
	c := do("POST", fields{})
	c.ip = address
	s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", c)
	many := s.newcomer(t)
	identified, err := s.People.Identify(many, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	s.useUp(t, askahuman.LimitSubscribe, identified.Hash, 10)
	c = do("POST", fields{})
	c.person = many
	s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", c)
}

func TestInboxReportsAndErasureOfAPerson(t *testing.T) {
	s := open(t)
	id, token := s.ask(t, "bot", nil), s.newcomer(t)
	person, err := s.People.Identify(token, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	inbox := call{method: "GET", path: "/human/inbox", person: token}
	if a := s.must(t, http.StatusOK, inbox); len(a.list("entries")) != 0 {
		t.Errorf("before anything was sent: %s", a.text)
	}
	s.recordPush(t, person, id)
	if a := s.must(t, http.StatusOK, inbox); a.str("entries", 0, "question", "question_id") != id {
		t.Errorf("the inbox: %s", a.text)
	}
	report := call{method: "POST", path: "/human/questions/" + id + "/report", person: token, body: fields{"reason": "It is rude."}}
	s.must(t, http.StatusNoContent, report)
	s.must(t, http.StatusNoContent, report)
	report.body = fields{"reason": " "}
	s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", report)
	if open, _, err := s.Operators.OpenReports(t.Context(), 10, ""); err != nil || len(open) != 1 || open[0].Report.Reason != "It is rude." {
		t.Errorf("reports: %+v, %v", open, err)
	}
	s.must(t, http.StatusCreated, says(token, id, "My own words"))
	s.must(t, http.StatusNoContent, call{method: "DELETE", path: "/human/me", person: token})
	if a := s.must(t, http.StatusOK, call{method: "GET", path: "/human/stats", person: token}); a.num("total_answers") != 0 {
		t.Errorf("after being forgotten: %s", a.text)
	}
	if a := s.must(t, http.StatusOK, poll("bot", id)); strings.Contains(a.text, "My own words") || a.num("current_responses") != 1 {
		t.Errorf("the question after its person was forgotten: %s", a.text)
	}
}

// recordPush records that a person was notified for a question.
func (s *site) recordPush(t *testing.T, p askahuman.Person, questionID string) {
	t.Helper()
	now := s.Now()
	if _, err := s.DB.RecordPush(t.Context(), askahumandb.PushSent{
		QuestionID: questionID, SubscriptionID: secret.NewID(), FingerprintHash: p.Hash, SentAt: now, TTL: now.Add(askahuman.KeepPush),
	}); err != nil {
		t.Fatal(err)
	}
}

func TestTheLimitsOfPeople(t *testing.T) {
	s := open(t)
	id, token, address := s.ask(t, "bot", nil), s.newcomer(t), freshIP()
	person, err := s.People.Identify(token, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	s.useUp(t, askahuman.LimitBrowse, address, 300)
	s.useUp(t, askahuman.LimitIdentity, address, 600)
	s.useUp(t, askahuman.LimitAnswer, person.Hash, 30)
	s.useUp(t, askahuman.LimitReport, person.Hash, 10)
	for path, limit := range map[string]string{
		"GET /human/questions": "300", "GET /human/questions/" + id: "300", "GET /human/stats": "300", "GET /human/leaderboard": "300",
		"GET /human/inbox": "300", "GET /human/push/key": "300", "POST /human/identity": "600", "POST /human/responses": "30",
		"POST /human/questions/" + id + "/report": "10", "DELETE /human/me": "300", "DELETE /human/push/subscribe/x": "300",
	} {
		method, path, _ := strings.Cut(path, " ")
		a := s.refused(t, http.StatusTooManyRequests, "RATE_LIMITED", call{method: method, path: path, person: token, ip: address})
		if a.header.Get("X-RateLimit-Limit") != limit || a.header.Get("Retry-After") != "3900" {
			t.Errorf("%s %s: the headers are %v, want the limit %s", method, path, a.header, limit)
		}
	}
}
