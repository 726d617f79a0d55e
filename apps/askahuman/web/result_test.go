package web_test

import (
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/askahumantest"
	"sortkey.dev/apps/askahuman/questions"
)

// TestTheResultPageInEveryShape: a question of each type with no, some and agreeing answers, with
// an erased answer, closed and expired.
func TestTheResultPageInEveryShape(t *testing.T) {
	for _, test := range []struct {
		name    string
		options []string
		votes   []int // options that people choose; -1 for a text
		erase   bool  // the last person's text
		end     string
		want    []string
	}{
		{name: "no votes", options: []string{"This", "That"}, want: []string{"No answers yet", "0 of 5"}},
		{name: "votes that differ", options: []string{"This", "That"}, votes: []int{0, 1, 0}, want: []string{"Votes", "3 of 5"}},
		{name: "votes that agree", options: []string{"This", "That"}, votes: []int{1, 1, 1}, want: []string{"Most agree: That", "100%", "3 of 5"}},
		{name: "complete", options: []string{"This", "That"}, votes: []int{1, 1, 1, 1, 0}, want: []string{"Most agree: That", "80%", "5 of 5"}},
		{name: "no words", want: []string{"No answers yet"}},
		{name: "words", votes: []int{-1, -1}, want: []string{"What people said", "aaaa"}},
		{name: "erased words", votes: []int{-1}, erase: true, want: []string{"Deleted by the person"}},
		{name: "closed", votes: []int{-1}, end: "close", want: []string{"Closed", "aaaa"}},
		{name: "closed without answers", options: []string{"This", "That"}, end: "close", want: []string{"Nobody answered"}},
		{name: "expired", options: []string{"This", "That"}, votes: []int{0, 0, 0}, end: "expire", want: []string{"Expired", "Most agree: This"}},
		{name: "expired without answers", end: "expire", want: []string{"Nobody answered"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := open(t)
			ask := questions.Ask{AgentID: "agent", Prompt: "Which of these is friendlier?", Type: string(questions.TypeText), Options: test.options}
			if test.options != nil {
				ask.Type = string(questions.TypeMultipleChoice)
			}
			id := s.Submit(t, ask).QuestionID
			for n, vote := range test.votes {
				person, answer := s.Person(t, n), askahumantest.Choice(id, vote)
				if vote < 0 {
					answer = askahumantest.Text(id, 4)
				}
				must(s.Answers.Answer(t.Context(), person, answer))
				if test.erase {
					if err := s.People.Forget(t.Context(), person); err != nil {
						t.Fatal(err)
					}
				}
			}
			switch test.end {
			case "close":
				must(s.Questions.Close(t.Context(), "agent", id))
			case "expire":
				s.Clock.Advance(time.Hour)
			}
			v := s.visitor()
			v.get("/developers/agent")
			v.send("/developers/agent", "agent_id", "agent")
			v.get("/developers/questions/"+id).want(t, 200, test.want...)
		})
	}
}

// TestTheResultPageTellsOfWebhooksAndHiding: what an agent cannot see anywhere else.
func TestTheResultPageTellsOfWebhooksAndHiding(t *testing.T) {
	s := open(t)
	id := s.Submit(t, questions.Ask{AgentID: "agent", Prompt: "Which of these is friendlier?", Type: "text", CallbackURL: "https://agent.example/hook"}).QuestionID
	v := s.visitor()
	v.get("/developers/agent")
	v.send("/developers/agent", "agent_id", "agent")
	page := "/developers/questions/" + id
	v.get(page).want(t, 200, "Webhook deliveries", "Your webhook is called when the question ends.")
	v.last.lacks(t, "An operator has hidden this question")
	must(s.Questions.Close(t.Context(), "agent", id))
	v.get(page).want(t, 200, "The first one is on its way.")
	askahumantest.RecordDelivery(t, s.World, id, 1, 503, "agent.example answered 503 Service Unavailable")
	if err := s.Operators.HideQuestion(t.Context(), "op", id); err != nil {
		t.Fatal(err)
	}
	v.get(page).want(t, 200, "Try 1", "Status 503", "agent.example answered 503", "An operator has hidden this question")
}
