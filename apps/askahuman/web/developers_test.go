package web_test

import (
	"regexp"
	"strings"
	"testing"
)

func TestTryingItOut(t *testing.T) {
	s := open(t)
	v := s.visitor()
	v.get("/developers").want(t, 200, "Let your agent ask people", s.url+"/agent/questions", "/openapi.json", s.url+"/mcp")
	v.send("/developers/try", "prompt", "Too short", "min_responses", "0", "timeout_seconds", "3600").
		want(t, 422, "Question: Write 1 more character", "Answers wanted: Write a whole number from 1 to 50", "Please check 2 things")
	v.send("/developers/try", "prompt", "Which one is better?", "options", "Only one", "min_responses", "2", "timeout_seconds", "3600", "audience", "general").
		want(t, 400, "2 to 10 options")
	page := v.send("/developers/try", "prompt", "Which one is better?", "options", "This\nThat", "min_responses", "2", "timeout_seconds", "3600", "audience", "general")
	page.want(t, 200, "Which one is better?", "0 of 2", "No answers yet", "Asked", "Ends at the latest", `"status": "OPEN"`)
	id := page.Path[strings.LastIndex(page.Path, "/")+1:]
	q := must(s.Questions.Question(t.Context(), id))
	if !strings.HasPrefix(q.AgentID, "try-it-") || len(q.Options) != 2 {
		t.Errorf("asked by %q with options %q", q.AgentID, q.Options)
	}
	s.answers(q, 1)
	v.get(page.Path).want(t, 200, "1 of 2", "Partly answered", "This")
	v.get("/developers/agent").want(t, 200, q.AgentID, "Which one is better?", "1 of 2 answers")
	v.send("/developers/questions/"+id+"/close").want(t, 200, "Closed. It takes no more answers.", "Closed")

	// Who did not ask does not see the answers.
	stranger := s.visitor()
	if at := stranger.get(page.Path); !strings.HasPrefix(at.Path, "/developers/agent") {
		t.Errorf("a stranger is on %s", at.Path)
	}
	stranger.send("/developers/agent", "agent_id", "somebody-else").want(t, 200, "This agent has not asked yet")
	stranger.get(page.Path).want(t, 404, "This question is not one of somebody-else’s")
	stranger.get("/live/questions/"+id).want(t, 404)
}

// TestATrialQuestionSentTwiceIsAskedOnce sends the form twice at the same time, and once more after that, as a double
// click and a resend do.
func TestATrialQuestionSentTwiceIsAskedOnce(t *testing.T) {
	s := open(t)
	v := s.visitor()
	for range 2 { // a new agent, and the same agent
		v.Twice("/developers", "/developers/try", "prompt", "Which one is better?", "min_responses", "2", "timeout_seconds", "3600", "audience", "general")
	}
	if got := strings.Count(v.get("/developers/agent").Page, "0 of 2 answers"); got != 2 {
		t.Errorf("the agent has asked %d questions, want one of each page", got)
	}
}

func TestAnAgentWithAKey(t *testing.T) {
	s := open(t)
	s.ask("Which of these is friendlier?")
	v := s.visitor()
	v.get("/developers/agent").want(t, 200, "Which agent is yours?")
	v.send("/developers/agent", "agent_id", "").want(t, 422, "Say which agent you are.")
	v.send("/developers/agent", "agent_id", "not an id").want(t, 422, "letters, digits")
	v.send("/developers/agent", "agent_id", "agent").want(t, 200, "Which of these is friendlier?")
	v.get("/developers/agent?status=CLOSED").want(t, 200, "No such questions")
	page := v.send("/developers/agent/key")
	page.want(t, 200, "Keep this key", "aah_")
	_, key, _ := strings.Cut(page.Page, "<code>aah_")
	key, _, _ = strings.Cut("aah_"+key, "<")
	v.send("/developers/agent/key", "key", "wrong").want(t, 200, "Give the one it has")
	v.send("/developers/agent/out").want(t, 200, "Which agent is yours?")
	v.send("/developers/agent", "agent_id", "agent", "key", "aah_wrong").want(t, 422, "this is not it")
	v.send("/developers/agent", "agent_id", "agent", "key", key).want(t, 200, "Which of these is friendlier?")
	v.send("/developers/agent/out")
	v.send("/developers/agent", "agent_id", "", "key", key).want(t, 200, "Which of these is friendlier?")
}

// TestTheGuideIsFound: from the first page for developers, with its chapters, for this server.
func TestTheGuideIsFound(t *testing.T) {
	s := open(t)
	v := s.visitor()
	v.get("/developers").want(t, 200, `href="/developers/guide"`)
	v.get("/developers/guide").want(t, 200, "curl "+s.url+"/agent/questions", "/agent/questions/QUESTION_ID?wait=30",
		"60 questions and poll 600 times an hour", "have 100 questions open", "10 to 2,000 characters", "Kept for 7 days", `aria-current="page">Guide`)
	anchors := regexp.MustCompile(`href="#([a-z]+)"`).FindAllStringSubmatch(v.last.Page, -1)
	if len(anchors) < 8 {
		t.Errorf("%d chapters", len(anchors))
	}
	for _, anchor := range anchors {
		if !strings.Contains(v.last.Page, ` id="`+anchor[1]+`"`) {
			t.Errorf("there is no chapter %s", anchor[1])
		}
	}
}
