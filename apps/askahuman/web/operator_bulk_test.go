package web_test

import (
	"net/url"
	"testing"

	"sortkey.dev/apps/askahuman/askahumantest"
)

// TestOperatorsDecideAboutSeveralQuestions: chosen from a list, or all of an agent.
func TestOperatorsDecideAboutSeveralQuestions(t *testing.T) {
	s := open(t, withOperators)
	first, second := s.ask("Which of these is friendlier?"), s.ask("Which of these is shorter?")
	v := s.operator()
	v.get("/operator/questions").want(t, 200, "With the chosen questions", `value="`+first.QuestionID+`"`)
	back := "/operator/questions"
	v.send("/operator/questions", "action", "hide", "back", back).want(t, 200, "Choose up to 100 questions.")
	v.send("/operator/questions", "action", "hide", "question", first.QuestionID, "question", second.QuestionID, "back", back).want(t, 200, "2 questions are hidden.")
	v.send("/operator/questions", "action", "show", "question", first.QuestionID, "question", second.QuestionID, "back", back).want(t, 200, "2 questions are shown again.")
	agent := "/operator/agents?" + url.Values{"agent": {"agent"}}.Encode()
	v.get(agent).want(t, 200, "Its open questions", "Hide them, until the ban is lifted")
	v.send("/operator/agents", "agent", "agent", "standing", "banned", "questions", "hide", "back", agent).want(t, 200, "The agent is banned.", "2 questions are hidden.", "Show or reopen the questions")
	v.send("/operator/agents", "agent", "agent", "standing", "good", "questions", "restore", "back", agent).want(t, 200, "The agent may ask again.", "2 questions are as before the ban.")
	v.send("/operator/agents", "agent", "agent", "standing", "banned", "questions", "close", "back", agent).want(t, 200, "2 questions are closed.")
	if n := askahumantest.Agent(t, s.World, "agent").OpenQuestions; n != 0 {
		t.Errorf("%d questions are open", n)
	}
	v.send("/operator/agents", "agent", "agent", "standing", "good", "questions", "restore", "back", agent).want(t, 200, "2 questions are as before the ban.")
	v.send("/operator/questions", "action", "close", "question", first.QuestionID, "back", back).want(t, 200, "1 question is closed.")
	v.send("/operator/questions", "action", "reopen", "question", first.QuestionID, "back", back).want(t, 200, "1 question is open again")
	if n := askahumantest.Agent(t, s.World, "agent").OpenQuestions; n != 2 {
		t.Errorf("%d questions are open, want 2", n)
	}
}
