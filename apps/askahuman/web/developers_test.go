package web_test

import (
	"regexp"
	"strings"
	"sync"
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
	id := page.path[strings.LastIndex(page.path, "/")+1:]
	q := must(s.Questions.Question(t.Context(), id))
	if !strings.HasPrefix(q.AgentID, "try-it-") || len(q.Options) != 2 {
		t.Errorf("asked by %q with options %q", q.AgentID, q.Options)
	}
	s.answers(q, 1)
	v.get(page.path).want(t, 200, "1 of 2", "Partly answered", "This")
	v.get("/developers/agent").want(t, 200, q.AgentID, "Which one is better?", "1 of 2 answers")
	v.send("/developers/questions/"+id+"/close").want(t, 200, "Closed. It takes no more answers.", "Closed")

	// Who did not ask does not see the answers.
	stranger := s.visitor()
	if at := stranger.get(page.path); !strings.HasPrefix(at.path, "/developers/agent") {
		t.Errorf("a stranger is on %s", at.path)
	}
	stranger.send("/developers/agent", "agent_id", "somebody-else").want(t, 200, "This agent has not asked yet")
	stranger.get(page.path).want(t, 404, "This question is not one of somebody-else’s")
	stranger.get("/live/questions/"+id).want(t, 404)
}

// TestATrialQuestionSentTwiceIsAskedOnce sends the form twice at the same time, and once more after that, as a double
// click and a resend do.
func TestATrialQuestionSentTwiceIsAskedOnce(t *testing.T) {
	s := open(t)
	v := s.visitor()
	for _, agent := range []string{"a new agent", "the same agent"} {
		v.get("/developers")
		tabs := []*visitor{{}, {}, {}}
		for i := range tabs {
			tabs[i] = &visitor{t: t, client: v.client, url: v.url, token: v.token}
		}
		ask := func(v *visitor) {
			v.send("/developers/try", "prompt", "Which one is better?", "min_responses", "2", "timeout_seconds", "3600", "audience", "general")
		}
		var sent sync.WaitGroup
		for _, tab := range tabs[:2] {
			sent.Go(func() { ask(tab) })
		}
		sent.Wait()
		ask(tabs[2])
		for _, tab := range tabs {
			if tab.last.path != tabs[0].last.path || tab.last.status != 200 {
				t.Errorf("%s: %d at %s, want 200 at %s", agent, tab.last.status, tab.last.path, tabs[0].last.path)
			}
		}
	}
	if got := strings.Count(v.get("/developers/agent").text, "0 of 2 answers"); got != 2 {
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
	_, key, _ := strings.Cut(page.text, "<code>aah_")
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
	anchors := regexp.MustCompile(`href="#([a-z]+)"`).FindAllStringSubmatch(v.last.text, -1)
	if len(anchors) < 8 {
		t.Errorf("%d chapters", len(anchors))
	}
	for _, anchor := range anchors {
		if !strings.Contains(v.last.text, ` id="`+anchor[1]+`"`) {
			t.Errorf("there is no chapter %s", anchor[1])
		}
	}
}
