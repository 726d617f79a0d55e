package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
)

// answered returns a visitor who has answered a question.
func (s *stage) answered() *visitor {
	s.t.Helper()
	q := s.ask("What do you make of this?")
	v := s.visitor()
	v.get("/q/" + q.QuestionID)
	seen := v.hidden("seen")
	s.Clock.Advance(30 * time.Second)
	v.send("/q/"+q.QuestionID, "seen", seen, "answer", "Not much, to be honest.").want(s.t, 200, "Thank you")
	return v
}

func TestQuestionsThatTakeNoAnswers(t *testing.T) {
	s := open(t)
	closed, expired, other := s.ask("This one will be full soon"), s.ask("This one will be too old soon"), s.ask("This one stays open a day")
	_ = other
	s.answers(closed, 3)
	v := s.visitor()
	v.get("/q/"+expired.QuestionID).want(t, 200, "Send answer")
	seen := v.hidden("seen")
	v.get("/q/"+closed.QuestionID).want(t, 410, "This question is closed", "all the answers it needed", "Next question")
	v.get("/q/nosuchquestion").want(t, 404, "There is no such question")
	s.Clock.Advance(2 * time.Hour)
	v.send("/q/"+expired.QuestionID, "seen", seen, "answer", "I have an opinion on that").want(t, 410, "too late", "time was up", "Next question")
	v.get("/q/"+expired.QuestionID).want(t, 410, "This question is over")
	v.get("/questions/"+expired.QuestionID).want(t, 410)
	v.get("/nowhere").want(t, 404, "There is nothing here")
}

func TestSkippingGoesThroughTheFeedOnce(t *testing.T) {
	s := open(t)
	first, second := s.ask("The first of two questions"), s.ask("The second of two questions")
	v := s.visitor()
	at := v.get("/next").Path
	if at != "/q/"+first.QuestionID && at != "/q/"+second.QuestionID {
		t.Fatalf("next leads to %s", at)
	}
	then := v.send(at + "/skip").Path
	if then == at || !strings.HasPrefix(then, "/q/") {
		t.Errorf("after skipping %s comes %s", at, then)
	}
	v.send(then+"/skip").want(t, 200, "You have seen every open question.")
	if back := v.get("/next").Path; !strings.HasPrefix(back, "/q/") {
		t.Errorf("after the end nothing is skipped any more, but next leads to %s", back)
	}
}

func TestAnsweringTooFastKeepsWhatWasWritten(t *testing.T) {
	s := open(t)
	v := s.answered()
	var last answer
	for range 5 {
		q := s.ask("One question after the other")
		v.get("/q/" + q.QuestionID)
		last = v.send("/q/"+q.QuestionID, "seen", v.hidden("seen"), "answer", "Here is what I think of it")
	}
	last.want(t, http.StatusTooManyRequests, "You answer very fast", "Here is what I think of it", "Send answer")
	if last.Head.Get("Retry-After") == "" {
		t.Error("it does not say when to try again")
	}
}

func TestSomebodyWhoWasBanned(t *testing.T) {
	s := open(t)
	v := s.answered()
	for stats, err := range s.DB.ScanUserStats().All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Operators.SetModerationStatus(t.Context(), "operator", stats.FingerprintHash, askahumandb.UserStatsStandingBanned); err != nil {
			t.Fatal(err)
		}
	}
	q := s.ask("Would you like to answer this?")
	v.get("/q/"+q.QuestionID).want(t, http.StatusForbidden, "You cannot do this here any more")
	v.send("/q/"+q.QuestionID, "answer", "I would like to, very much").want(t, http.StatusForbidden, "You cannot do this here any more")
}

func TestFormsOfOthersAreRefused(t *testing.T) {
	s := open(t)
	q := s.ask("Would you like to answer this?")
	v := s.visitor()
	v.get("/q/" + q.QuestionID)
	v.CSRF = "made.up"
	v.send("/q/"+q.QuestionID, "answer", "An answer from elsewhere").want(t, http.StatusForbidden, "This form is out of date")
	got, err := s.Questions.Question(t.Context(), q.QuestionID)
	if err != nil || got.CurrentResponses != 0 {
		t.Errorf("the question has %d answers (%v)", got.CurrentResponses, err)
	}
}

func TestTheLeaderboardShowsOnesOwnPlace(t *testing.T) {
	s := open(t)
	s.visitor().get("/leaderboard").want(t, 200, "Nobody has answered today")
	q := s.Submit(t, questions.Ask{AgentID: "agent", Type: "text", Prompt: "Something to write about", Required: new(50)})
	for i := range 14 {
		if _, err := s.Answers.Answer(t.Context(), s.Person(t, i), askahumantest.Text(q.QuestionID, 150)); err != nil {
			t.Fatal(err)
		}
	}
	q = s.Submit(t, questions.Ask{AgentID: "agent", Type: "multiple_choice", Prompt: "Something to choose", Options: []string{"This", "That"}, Required: new(50)})
	s.answers(q, 25)
	v := s.visitor()
	v.get("/q/" + q.QuestionID)
	v.send("/q/"+q.QuestionID, "option", "1").want(t, 200, "Thank you", "+5")
	for _, period := range []string{"daily", "weekly", "all_time"} {
		v.get("/leaderboard?period="+period).want(t, 200, `class="mine"`, " You<", "···", "Show the first 100")
		v.get("/leaderboard?period="+period+"&top=100").want(t, 200, `class="mine"`, "Show the first 10")
	}
	s.visitor().get("/leaderboard").want(t, 200, "You are not on this board yet")
}

func TestSubscribingToTheInbox(t *testing.T) {
	s := open(t)
	v := s.visitor()
	v.get("/me/settings").want(t, 200, "Turn on my inbox")
	v.send("/me/notifications", "interval", "4").want(t, 422, "Write a whole number from 5 to 1,440")
	v.send("/me/notifications", "interval", "60", "audience", "ethics", "audience", "creative").want(t, 200, "Inbox on this site", "at most every hour", "Stop", "Save")
	v.send("/me/notifications/push", "interval", "15", "endpoint", "https://push.example/abc",
		"p256dh", "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM", "auth", "tBHItJI5svbpez7KI4CCXg").
		want(t, 200, "Notifications of this browser", "at most every 15 minutes")
	v.last.lacks(t, "at most every hour", "push.example")
	v.send("/me/notifications/stop", "id", v.hidden("id")).want(t, 200, "Stopped")
	v.send("/me/notifications/stop", "id", v.hidden("id")).want(t, 200, "Turn on my inbox")
	s.visitor().get("/me/settings").lacks(t, "Stop")
}

// TestABrowserRenewsItsPushMessages: a renewal keeps the wishes, touches no other device's subscription, and starts nothing that
// the person ended.
func TestABrowserRenewsItsPushMessages(t *testing.T) {
	s := open(t)
	v := s.visitor()
	keys := []string{"p256dh", "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM", "auth", "tBHItJI5svbpez7KI4CCXg"}
	send := func(status int, fields ...string) {
		t.Helper()
		v.send("/me/notifications/push", append(fields, keys...)...).want(t, status)
	}
	stored := func(want string) {
		t.Helper()
		v.get("/me/settings")
		var got []string
		for subscription, err := range s.DB.ScanSubscription().All(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprint(*subscription.Endpoint, " ", subscription.MinIntervalMinutes, " ", subscription.Active))
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("subscriptions %q, want %q", got, want)
		}
	}
	v.get("/me/settings")
	send(200, "interval", "15", "endpoint", "https://push.example/of-another-device")
	send(404, "endpoint", "https://push.example/new", "replaces", "https://push.example/old")
	stored("https://push.example/of-another-device 15 true")
	send(204, "endpoint", "https://push.example/new", "replaces", "https://push.example/of-another-device")
	send(204, "endpoint", "https://push.example/new", "replaces", "https://push.example/of-another-device") // once more
	send(204, "endpoint", "https://push.example/newer")                                                     // of a browser that forgot
	stored("https://push.example/newer 15 true")
	v.send("/me/notifications/stop", "id", v.hidden("id")).want(t, 200, "Stopped")
	send(404, "endpoint", "https://push.example/newest", "replaces", "https://push.example/newer")
	stored("https://push.example/newer 15 false")
}

func TestMovingToAnotherDevice(t *testing.T) {
	s := open(t)
	old := s.answered()
	old.get("/me/settings")
	page := old.send("/me/move")
	page.want(t, 200, "Open this on the other device")
	_, link, _ := strings.Cut(page.Page, s.url+"/move")
	link, _, _ = strings.Cut("/move"+link, "<")
	link, _, _ = strings.Cut(link, `"`)
	old.get(link).want(t, 200, "These are your points already")

	new := s.visitor()
	new.get(link).want(t, 200, "Bring your points here?", "15 points")
	new.send("/move", "token", new.hidden("token")).want(t, 200, "Your points and badges are on this device now", "2 of 18 earned")

	third := s.visitor()
	third.get(link)
	third.send("/move", "token", third.hidden("token")).want(t, 404, "This link was used")
	s.Clock.Advance(16 * time.Minute)
	s.visitor().get(link).want(t, 404, "too old")
	token, err := url.QueryUnescape(strings.TrimPrefix(link, "/move?token="))
	if err != nil {
		t.Fatal(err)
	}
	if value, err := s.Box.Open("move identity", token, time.Time{}); err != nil || strings.Contains(value, s.identityOf(old)) {
		t.Errorf("the link tells the identity (%v)", err)
	}
}

// identityOf returns the identity a visitor has.
func (s *stage) identityOf(v *visitor) string {
	s.t.Helper()
	site, err := url.Parse(s.url)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, cookie := range v.Client.Jar.Cookies(site) {
		if cookie.Name == "person" {
			identity, err := s.Box.Open("cookie person", cookie.Value, s.Clock.Now())
			if err != nil {
				s.t.Fatal(err)
			}
			return identity
		}
	}
	s.t.Fatal("the visitor has no identity")
	return ""
}

func TestDeletingOnesData(t *testing.T) {
	s := open(t)
	v := s.answered()
	v.get("/me/answers").want(t, 200, "Not much, to be honest.", "What do you make of this?", "points")
	v.get("/me/forget").want(t, 200, "Delete everything about you?", "15 points")
	v.send("/me/forget").want(t, 200, "Your data is deleted")
	v.get("/me").want(t, 200, "You have not answered yet")
	for _, err := range s.DB.ScanUserStats().All(t.Context()) {
		t.Errorf("somebody is left (%v)", err)
	}
}

func TestReportingAQuestion(t *testing.T) {
	s := open(t)
	q := s.ask("What is the PIN of your card?")
	v := s.visitor()
	v.get("/q/"+q.QuestionID).want(t, 200, "Report this question")
	v.send("/q/"+q.QuestionID+"/report", "reason", "").want(t, 422, "Fill this in.")
	v.send("/q/"+q.QuestionID+"/report", "reason", "It asks for something secret").want(t, 200, "Somebody will look at this question")
	reports, _, err := s.Operators.OpenReports(t.Context(), 10, "")
	if err != nil || len(reports) != 1 || reports[0].Report.Reason != "It asks for something secret" {
		t.Errorf("reports: %v (%v)", reports, err)
	}
}

func TestTheFeedGoesOn(t *testing.T) {
	s := open(t)
	for range 30 {
		s.ask("One of very many questions")
		s.Clock.Advance(time.Second)
	}
	v := s.visitor()
	seen := make(map[string]bool)
	path := "/?audience=product"
	for range 5 {
		page := v.get(path)
		if first, follows := len(seen) == 0, strings.Contains(page.Page, "data-feed="); first != follows {
			t.Errorf("%s announces new questions: %v; only the first page does", path, follows)
		}
		for _, part := range strings.Split(page.Page, `data-question="`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			if seen[id] {
				t.Errorf("%s is there twice", id)
			}
			seen[id] = true
		}
		_, more, ok := strings.Cut(page.Page, `rel="next" href="`)
		if !ok {
			break
		}
		path, _, _ = strings.Cut(more, `"`)
	}
	if len(seen) != 30 {
		t.Errorf("%d of 30 questions are shown", len(seen))
	}
	v.get("/?audience=ethics").want(t, 200, "No ethics questions right now", "Show all questions")
	v.get("/?cursor=nonsense").want(t, 200, "One of very many questions")
}

// People who answer learn nothing of others: not their answers, and not their hashes.
func TestPagesTellNothingOfOthers(t *testing.T) {
	s := open(t)
	q := s.ask("What would you say to this?")
	other := s.Person(t, 1)
	a := askahumantest.Text(q.QuestionID, 20)
	a.Text = "the words of somebody else"
	reward, err := s.Answers.Answer(t.Context(), other, a)
	if err != nil {
		t.Fatal(err)
	}
	v := s.answered()
	mine, err := s.People.Identify(s.identityOf(v), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/", "/q/" + q.QuestionID, "/done", "/leaderboard?period=all_time", "/me", "/me/answers", "/me/settings", "/developers", "/developers/questions/" + q.QuestionID} {
		v.get(path).lacks(t, "the words of somebody else", other.Hash, other.IPHash, mine.Hash, reward.ResponseID, "127.0.0.1,")
	}
}

func TestTheSiteCanBeInstalled(t *testing.T) {
	s := open(t)
	v := s.visitor()
	v.get("/").want(t, 200, `rel="manifest"`)
	v.get("/manifest.webmanifest").want(t, 200, `"short_name": "Ask"`, `"display": "standalone"`)
	v.get("/icon.svg").want(t, 200, "<svg")
	v.get("/service-worker.js").want(t, 200, "importScripts(")
	v.get("/queued").want(t, 200, "Your answer is safe")
}
