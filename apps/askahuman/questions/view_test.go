package questions_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
)

func TestAgentViewDoesNotIdentifyPeople(t *testing.T) {
	at := time.Date(2026, time.February, 2, 12, 0, 0, 0, time.UTC)
	text, three, zero := "Hello", int64(3), int64(0)
	secretive := askahumandb.Response{
		QuestionID: "01", FingerprintHash: "person-hash", ResponseID: "response-id", IPHash: new("ip-hash"), AnswerHash: new("answer-hash"),
	}
	words, vote := secretive, secretive
	words.Answer, words.Confidence = &text, &three
	vote.SelectedOption = &zero
	for _, test := range []struct {
		name    string
		q       askahumandb.Question
		results questions.Results
		want    string
	}{
		{
			"a text that is open",
			askahumandb.Question{QuestionID: "01", Status: "PARTIAL", Prompt: "Which?", Type: "text", Audience: []string{"general"}, RequiredResponses: 2, CurrentResponses: 1, CreatedAt: at, ExpiresAt: at.Add(time.Hour), AgentID: "agent", CallbackURL: new("https://agent.example"), NotifiedCount: 6},
			questions.Results{Answers: []askahumandb.Response{words}, Reliability: "low"},
			`{"question_id":"01","status":"PARTIAL","prompt":"Which?","type":"text","audience":["general"],"required_responses":2,"current_responses":1,` +
				`"created_at":"2026-02-02T12:00:00Z","expires_at":"2026-02-02T13:00:00Z","responses":[{"answer":"Hello","confidence":3}],"reliability":"low"}`,
		},
		{
			"a vote nobody has given",
			askahumandb.Question{QuestionID: "01", Status: "EXPIRED", Prompt: "Which?", Context: new("For a shop."), Type: "multiple_choice", Options: []string{"A", "B"}, Audience: []string{"ethics"}, RequiredResponses: 2, CreatedAt: at, ExpiresAt: at.Add(time.Hour)},
			questions.Results{},
			`{"question_id":"01","status":"EXPIRED","prompt":"Which?","context":"For a shop.","type":"multiple_choice","options":["A","B"],"audience":["ethics"],"required_responses":2,"current_responses":0,` +
				`"created_at":"2026-02-02T12:00:00Z","expires_at":"2026-02-02T13:00:00Z","expired_at":"2026-02-02T13:00:00Z","responses":[],"summary":{"A":0,"B":0}}`,
		},
		{
			"a vote that is decided",
			askahumandb.Question{QuestionID: "01", Status: "CLOSED", Prompt: "Which?", Type: "multiple_choice", Options: []string{"A", "B"}, Audience: []string{"general"}, RequiredResponses: 1, CurrentResponses: 1, CreatedAt: at, ExpiresAt: at.Add(time.Hour), ClosedAt: &at},
			questions.Results{Answers: []askahumandb.Response{vote}, Votes: []int{1, 0}, Consensus: &questions.Consensus{Option: 0, Share: 1}, Reliability: "high"},
			`{"question_id":"01","status":"CLOSED","prompt":"Which?","type":"multiple_choice","options":["A","B"],"audience":["general"],"required_responses":1,"current_responses":1,` +
				`"created_at":"2026-02-02T12:00:00Z","expires_at":"2026-02-02T13:00:00Z","closed_at":"2026-02-02T12:00:00Z","responses":[{"selected_option":0}],"summary":{"A":1,"B":0},"reliability":"high","consensus":{"option":"A","share":1}}`,
		},
	} {
		got, err := json.Marshal(questions.AgentView(test.q, test.results))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		for _, secret := range []string{"-hash", "response-id", "agent.example"} {
			if strings.Contains(string(got), secret) {
				t.Errorf("%s: the agent sees %s", test.name, secret)
			}
		}
	}
}
