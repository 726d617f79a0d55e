package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/webtest"
)

// operatorTab returns a browser in which an operator has signed in, with the keyboard only.
func (s *stage) operatorTab(size webtest.Size, theme webtest.Theme) *webtest.Tab {
	s.t.Helper()
	tab := webtest.Open(s.t, s.url+"/operator", size, theme)
	tab.Fill("Your name", "operator")
	tab.Fill("Your secret", operatorSecret)
	tab.Press("Enter")
	tab.WaitFor("Signed in as operator")
	return tab
}

func TestOperatorsReviewByKeyboard(t *testing.T) {
	t.Parallel()
	s := open(t, withOperators)
	var people []askahuman.Person
	q := s.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Is this error message too blunt?", Type: "text", Required: new(10)})
	for i := range 5 {
		people = append(people, s.flagged(q, fmt.Sprintf("Answer number %d of somebody in a hurry", i)))
	}
	tab := s.operatorTab(webtest.Desktop, webtest.Dark)
	tab.Goto("/operator/flags")
	tab.WaitTrue(`document.querySelector("[data-review=ready]") !== null`)
	tab.Press("j", "j", "k", "a")
	tab.WaitGone("Answer number 0 of")
	focusedOn(tab, "Answer number 1 of")
	tab.Press("r")
	tab.WaitGone("Answer number 1 of")
	focusedOn(tab, "Answer number 2 of")
	tab.Press("b")
	tab.See("button", "Cancel")
	tab.Press("r") // shortcuts rest while something is asked
	tab.Press("Tab", "Enter")
	tab.WaitFor("is banned. The rejected answer stays rejected.")
	focusedOn(tab, "Answer number 3 of")
	tab.NoViolations()
	tab.Press("u")
	tab.WaitFor("in good standing again")
	if got := s.standing(people[2]); got != askahumandb.UserStatsStandingGood {
		t.Errorf("after undo the person is %s", got)
	}
	tab.WaitTrue(`document.querySelector("[data-review=ready]") !== null`)
	tab.Choose("Keyboard shortcuts") // switches them off
	tab.Press("Tab", "a")
	if !strings.Contains(tab.Text(), "Answer number 3 of") {
		t.Error("a shortcut works although they are off")
	}
	question := must(s.Questions.Question(t.Context(), q.QuestionID))
	if question.CurrentResponses != 3 {
		t.Errorf("%d answers count, want 3", question.CurrentResponses)
	}
	want := []string{"operator: approve answer", "operator: reject answer", "operator: reject answer", "operator: ban person", "operator: pardon person"}
	if got := s.audit(); !slices.Equal(got, want) {
		t.Errorf("audit %v, want %v", got, want)
	}
}

// focusedOn makes sure that the card with a text has the focus.
func focusedOn(tab *webtest.Tab, text string) {
	tab.WaitFor(text)
	tab.WaitTrue(fmt.Sprintf(`document.activeElement.matches("[data-review=ready] > *") && document.activeElement.textContent.includes(%q)`, text))
}

func TestOperatorsOnAPhone(t *testing.T) {
	t.Parallel()
	s := open(t, withOperators)
	q := s.ask("Is this error message too blunt?")
	p := s.flagged(q, "I say what everybody says.")
	tab := s.operatorTab(webtest.Phone, webtest.Dark)
	tab.Click("link", "1 Flags answers to review")
	tab.See("heading", "Flagged answers")
	tab.Click("button", "Shadow-ban")
	tab.WaitFor("they are not told")
	tab.Click("button", "Cancel")
	if got := s.standing(p); got != askahumandb.UserStatsStandingGood {
		t.Fatalf("after Cancel the person is %s", got)
	}
	tab.Click("button", "Reject")
	tab.See("heading", "Nothing to review")
}

// withKeyboardHelp says whether the shortcuts are explained.
const withKeyboardHelp = `document.querySelector("[data-shortcuts]").checkVisibility()`

func TestShortcutsAreExplainedWhereThereAreKeys(t *testing.T) {
	t.Parallel()
	s := open(t, withOperators)
	s.flagged(s.ask("Is this error message too blunt?"), "I say what everybody says.")
	tab := s.operatorTab(webtest.Phone, webtest.Dark)
	tab.Goto("/operator/flags")
	tab.WaitTrue("!" + withKeyboardHelp)
	tab.Resize(webtest.Desktop)
	tab.WaitTrue(withKeyboardHelp)
}

func TestQueuesFollowByThemselves(t *testing.T) {
	t.Parallel()
	s := open(t, withOperators)
	q := s.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Is this error message too blunt?", Type: "text", Required: new(10)})
	tab := s.operatorTab(webtest.Desktop, webtest.Dark)
	tab.Goto("/operator/flags")
	tab.See("heading", "Nothing to review")
	first := s.flagged(q, "Answer number 0 of somebody in a hurry")
	second := s.flagged(q, "Answer number 1 of somebody in a hurry")
	s.hub.Tell("feed")
	tab.WaitFor("Answer number 1 of")
	tab.WaitGone("Nothing to review")
	tab.Press("j", "j", "Tab", "Tab", "Tab")
	if got := tab.Focused(); got != "button Approve" {
		t.Fatalf("the focus is on %q", got)
	}
	const place = `document.activeElement.closest(".review-card").getBoundingClientRect().top`
	var before, after float64
	tab.Eval(place, &before)
	// Two things happen elsewhere: one answer comes, and the one above is decided.
	s.flagged(q, "Answer number 2 of somebody in a hurry")
	if err := s.Operators.Approve(t.Context(), "another operator", q.QuestionID, first.Hash); err != nil {
		t.Fatal(err)
	}
	s.hub.Tell("feed")
	tab.WaitFor("Answer number 2 of")
	tab.WaitFor("Decided meanwhile")
	if tab.Eval(place, &after); after != before {
		t.Errorf("what the operator reads moved from %v to %v", before, after)
	}
	if got := tab.Focused(); got != "button Approve" {
		t.Errorf("afterwards the focus is on %q", got)
	}
	// The one that has the focus is decided: the card keeps it, and the next is one key away.
	if err := s.Operators.Approve(t.Context(), "another operator", q.QuestionID, second.Hash); err != nil {
		t.Fatal(err)
	}
	s.hub.Tell("feed")
	tab.WaitTrue(`document.activeElement.matches("[data-decided]")`)
	tab.NoViolations()
	tab.Press("k") // there is nothing to decide above
	focusedOn(tab, "Answer number 1 of")
	tab.Press("j")
	focusedOn(tab, "Answer number 2 of")
	tab.Press("r")
	tab.WaitFor("Nothing to review")
}

func TestReportsFollowByThemselves(t *testing.T) {
	t.Parallel()
	s := open(t, withOperators)
	q := s.ask("Is this error message too blunt?")
	tab := s.operatorTab(webtest.Desktop, webtest.Dark)
	tab.Goto("/operator/reports")
	for i, reason := range []string{"It makes fun of people.", "It is an advertisement."} {
		if err := s.Answers.Report(t.Context(), s.Person(t, i), q.QuestionID, reason); err != nil {
			t.Fatal(err)
		}
		s.hub.Tell("feed")
		tab.WaitFor(reason)
	}
	if got := tab.Count("button", "Hide question"); got != 2 {
		t.Errorf("%d reports are shown", got)
	}
}

func TestAllOfAPersonAreRejectedAndTheNextPersonHasTheFocus(t *testing.T) {
	t.Parallel()
	s := open(t, withOperators)
	hasty := s.Person(t, 7)
	var last askahumandb.Question
	for i := range 3 {
		last = s.ask(fmt.Sprintf("What do you make of number %d?", i+1))
		s.Clock.Advance(5 * time.Minute)
		s.hasty(hasty, last, fmt.Sprintf("Nothing much of number %d.", i+1))
	}
	s.flagged(last, "Somebody else is in a hurry.")
	tab := s.operatorTab(webtest.Desktop, webtest.Dark)
	tab.Goto("/operator/flags")
	tab.WaitTrue(`document.querySelector("[data-review=ready]") !== null`)
	tab.Eval(`document.querySelector("button[value=reject-all]").focus()`, nil)
	tab.Press("Enter")
	tab.WaitFor("That cannot be undone.")
	tab.Press("Tab", "Enter")
	tab.WaitFor("Rejected all 3 answers by " + hasty.Hash[:8])
	focusedOn(tab, "Somebody else is in a hurry.")
}

func TestTheOverviewFollowsByItself(t *testing.T) {
	t.Parallel()
	s := open(t, withOperators)
	tab := s.operatorTab(webtest.Desktop, webtest.Dark)
	tab.WaitFor("Everything is within its bounds.")
	s.Count(askahuman.MetricSubmitted, 4321)
	if err := s.Env.FlushMetrics(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.hub.Tell("feed")
	tab.WaitFor("4,321")
}

// busyOperators returns a site with work for operators, or with far too much of it.
func busyOperators(t *testing.T, much bool) (s *stage, q askahumandb.Question, p askahuman.Person) {
	meter := new(access.Meter)
	s = open(t, withOperators, func(o *setup) {
		o.operator.Meter = meter
		o.operator.Kick = func(string) bool { return true }
		o.operator.Loops = func() []background.State {
			return []background.State{
				{Name: "jobs", Every: 5 * time.Second, Running: true, Runs: 811, Took: 3 * time.Millisecond, LastRun: s.Clock.Now()},
				{Name: "sweeper", Every: time.Minute, Runs: 66, Took: 12 * time.Millisecond, LastRun: s.Clock.Now()},
				{Name: "webhooks", Listens: true, Every: 5 * time.Second, Running: true, LastRun: s.Clock.Now().Add(-11 * time.Minute)},
				{Name: "hints", Every: 5 * time.Second, Runs: 40, Failures: 3, LastRun: s.Clock.Now(), LastError: "read shard shardId-00000001: the stream is trimmed", LastFailure: s.Clock.Now()},
			}
		}
	})
	s.day()
	n := 3
	if much {
		n = 22
	}
	callback := "https://agent.example/" + strings.Repeat("a-very-long-path/", n/3)
	q = s.Submit(t, questions.Ask{AgentID: "agent", Type: "multiple_choice", Prompt: strings.Repeat("Which of these headlines would make you read on? ", n/3), Options: []string{"Save time every morning", strings.Repeat("A headline that does not end ", n/8+1)}, Required: new(50), CallbackURL: callback})
	s.answers(q, n)
	words := s.Submit(t, questions.Ask{AgentID: "agent", Type: "text", Prompt: "Is this error message too blunt for a person who is using the app for the first time?", Required: new(50)})
	for i := range n {
		p = s.flagged(words, fmt.Sprintf("I would not use it %d. ", i)+strings.Repeat(strings.Repeat("x", 3*n)+" ", n))
		reporter := s.Person(t, i)
		if err := s.Answers.Report(t.Context(), reporter, q.QuestionID, "It makes fun of people who lost money."); err != nil {
			t.Fatal(err)
		}
		s.dead(i)
	}
	s.Clock.Advance(time.Minute)
	s.hasty(p, s.ask("Which of the two would you trust?"), "I say the same about everything.")
	for i := range n {
		askahumantest.RecordDelivery(t, s.World, q.QuestionID, i+1, 503, "Post: connection refused")
	}
	for i, pattern := range askahumandb.Patterns[:20] {
		for range 1 + i*n {
			meter.Observe(t.Context(), access.Call{Pattern: pattern.Name, Table: "aah-questions", Index: "ByAgentId", Estimated: 2, Units: float64(i%4) + 0.5, Duration: time.Duration(i+1) * 300 * time.Microsecond})
		}
	}
	if err := s.Operators.HideQuestion(t.Context(), "Ada", words.QuestionID); err != nil {
		t.Fatal(err)
	}
	return s, q, p
}

// day counts what happens on a day that does not go well.
func (s *stage) day() {
	s.t.Helper()
	for hour := range 24 {
		busy := int64((hour*7)%13) + 1
		for metric, n := range map[askahuman.Metric]int64{
			askahuman.MetricSubmitted: 12 * busy, askahuman.MetricAnswered: 55 * busy, askahuman.MetricCompleted: 8 * busy, askahuman.MetricExpired: 4 * busy,
			askahuman.MetricFlagged: 7 * busy, askahuman.MetricDuplicate: 2 * busy, askahuman.MetricRateLimited: 3 * busy, askahuman.MetricNotified: 90 * busy,
		} {
			s.Count(metric, n)
		}
		s.Env.CountTime(askahuman.TimeFirstAnswer, 7*time.Minute)
		s.Env.CountTime(askahuman.TimeCompletion, 40*time.Minute)
		if err := s.Env.FlushMetrics(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		if hour < 23 {
			s.Clock.Advance(time.Hour)
		}
	}
}

// dead is a job that was given up.
func (s *stage) dead(n int) {
	s.t.Helper()
	askahumantest.DeadJob(s.t, s.World, fmt.Sprintf("webhook-%d", n), askahuman.JobWebhook, askahuman.JobPayload{QuestionID: "01KGEQ0000000000000000000"},
		"POST https://agent.example/hook: the server answered 500 Internal Server Error")
}

// overlaps are the texts of charts that stand on one another.
const overlaps = `[...document.querySelectorAll("figure svg[role=img], .card svg[role=img]")].flatMap((chart) => {
	const boxes = [...chart.querySelectorAll("text")].map((e) => [e.textContent, e.getBoundingClientRect()]);
	return boxes.flatMap(([a, x], i) => boxes.slice(i + 1).filter(([, y]) => x.left < y.right && y.left < x.right && x.top + 2 < y.bottom && y.top + 2 < x.bottom).map(([b]) => a + " and " + b));
})`

// study skims a page, and asks axe-core once about everything and once about the colours of the
// other theme.
func study(tab *webtest.Tab, name string) {
	tab.Skim(name)
	tab.Resize(webtest.Desktop)
	tab.Prefer(webtest.Light)
	tab.Readable()
	tab.Resize(webtest.Phone)
	tab.Prefer(webtest.Dark)
	tab.NoViolations()
}

func TestEveryPageOfOperatorsOnEveryScreen(t *testing.T) {
	t.Parallel()
	for _, amount := range []string{"typical", "much"} {
		t.Run(amount, func(t *testing.T) {
			t.Parallel()
			s, q, p := busyOperators(t, amount == "much")
			var left float64
			prefix := "operator-" + amount + "-"
			tab := s.operatorTab(webtest.Desktop, webtest.Dark)
			for _, page := range []struct{ path, name string }{
				{"/operator", "overview"}, {"/operator/flags", "flags"}, {"/operator/reports", "reports"},
				{"/operator/questions", "questions"}, {"/operator/agents?agent=agent", "agent"}, {"/operator/questions?q=nothing", "nothing"},
				{"/operator/questions/" + q.QuestionID, "question"}, {"/operator/people/" + p.Hash, "person"},
				{"/operator/jobs", "jobs"},
			} {
				tab.Goto(page.path)
				if amount == "typical" || page.name == "flags" { // far more of the same says nothing new to axe-core
					study(tab, prefix+page.name)
				} else {
					tab.Skim(prefix + page.name)
				}
				at := left
				tab.Resize(webtest.Desktop)
				if tab.Eval(`document.querySelector(".brand").getBoundingClientRect().left`, &left); at != 0 && left != at {
					t.Errorf("on %s the header begins at %v, on the page before at %v", page.path, left, at)
				}
			}
			tab.Goto("/operator")
			tab.Resize(webtest.Phone)
			var texts []string
			if tab.Eval(overlaps, &texts); len(texts) > 0 {
				t.Errorf("texts of charts overlap: %q", texts)
			}
		})
	}
}

func TestPagesOfOperatorsWithNothingToDo(t *testing.T) {
	t.Parallel()
	s := open(t, withOperators)
	tab := webtest.Open(t, s.url+"/operator", webtest.Phone, webtest.Dark)
	study(tab, "operator-sign-in")
	tab.Allow("422")
	tab.Fill("Your name", "operator")
	tab.Fill("Your secret", "wrong")
	tab.Press("Enter")
	tab.WaitFor("The name or the secret is wrong.")
	tab = s.operatorTab(webtest.Phone, webtest.Light)
	for _, name := range []string{"", "/flags", "/reports", "/questions", "/people", "/agents"} {
		tab.Goto("/operator" + name)
		study(tab, "operator-empty"+strings.ReplaceAll(name, "/", "-"))
	}
	tab.Goto("/operator")
	walked := tab.Walk(60)
	for _, place := range []string{"link Flags", "link System", "button Sign out", "link 0 Flags answers to review"} {
		if !slices.Contains(walked, place) {
			t.Errorf("the keyboard does not reach %q: %q", place, walked)
		}
	}
}
