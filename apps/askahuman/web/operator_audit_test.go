package web_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/web"
	"sortkey.dev/apps/internal/background"
)

func TestSignInsAndLoopRunsAreAudited(t *testing.T) {
	s := open(t, withOperators, func(o *web.Options) { o.Kick = func(name string) bool { return name == "sweeper" } })
	v := s.visitor()
	v.get("/operator/sign-in")
	v.send("/operator/sign-in", "name", "Eve", "secret", "guess").want(t, 422)
	v = s.operator()
	v.send("/operator/loops", "loop", "sweeper", "back", "/operator").want(t, 200, "The loop sweeper runs now.")
	v.send("/operator/loops", "loop", "nothing", "back", "/operator").want(t, 200, "There is no such loop")
	events, _, err := s.Operators.Audit(t.Context(), access.DateOf(s.Clock.Now()), 0, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range slices.Backward(events) {
		got = append(got, e.Actor+": "+e.Action+" "+e.Target)
	}
	if want := []string{"Ada: sign in ", "Ada: run loop sweeper"}; !slices.Equal(got, want) {
		t.Errorf("audit %q, want %q", got, want)
	}
	v.get("/operator/audit").want(t, 200, "Sign in", "Run loop", "loop sweeper")
}

func TestTamperedCursorsAreRefused(t *testing.T) {
	s := open(t, withOperators)
	q := s.ask("Is this error message too blunt?")
	p := s.flagged(q, "I say what everybody says.")
	v := s.operator()
	for _, list := range []string{
		"/operator/flags?", "/operator/reports?", "/operator/questions?", "/operator/questions?q=agent&",
		"/operator/people/" + p.Hash + "?", "/operator/jobs?", "/operator/audit?",
	} {
		if a := v.get(list + "cursor=tampered"); a.status != 400 {
			t.Errorf("%s with a tampered cursor: %d", list, a.status)
		}
	}
}

func TestAllAnswersOfAPersonAreRejectedAtOnce(t *testing.T) {
	s := open(t, withOperators)
	hasty := s.Person(t, 7)
	var questions []askahumandb.Question
	for _, prompt := range []string{"Is this error message too blunt?", "Is this error message too long?", "Is this error message too late?", "Is this error message too short?"} {
		q := s.ask(prompt)
		s.Clock.Advance(5 * time.Minute)
		s.hasty(hasty, q, "I say what everybody says: "+prompt)
		questions = append(questions, q)
	}
	other := s.flagged(questions[0], "Somebody else is in a hurry, too.")
	v := s.operator()
	v.get("/operator/flags").want(t, 200, "Reject all 4 by "+hasty.Hash[:8])
	if n := strings.Count(v.last.text, ">Reject all "); n != 4 {
		t.Errorf("%d cards offer to reject all of a person, want 4", n)
	}
	if err := s.Operators.Approve(t.Context(), "another operator", questions[3].QuestionID, hasty.Hash); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, q := range questions {
		ids = append(ids, q.QuestionID)
	}
	here := "/operator/flags/" + questions[1].QuestionID + "/" + hasty.Hash
	v.send(here, "action", "reject-all", "all", strings.Join(ids, " ")).
		want(t, 200, "Rejected 3 of 4 answers by "+hasty.Hash[:8], "Somebody else is in a hurry, too.")
	for i, q := range questions {
		want := askahumandb.ResponseFlagStateRejected
		if i == 3 {
			want = askahumandb.ResponseFlagStateApproved
		}
		if got := must(s.DB.GetOwnResponse(t.Context(), q.QuestionID, hasty.Hash)).FlagState; got != want {
			t.Errorf("answer %d is %s, want %s", i, got, want)
		}
	}
	if got := must(s.DB.GetOwnResponse(t.Context(), questions[0].QuestionID, other.Hash)).FlagState; got != askahumandb.ResponseFlagStateFlagged {
		t.Errorf("the answer of somebody else is %s", got)
	}
	v.send(here, "action", "reject-all", "all", "", "back", "/operator/flags").want(t, 200, "Choose what to do with the answers.")
	v.send(here, "action", "reject-all", "all", strings.Repeat(ids[0]+" ", 21), "back", "/operator/flags").want(t, 200, "Choose what to do with the answers.")
}

func TestAHistoryShowsQuestionsAndWhatWasChosen(t *testing.T) {
	s := open(t, withOperators)
	p := s.Person(t, 7)
	seen := s.ask("Which headline is best?", "Save time", "Save money")
	hidden := s.ask("Which joke is best?", "The rude one", "The dull one")
	for _, q := range []askahumandb.Question{seen, hidden} {
		s.Clock.Advance(5 * time.Minute)
		if _, err := s.Answers.Answer(t.Context(), p, askahumantest.Choice(q.QuestionID, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Operators.HideQuestion(t.Context(), "Ada", hidden.QuestionID); err != nil {
		t.Fatal(err)
	}
	s.operator().get("/operator/people/"+p.Hash).want(t, 200, "Which headline is best?", "Save money", "Which joke is best?", "The dull one")
}

func TestALoopThatFollowsIsListening(t *testing.T) {
	var states []background.State
	s := open(t, withOperators, func(o *web.Options) {
		o.Loops = func() []background.State { return states }
		o.Kick = func(string) bool { return true }
	})
	v := s.operator()
	long := s.Clock.Now().Add(-11 * time.Minute)
	for name, test := range map[string]struct {
		state background.State
		want  string
		kicks bool
	}{
		"follows":                {background.State{Name: "webhooks", Listens: true, Every: 5 * time.Second, Running: true, LastRun: long}, "Listening", false},
		"follows again":          {background.State{Name: "webhooks", Listens: true, Every: 5 * time.Second, Running: true, Runs: 2, Failures: 2, LastRun: long}, "Listening", false},
		"tries to follow again":  {background.State{Name: "webhooks", Listens: true, Every: 5 * time.Second, Running: true, Runs: 2, Failures: 2, LastRun: s.Clock.Now()}, "Failing", true},
		"rests before a new try": {background.State{Name: "webhooks", Listens: true, Every: 5 * time.Second, Runs: 2, Failures: 2, LastRun: long}, "Failing", true},
		"works for long":         {background.State{Name: "sweeper", Every: time.Minute, Running: true, LastRun: long}, "Running", true},
	} {
		t.Run(name, func(t *testing.T) {
			states = []background.State{test.state}
			v.get("/operator").want(t, 200, test.want)
			if kicks := strings.Contains(v.last.text, "Run now"); kicks != test.kicks {
				t.Errorf("can be run: %v", kicks)
			}
		})
	}
}

func TestPatternsAboveTheDesignAlone(t *testing.T) {
	meter := new(access.Meter)
	s := open(t, withOperators, func(o *web.Options) { o.Meter = meter })
	for name, units := range map[string]float64{"GetQuestion": 1, "ListFeed": 3, "GetAgent": 2} {
		meter.Observe(t.Context(), access.Call{Pattern: name, Table: "aah-questions", Estimated: 1, Units: units, Duration: time.Millisecond})
	}
	rows := func(text string) string {
		_, rows, _ := strings.Cut(text, "<tbody>")
		rows, _, _ = strings.Cut(rows, "</tbody>")
		return rows
	}
	v := s.operator()
	v.get("/operator/patterns").want(t, 200, "2 clearly above the design", "3 patterns")
	v.get("/operator/patterns?"+url.Values{"only": {"over"}, "sort": {"-units"}}.Encode()).want(t, 200, "2 of 3", "Show all", "only=over&sort=units")
	if got := rows(v.last.text); strings.Contains(got, "GetQuestion") || strings.Index(got, "ListFeed") > strings.Index(got, "GetAgent") {
		t.Errorf("rows %s", got)
	}
	v.last.lacks(t, "<li>GetQuestion</li>") // what is left out was used
}
