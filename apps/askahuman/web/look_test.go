package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/webtest"
)

// prompts are questions as agents ask them.
var prompts = []string{
	"Which of these two names would you rather trust with your savings?",
	"Is this error message too blunt for a person who is using the app for the first time?",
	"Our assistant wants to end every mail with an emoji. Friendly or too much? Say why in a sentence or two, and think of people who write to a company because something went wrong.",
	"Which photo shows the product best?",
	"Should a navigation app tell the driver that the passenger is asleep?",
}

// populated returns a site with a typical evening on it, or with far too much.
func populated(t *testing.T, much bool) (s *stage, words, choice askahumandb.Question) {
	s = open(t)
	n := 8
	if much {
		n = 60
	}
	for i := range n {
		prompt := prompts[i%len(prompts)]
		if much && i%3 == 0 {
			prompt = strings.Repeat("Donaudampfschifffahrtsgesellschaftskapitän ", 6) + strings.Repeat("x", 300) + fmt.Sprint(i)
		}
		var options []string
		if i%2 == 1 {
			options = []string{"The first", "The second, which is a little longer than the others", "Neither"}
		}
		q := s.ask(prompt, options...)
		if i == 3 {
			s.answers(q, 2)
		}
		s.Clock.Advance(37 * time.Second)
	}
	long := 6
	if much {
		long = 50
	}
	required := 50
	words = s.Submit(t, questions.Ask{
		AgentID: "agent", Type: "text", Required: &required, Audience: []string{"creative", "product"},
		Prompt: strings.Repeat("Which tone fits a letter to somebody who has just lost money? ", long/2), Context: strings.Repeat("The letter is from a bank. ", long),
	})
	s.Clock.Advance(time.Second)
	choice = s.Submit(t, questions.Ask{
		AgentID: "agent", Type: "multiple_choice", Required: &required, Audience: askahuman.Audiences,
		Prompt: "Which of these headlines would make you read on?", Options: []string{"Save time every morning", "Your money, an hour earlier", strings.Repeat("A headline that does not end ", long/10+1), "None of them"},
	})
	return s, words, choice
}

// someone returns a tab of a person who has answered a little.
func (s *stage) someone(answers int) *webtest.Tab {
	s.t.Helper()
	tab := webtest.Open(s.t, s.url+"/", webtest.Phone, webtest.Dark)
	s.answerSome(tab, answers)
	return tab
}

// answerSome lets the person at a tab answer new questions.
func (s *stage) answerSome(tab *webtest.Tab, answers int) {
	s.t.Helper()
	for i := range answers {
		q := s.ask(fmt.Sprintf("What do you make of number %d?", i+1))
		tab.Goto("/q/" + q.QuestionID)
		s.Clock.Advance(30 * time.Second)
		tab.Fill("Your answer", "I would take the one that says what it does, because the other one promises too much and nobody believes that any more.")
		tab.Choose("4")
		tab.Click("button", "Send answer")
		tab.WaitURL("/done")
		s.Clock.Advance(time.Minute)
	}
}

// stay lets a tab stay on the thanks after an answer: they count down only while the page is
// visible.
func stay(tab *webtest.Tab) {
	tab.Before(`if (location.pathname === "/done") Object.defineProperty(document, "hidden", { get: () => true })`)
}

func TestEveryPageOnEveryScreen(t *testing.T) {
	t.Parallel()
	for _, amount := range []string{"typical", "much"} {
		t.Run(amount, func(t *testing.T) {
			t.Parallel()
			lookAtEverything(t, amount+"-", amount == "much")
		})
	}
}

// lookAtEverything looks at every page as a newcomer, a person who answered, and a developer. Far more of the
// same says nothing new to axe-core.
func lookAtEverything(t *testing.T, prefix string, much bool) {
	look := (*webtest.Tab).LookAround
	if much {
		look = (*webtest.Tab).Skim
	}
	s, words, choice := populated(t, much)
	for i := range 15 {
		_, err := s.Answers.Answer(t.Context(), s.Person(t, i), askahumantest.Choice(choice.QuestionID, i%3))
		if err != nil {
			t.Fatal(err)
		}
	}
	tab := s.someone(0)
	look(tab, prefix+"feed")
	tab.Goto("/me")
	look(tab, prefix+"me-new")
	tab.Goto("/me/answers")
	look(tab, prefix+"answers-none")
	stay(tab)
	s.answerSome(tab, 2)
	look(tab, prefix+"done")
	tab.WaitURL("/done")
	for path, name := range map[string]string{
		"/q/" + words.QuestionID: "question-words", "/q/" + choice.QuestionID: "question-choice",
		"/leaderboard": "leaderboard", "/leaderboard?period=all_time&top=100": "leaderboard-all",
		"/me": "me", "/me/answers": "answers", "/me/settings": "settings", "/me/forget": "forget", "/queued": "queued",
		"/developers": "developers", "/developers/guide": "guide",
	} {
		tab.Goto(path)
		look(tab, prefix+name)
	}
	tab.Goto("/me/settings")
	tab.Click("button", "Make a link for another device")
	tab.WaitFor("Open this on the other device")
	look(tab, prefix+"move")
	tab.Goto("/q/" + words.QuestionID)
	tab.Eval(`document.querySelector("details.report").open = true`, nil)
	look(tab, prefix+"report")
	tab.Goto("/developers/agent")
	look(tab, prefix+"agent-who")
	tab.Fill("Agent id", "agent")
	tab.Click("button", "Show its questions")
	tab.WaitFor("Protect this id")
	look(tab, prefix+"agent")
	tab.Goto("/developers/questions/" + choice.QuestionID)
	look(tab, prefix+"result")
	tab.Goto("/developers/agent?another=1")
	tab.Fill("Agent id", strings.Repeat("longname", 8))
	tab.Click("button", "Show its questions")
	tab.WaitFor("This agent has not asked yet")
	look(tab, prefix+"agent-none")
	tab.Allow("status of 404")
	tab.Goto("/developers/questions/" + choice.QuestionID)
	look(tab, prefix+"result-of-another")
}
