package web_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/live"
	"sortkey.dev/apps/internal/webtest"
)

// closeEarly lets the agent close its question before it has all answers.
func (s *stage) closeEarly(id string) {
	s.t.Helper()
	if _, err := s.Questions.Close(s.t.Context(), "agent", id); err != nil {
		s.t.Fatal(err)
	}
	s.hub.Tell("feed", live.Topic("question "+id))
}

// TestAnAnswerThatComesTooLateIsGivenBack: nobody loses what they wrote because others were faster.
func TestAnAnswerThatComesTooLateIsGivenBack(t *testing.T) {
	for name, test := range map[string]struct {
		end  func(s *stage, id string)
		why  string
		lies string
	}{
		"full": {
			end: func(s *stage, id string) { s.answers(must(s.Questions.Question(s.t.Context(), id)), 3) },
			why: "It has all the answers it needed.", lies: "closed early",
		},
		"closed early": {end: (*stage).closeEarly, why: "The question was closed early.", lies: "all the answers"},
		"closed by an operator": {end: func(s *stage, id string) {
			if err := s.Operators.CloseByOperator(s.t.Context(), "Ada", id); err != nil {
				s.t.Fatal(err)
			}
		}, why: "The question was closed early.", lies: "hoever asked"},
		"expired": {end: func(s *stage, _ string) { s.Clock.Advance(2 * time.Hour) }, why: "Its time was up.", lies: "all the answers"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			q := s.ask("Which of these is friendlier?")
			pick := s.ask("And which of these?", "The first <one>", "The second")
			v := s.visitor()
			v.get("/q/" + q.QuestionID)
			test.end(s, q.QuestionID)
			const written = "The second one, because it <smiles>."
			v.send("/q/"+q.QuestionID, "seen", v.hidden("seen"), "answer", written).
				want(t, http.StatusGone, "Your answer came a moment too late", "It was not sent. You did nothing wrong.", test.why, `data-copy="`+written, ">"+written+"</p>", "Next question")
			v.last.lacks(t, test.lies)
			v.get("/q/"+q.QuestionID).want(t, http.StatusGone, test.why, "Next question")
			v.last.lacks(t, test.lies, "too late")

			v = s.visitor()
			v.get("/developers") // for its token
			test.end(s, pick.QuestionID)
			v.send("/q/"+pick.QuestionID, "option", "0").want(t, http.StatusGone, "too late", "The first <one></p>")
			v.send("/q/"+pick.QuestionID, "option", "9").want(t, http.StatusGone, "too late")
			v.last.lacks(t, "What you said")
		})
	}
}

// TestTheEndIsTold: an open page hears why its question is over, also if that was before it listened.
func TestTheEndIsTold(t *testing.T) {
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	s.visitor().get("/live/q/nosuchquestion").want(t, http.StatusNotFound)
	listen := func() *bufio.Scanner {
		response, err := http.Get(s.url + "/live/q/" + q.QuestionID)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return bufio.NewScanner(response.Body)
	}
	heard := func(from *bufio.Scanner) string {
		over := false
		for from.Scan() {
			if over {
				return from.Text()
			}
			over = from.Text() == "event: over"
		}
		return ""
	}
	early := listen()
	s.hear(live.Topic("question " + q.QuestionID))
	s.closeEarly(q.QuestionID)
	for name, from := range map[string]*bufio.Scanner{"early": early, "late": listen()} {
		if got := heard(from); got != "data: The question was closed early." {
			t.Errorf("who comes %s hears %q", name, got)
		}
	}
}

func TestAnOpenPageNoticesTheEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	tab := webtest.Open(t, s.url+"/q/"+q.QuestionID, webtest.Phone, webtest.Dark)
	tab.WaitFor("Closes in 59 min")
	const written = "The second one, because it smiles."
	tab.Fill("Your answer", written)
	s.hear(live.Topic("question " + q.QuestionID))
	s.answers(q, 2)
	s.hear(live.Topic("question " + q.QuestionID))
	if strings.Contains(tab.Text(), "takes no more answers") {
		t.Error("the page says that the question is over while it is open")
	}
	s.closeEarly(q.QuestionID)
	tab.WaitFor("This question takes no more answers")
	tab.WaitFor("The question was closed early.")
	tab.WaitTrue(`document.querySelector("[data-answer] button.primary").disabled && document.querySelector("[name=answer]").value === "` + written + `"`)
	tab.LookAround("question-over")
	tab.Click("link", "Next question")
	tab.WaitFor("There is no other question right now.")
}

func TestAnOpenPageNoticesThatItsTimeIsUp(t *testing.T) {
	t.Parallel()
	s := open(t)
	timeout := askahuman.MinTimeout
	q := s.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Which of these is friendlier?", Type: "text", Timeout: &timeout})
	s.Clock.Advance(timeout - 2*time.Second)
	tab := webtest.Open(t, s.url+"/q/"+q.QuestionID, webtest.Desktop, webtest.Light)
	tab.WaitFor("This question takes no more answers")
	tab.WaitFor("Its time was up.")
}

// TestHowLongAQuestionIsOpen: seconds count only at the end.
func TestHowLongAQuestionIsOpen(t *testing.T) {
	t.Parallel()
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	closes := "Closes at " + q.ExpiresAt.UTC().Format("15:04") + " UTC"
	s.visitor().get("/q/"+q.QuestionID).want(t, 200, closes)
	day := askahuman.MaxTimeout
	tomorrow := s.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Which of these is friendlier?", Type: "text", Timeout: &day})
	s.visitor().get("/q/"+tomorrow.QuestionID).want(t, 200, "Closes at "+tomorrow.ExpiresAt.UTC().Format("Monday 15:04")+" UTC")

	tab := webtest.Open(t, s.url+"/q/"+tomorrow.QuestionID, webtest.Phone, webtest.Dark)
	tab.WaitFor("Closes in 23 h")
	s.Clock.Advance(56 * time.Minute)
	tab.Goto("/q/" + q.QuestionID)
	tab.WaitTrue(`/Closes in 3:[0-5][0-9]/.test(document.body.innerText)`)
}

// TestALateAnswerOnAPhone: a page that did not hear of the end in time loses nothing, either.
func TestALateAnswerOnAPhone(t *testing.T) {
	s := open(t)
	q := s.ask("Which of these is friendlier?")
	tab := webtest.Open(t, s.url+"/q/"+q.QuestionID, webtest.Phone, webtest.Dark)
	tab.Allow("status of 410")
	const written = "The second one, because it smiles."
	tab.Fill("Your answer", written)
	if _, err := s.Questions.Close(t.Context(), "agent", q.QuestionID); err != nil { // no hint is sent
		t.Fatal(err)
	}
	tab.Click("button", "Send answer")
	tab.See("heading", "Your answer came a moment too late")
	tab.WaitFor(written)
	tab.LookAround("question-late")
	tab.Click("button", "Copy")
	tab.WaitCopied(written)
}
