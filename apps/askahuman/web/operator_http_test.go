package web_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/background"
)

const operatorSecret = "open sesame, please"

func withOperators(o *setup) { o.operators = true }

// operator returns a visitor who has signed in.
func (s *stage) operator() *visitor {
	s.t.Helper()
	v := s.visitor()
	v.get("/operator/sign-in")
	v.send("/operator/sign-in", "name", "operator", "secret", operatorSecret).want(s.t, 200, "Overview", "Signed in as")
	return v
}

// flagged returns an answer that came too fast.
func (s *stage) flagged(q askahumandb.Question, text string) askahuman.Person {
	s.t.Helper()
	s.Clock.Advance(time.Second)
	person := s.Person(s.t, 7)
	s.hasty(person, q, text)
	return person
}

// hasty lets a person answer faster than anybody can think.
func (s *stage) hasty(person askahuman.Person, q askahumandb.Question, text string) {
	s.t.Helper()
	took := time.Second
	a := answers.Answer{QuestionID: q.QuestionID, Text: text, Took: &took, Source: askahumandb.ResponseSourceFeed}
	if _, err := s.Answers.Answer(s.t.Context(), person, a); err != nil {
		s.t.Fatal(err)
	}
}

// audit returns today's audit events after signing in, oldest first.
func (s *stage) audit() []string {
	s.t.Helper()
	page, err := s.Env.Audit.Day(s.t.Context(), access.DateOf(s.Clock.Now()), 0, "")
	if err != nil {
		s.t.Fatal(err)
	}
	var got []string
	for _, e := range slices.Backward(page.Items) {
		if e.Action != "sign in" {
			got = append(got, e.Actor+": "+e.Action)
		}
	}
	return got
}

func (s *stage) standing(p askahuman.Person) askahumandb.UserStatsStanding {
	s.t.Helper()
	return must(s.DB.GetUserStats(s.t.Context(), p.Hash)).Standing
}

// operatorPaths returns all addresses of operators, of a question and a person.
func operatorPaths(q askahumandb.Question, p askahuman.Person) (get, post []string) {
	get = []string{
		"/operator", "/operator/", "/operator/live", "/operator/flags", "/operator/reports", "/operator/questions", "/operator/questions?q=agent", "/operator/questions/" + q.QuestionID,
		"/operator/people", "/operator/people/" + p.Hash, "/operator/agents", "/operator/agents?agent=agent", "/operator/jobs", "/operator/patterns", "/operator/audit",
	}
	post = []string{
		"/operator/flags/" + q.QuestionID + "/" + p.Hash, "/operator/reports/" + q.QuestionID + "/" + p.Hash, "/operator/questions/" + q.QuestionID,
		"/operator/agents", "/operator/people/" + p.Hash, "/operator/jobs", "/operator/loops",
	}
	return get, post
}

// operatorForm fills in all forms of operators at once.
var operatorForm = []string{"action", "reject", "action", "hide", "standing", "banned", "agent", "agent", "job", "x", "loop", "jobs"}

func TestOperatorPagesRequireASession(t *testing.T) {
	kicked := false
	s := open(t, withOperators, func(o *setup) { o.operator.Kick = func(string) bool { kicked = true; return true } })
	q := s.ask("Is this error message too blunt?")
	p := s.flagged(q, "I say what everybody says.")
	get, post := operatorPaths(q, p)
	v := s.visitor()
	v.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, path := range get {
		a := v.get(path)
		if a.Code != 303 || !strings.HasPrefix(a.Head.Get("Location"), "/operator/sign-in") || strings.Contains(a.Page, "blunt") {
			t.Errorf("GET %s: %d to %q", path, a.Code, a.Head.Get("Location"))
		}
	}
	v.get("/operator/sign-in")
	for _, path := range post {
		a := v.send(path, operatorForm...)
		if a.Code != 303 || !strings.HasPrefix(a.Head.Get("Location"), "/operator/sign-in") {
			t.Errorf("POST %s: %d to %q", path, a.Code, a.Head.Get("Location"))
		}
	}
	unchanged(t, s, q, p)
	if kicked {
		t.Error("a loop was run")
	}
}

// unchanged makes sure that nothing happened to a question with one flagged answer.
func unchanged(t *testing.T, s *stage, q askahumandb.Question, p askahuman.Person) {
	t.Helper()
	if got := s.audit(); len(got) > 0 {
		t.Errorf("audit events were recorded: %v", got)
	}
	if got := must(s.Questions.Question(t.Context(), q.QuestionID)); got.CurrentResponses != 1 || got.Hidden || s.standing(p) != askahumandb.UserStatsStandingGood {
		t.Errorf("the question has %d answers, hidden %v; the person is %s", got.CurrentResponses, got.Hidden, s.standing(p))
	}
}

func TestForgedFormsOfOperatorsAreRefused(t *testing.T) {
	s := open(t, withOperators)
	q := s.ask("Is this error message too blunt?")
	p := s.flagged(q, "I say what everybody says.")
	v := s.operator()
	_, post := operatorPaths(q, p)
	v.CSRF = "forged"
	for _, path := range append(post, "/operator/sign-in", "/operator/sign-out") {
		if a := v.send(path, operatorForm...); a.Code != http.StatusForbidden {
			t.Errorf("POST %s with a forged token: %d", path, a.Code)
		}
		v.CSRF = "forged"
	}
	unchanged(t, s, q, p)
	v.get("/operator").want(t, 200, "Signed in as")
}

func TestWithoutTheFrameThereAreNoOperators(t *testing.T) {
	s := open(t)
	v := s.visitor()
	for _, path := range []string{"/operator", "/operator/sign-in", "/operator/flags"} {
		v.get(path).want(t, 404)
	}
}

func TestReviewChangesWhatTheAgentSees(t *testing.T) {
	for name, test := range map[string]struct {
		action   string
		counted  int64
		standing askahumandb.UserStatsStanding
		audit    []string
	}{
		"approve":    {"approve", 2, askahumandb.UserStatsStandingGood, []string{"operator: approve answer"}},
		"reject":     {"reject", 1, askahumandb.UserStatsStandingGood, []string{"operator: reject answer"}},
		"shadow-ban": {"shadow", 1, askahumandb.UserStatsStandingShadowBanned, []string{"operator: reject answer", "operator: shadow-ban person"}},
		"ban":        {"ban", 1, askahumandb.UserStatsStandingBanned, []string{"operator: reject answer", "operator: ban person"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, withOperators)
			q := s.ask("Is this error message too blunt?")
			s.answers(q, 1)
			p := s.flagged(q, "I say what everybody says.")
			v := s.operator()
			v.get("/operator/flags").want(t, 200, "Is this error message too blunt?", "I say what everybody says.", "Too fast", "took 1 s", p.Hash[:8], "1 answer in all")
			v.send("/operator/flags/"+q.QuestionID+"/"+p.Hash, "action", test.action).want(t, 200, "Nothing to review")
			question := must(s.Questions.Question(t.Context(), q.QuestionID))
			view := questions.AgentView(question, must(s.Questions.Results(t.Context(), question)))
			if view.CurrentResponses != int(test.counted) || len(view.Responses) != int(test.counted) {
				t.Errorf("the agent sees %d answers, %d counted; want %d", len(view.Responses), view.CurrentResponses, test.counted)
			}
			if got := s.standing(p); got != test.standing {
				t.Errorf("the person is %s, want %s", got, test.standing)
			}
			if got := s.audit(); !slices.Equal(got, test.audit) {
				t.Errorf("audit %v, want %v", got, test.audit)
			}
			if test.standing == askahumandb.UserStatsStandingGood {
				v.last.lacks(t, "Undo the ban")
				return
			}
			v.last.want(t, 200, "Undo the ban")
			v.send("/operator/people/"+p.Hash, "standing", "good", "back", "/operator/flags").want(t, 200, "in good standing again")
			if got := s.standing(p); got != askahumandb.UserStatsStandingGood {
				t.Errorf("after undo the person is %s", got)
			}
		})
	}
}

func TestLateDecisionIsReported(t *testing.T) {
	s := open(t, withOperators)
	q := s.ask("Is this error message too blunt?")
	p := s.flagged(q, "I say what everybody says.")
	v := s.operator()
	v.get("/operator/flags")
	if err := s.Operators.Approve(t.Context(), "another operator", q.QuestionID, p.Hash); err != nil {
		t.Fatal(err)
	}
	v.send("/operator/flags/"+q.QuestionID+"/"+p.Hash, "action", "ban", "back", "/operator/flags").want(t, 200, "was reviewed before")
	if got := s.standing(p); got != askahumandb.UserStatsStandingGood {
		t.Errorf("the person is %s", got)
	}
	v.send("/operator/flags/"+q.QuestionID+"/"+p.Hash, "action", "nonsense", "back", "/operator/flags").want(t, 200, "Choose what to do")
}

func TestReportsAreDecided(t *testing.T) {
	s := open(t, withOperators)
	q := s.ask("Is this error message too blunt?")
	p := s.Person(t, 3)
	if err := s.Answers.Report(t.Context(), p, q.QuestionID, "It makes fun of people."); err != nil {
		t.Fatal(err)
	}
	v := s.operator()
	v.get("/operator").want(t, 200, "Reports")
	v.get("/operator/reports").want(t, 200, "It makes fun of people.", "Is this error message too blunt?", p.Hash[:8])
	v.send("/operator/reports/"+q.QuestionID+"/"+p.Hash, "action", "hide").want(t, 200, "No reports to decide", "Show it again")
	s.visitor().get("/").lacks(t, "too blunt")
	v.send("/operator/questions/"+q.QuestionID, "action", "show", "back", "/operator/reports").want(t, 200, "People see the question again.")
	s.visitor().get("/").want(t, 200, "too blunt")
	v.get("/operator/people/"+p.Hash[:8]+"?question="+q.QuestionID).want(t, 200, "has never answered")
	if got, want := s.audit(), []string{"operator: uphold report", "operator: show question"}; !slices.Equal(got, want) {
		t.Errorf("audit %v, want %v", got, want)
	}
}

func TestTheInspectorShowsEverything(t *testing.T) {
	s := open(t, withOperators)
	required := 3
	q := s.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Which headline is best?", Type: "multiple_choice", Options: []string{"One", "Two"}, Required: &required, CallbackURL: "https://agent.example/hook"})
	s.answers(q, 2)
	askahumantest.RecordDelivery(t, s.World, q.QuestionID, 1, 503, "")
	v := s.operator()
	v.get("/operator/questions").want(t, 200, "Asked lately", "Which headline is best?")
	v.get("/operator/questions?q=nobody").want(t, 200, "Nothing found")
	v.get("/operator/questions?q=not+an+id%21").want(t, 200, "Nothing found")
	v.get("/operator/questions?q=HEADLINE").want(t, 200, "Found", "Which headline is best?")
	v.get("/operator/questions?q=headline&agent=agent&status=open").want(t, 200, "Found", "Which headline is best?")
	v.get("/operator/questions?status=expired").want(t, 200, "Nothing found")
	v.get("/operator/questions?agent=not+an+id%21").want(t, 200, "Nothing found")
	v.get("/operator/questions?status=odd").want(t, 400, "open, closed, expired or hidden")
	v.get("/operator/questions?q=agent").want(t, 200, "Which headline is best?", "1 open question", "Ban agent")
	v.get("/operator/questions?q=+"+q.QuestionID).want(t, 200, "Partly answered", "Asked", "First answer", "Votes", "One", "Status 503", "https://agent.example/hook", "People notified", q.QuestionID)
	if v.last.Path != "/operator/questions/"+q.QuestionID {
		t.Errorf("the search for an id leads to %s", v.last.Path)
	}
	if found := regexp.MustCompile(`>[^<]*[0-9a-f]{32}[^<]*<`).FindString(v.last.Page); found != "" {
		t.Errorf("a whole hash is shown: %s", found)
	}
	here := "/operator/questions/" + q.QuestionID
	v.send(here, "action", "hide", "back", here).want(t, 200, "Hidden", "Show it again", "Hidden by an operator.")
	v.send(here, "action", "show", "back", here).want(t, 200, "Hide question")
	v.send(here, "action", "close", "back", here).want(t, 200, "It takes no more answers.", `<span class="badge tone-neutral">Closed early</span>`, "Open it again")
	v.send(here, "action", "reopen", "back", here).want(t, 200, "The question takes answers again.", "Partly answered", "Close it now")
	v.send("/operator/agents", "agent", "agent", "standing", "banned", "back", here).want(t, 200, "Lift the ban")
	if _, err := s.Questions.Agent(t.Context(), "agent", ""); err == nil {
		t.Error("a banned agent can ask")
	}
	v.send("/operator/agents", "agent", "agent", "standing", "good", "back", here).want(t, 200, "The agent may ask again.")
	v.send("/operator/agents", "agent", "nobody", "standing", "banned", "back", here).want(t, 200, "There is no such agent.")
	v.get("/operator/questions/nothing").want(t, 404, "There is no such question.")
	want := []string{"operator: uphold report", "operator: show question", "operator: close question", "operator: reopen question", "operator: ban agent", "operator: pardon agent"}
	if got := s.audit(); !slices.Equal(got, want) {
		t.Errorf("audit %v, want %v", got, want)
	}
	v.get("/operator/audit").want(t, 200, "Close question", "Ban agent", "Today", "agent agent")
	v.get("/operator/audit?day=2026-02-01").want(t, 200, "Nothing is recorded here", "Day after")
	v.get("/operator/audit?day=never").want(t, 400, "A day is written as")
}

func TestAPersonAndTheirHistory(t *testing.T) {
	s := open(t, withOperators)
	q := s.ask("Is this error message too blunt?")
	p := s.flagged(q, "I say what everybody says.")
	v := s.operator()
	here := "/operator/people/" + p.Hash[:8] + "?question=" + q.QuestionID
	v.get(here).want(t, 200, "Person "+p.Hash[:8], "I say what everybody says.", "Too fast", "In good standing")
	v.get("/operator/people/"+p.Hash).want(t, 200, "Person "+p.Hash[:8])
	v.get("/operator/people/"+p.Hash[:8]).want(t, 404)
	v.get("/operator/people/0000000000?question="+q.QuestionID).want(t, 404)
	v.send("/operator/people/"+p.Hash, "standing", "banned", "back", here).want(t, 200, "Banned", "Pardon")
	if _, err := s.Answers.Answer(t.Context(), p, askahumantest.Text(s.ask("Another one, please?").QuestionID, 30)); err == nil {
		t.Error("a banned person can answer")
	}
	v.send("/operator/people/"+p.Hash, "standing", "shadow_banned", "back", here).want(t, 200, "Shadow-banned")
	v.send("/operator/people/"+p.Hash, "standing", "good", "back", here).want(t, 200, "In good standing")
	v.send("/operator/people/"+p.Hash, "standing", "royal", "back", here).want(t, 200, "There is no such status.")
	v.send("/operator/people/"+p.Hash[:8], "standing", "banned", "back", here).want(t, 200, "There is no such person here.")
	v.get("/operator/audit").want(t, 200, "person "+p.Hash[:8])
	if strings.Contains(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(v.last.Page, ""), p.Hash) {
		t.Error("the audit trail shows a whole hash")
	}
}

func TestDeadJobsAreRevived(t *testing.T) {
	s := open(t, withOperators)
	hash, failure := strings.Repeat("ab", 16), "the push service is away"
	job := "push-" + hash
	askahumantest.DeadJob(t, s.World, job, askahuman.JobPush, askahuman.JobPayload{SubscriptionID: "sub_" + hash}, failure)
	v := s.operator()
	v.get("/operator/jobs").want(t, 200, "Notify a person", failure, "subscription sub_abababab", "1 try")
	v.send("/operator/jobs", "replay", job, "back", "/operator/jobs").want(t, 200, "queued again", "No dead jobs")
	v.send("/operator/jobs", "replay", job, "back", "/operator/jobs").want(t, 200, "This job is not dead.")
	v.send("/operator/jobs", "replay", "none", "back", "/operator/jobs").want(t, 200, "There is no such job.")
	if got, want := s.audit(), []string{"operator: replay job"}; !slices.Equal(got, want) {
		t.Errorf("audit %v, want %v", got, want)
	}
	v.get("/operator/audit").want(t, 200, "Replay job", "push-abababab…")
}

func TestTheOverviewHasNumbersAlertsAndLoops(t *testing.T) {
	var kicked []string
	s := open(t, withOperators, func(o *setup) {
		o.operator.Loops = func() []background.State {
			return []background.State{{Name: "sweeper", Every: time.Minute, Runs: 3, LastRun: askahumantest.Start}, {Name: "jobs", Every: 5 * time.Second, Runs: 9, Failures: 2, LastError: "no connection", LastFailure: askahumantest.Start}}
		}
		o.operator.Kick = func(name string) bool { kicked = append(kicked, name); return name == "sweeper" }
	})
	v := s.operator()
	v.get("/operator").want(t, 200, "failed 2 times in a row", "Failing", "no connection", "Resting")
	s.Count(askahuman.MetricSubmitted, 1234)
	s.Count(askahuman.MetricAnswered, 100)
	s.Count(askahuman.MetricFlagged, 30)
	s.Count(askahuman.MetricCompleted, 20)
	s.Count(askahuman.MetricExpired, 60)
	if err := s.Env.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	v.get("/operator").want(t, 200, "1,234", "25", "Completion", "Flagged answers", "should be at least 80%", "Severe")
	if text := v.last.Page; strings.Index(text, "Severe") > strings.Index(text, ">Look<") && strings.Contains(text, ">Look<") {
		t.Error("what is severe does not come first")
	}
	v.send("/operator/loops", "loop", "sweeper", "back", "/operator").want(t, 200, "The loop sweeper runs now.")
	v.send("/operator/loops", "loop", "nothing", "back", "/operator").want(t, 200, "There is no such loop")
	if !slices.Equal(kicked, []string{"sweeper", "nothing"}) {
		t.Errorf("kicked %v", kicked)
	}
}
