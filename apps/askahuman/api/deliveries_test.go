package api_test

import (
	"net/http"
	"testing"

	"sortkey.dev/apps/askahuman/askahumantest"
)

// TestAgentsSeeTheCallsOfTheirWebhooks: with what went wrong, and no other agent sees them.
func TestAgentsSeeTheCallsOfTheirWebhooks(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", fields{"callback_url": "https://agent.example/hook?token=hush"})
	list := call{method: "GET", path: "/agent/questions/" + id + "/deliveries", agent: "bot"}
	if a := s.must(t, http.StatusOK, list); len(a.list("deliveries")) != 0 {
		t.Errorf("before the end: %s", a.text)
	}
	askahumantest.RecordDelivery(t, s.World, id, 1, 503, "agent.example answered 503 Service Unavailable")
	askahumantest.RecordDelivery(t, s.World, id, 2, 204, "")
	a := s.must(t, http.StatusOK, list)
	if len(a.list("deliveries")) != 2 || a.num("deliveries", 0, "status") != 503 || a.str("deliveries", 0, "error") == "" || a.num("deliveries", 1, "try") != 2 {
		t.Errorf("the deliveries: %s", a.text)
	}
	list.agent = "another"
	s.refused(t, http.StatusNotFound, "QUESTION_NOT_FOUND", list)
}

// TestAHiddenQuestionTellsItsAgent: it gets no more answers.
func TestAHiddenQuestionTellsItsAgent(t *testing.T) {
	s := open(t)
	id := s.ask(t, "bot", nil)
	hidden := func() any { return s.must(t, http.StatusOK, poll("bot", id)).at("hidden") }
	if got := hidden(); got != nil {
		t.Errorf("hidden is %v", got)
	}
	if err := s.Operators.HideQuestion(t.Context(), "op", id); err != nil {
		t.Fatal(err)
	}
	if got := hidden(); got != true {
		t.Errorf("hidden is %v", got)
	}
}

// TestPrivateCallbacksAreRefused when they are submitted.
func TestPrivateCallbacksAreRefused(t *testing.T) {
	s := open(t)
	for _, url := range []string{"http://10.0.0.8/hook", "http://localhost/hook", "https://[fd00::1]/"} {
		a := s.refused(t, http.StatusBadRequest, "VALIDATION_ERROR", call{method: "POST", path: "/agent/questions", agent: "bot", body: fields{
			"prompt": "Which of these is friendlier?", "type": "text", "callback_url": url,
		}})
		if got := a.str("error", "details", "field"); got != "callback_url" {
			t.Errorf("%s blames %q", url, got)
		}
	}
}
