package web_test

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/askahumantest"
)

func TestTamperedCursorsAreRefused(t *testing.T) {
	s := open(t, withOperators)
	q := s.ask("Is this error message too blunt?")
	p := s.flagged(q, "I say what everybody says.")
	v := s.operator()
	for _, list := range []string{
		"/operator/flags?", "/operator/reports?", "/operator/questions?", "/operator/agents?agent=agent&", "/operator/people/" + p.Hash + "?",
	} {
		if a := v.get(list + "cursor=tampered"); a.Code != 400 {
			t.Errorf("%s with a tampered cursor: %d", list, a.Code)
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
	if n := strings.Count(v.last.Page, ">Reject all "); n != 4 {
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
