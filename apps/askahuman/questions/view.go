package questions

import (
	"time"

	"sortkey.dev/apps/askahuman/askahumandb"
)

// A QuestionView is a question as its agent sees it, in API responses and in webhook
// deliveries. It does not identify the people who answered.
type QuestionView struct {
	QuestionID        string                     `json:"question_id"`
	Status            askahumandb.QuestionStatus `json:"status"`
	Prompt            string                     `json:"prompt"`
	Context           string                     `json:"context,omitempty"`
	Type              askahumandb.QuestionType   `json:"type"`
	Options           []string                   `json:"options,omitempty"`
	Audience          []string                   `json:"audience"`
	RequiredResponses int64                      `json:"required_responses"`
	CurrentResponses  int64                      `json:"current_responses"`
	CreatedAt         time.Time                  `json:"created_at"`
	ExpiresAt         time.Time                  `json:"expires_at"`
	ClosedAt          *time.Time                 `json:"closed_at,omitempty"`
	ExpiredAt         *time.Time                 `json:"expired_at,omitempty"`
	// Hidden reports that an operator has hidden the question: people do not see it.
	Hidden    bool           `json:"hidden,omitempty"`
	Responses []ResponseView `json:"responses"`
	// Summary maps every option's text to its votes, including options without votes. It is
	// absent for a text question.
	Summary map[string]int `json:"summary,omitempty"`
	// Reliability says how reliable the answers are: high, medium or low.
	Reliability string         `json:"reliability,omitempty"`
	Consensus   *ConsensusView `json:"consensus,omitempty"`
}

// A ResponseView is an answer as the agent sees it.
type ResponseView struct {
	Answer         *string `json:"answer,omitempty"`
	SelectedOption *int64  `json:"selected_option,omitempty"`
	Confidence     *int64  `json:"confidence,omitempty"`
	// Erased reports that the person erased the text of the answer. The answer still counts.
	Erased bool `json:"erased,omitempty"`
}

// A ConsensusView is the option that most people chose.
type ConsensusView struct {
	Option string  `json:"option"` // its text, as in the summary
	Share  float64 `json:"share"`
}

// AgentView returns a question as its agent sees it. The question must come from
// Service.Question, which computes its current status.
func AgentView(q askahumandb.Question, results Results) QuestionView {
	view := QuestionView{
		QuestionID: q.QuestionID, Status: q.Status, Prompt: q.Prompt, Type: q.Type, Options: q.Options, Audience: q.Audience,
		RequiredResponses: q.RequiredResponses, CurrentResponses: q.CurrentResponses,
		CreatedAt: q.CreatedAt.UTC(), ExpiresAt: q.ExpiresAt.UTC(), ClosedAt: q.ClosedAt, ExpiredAt: q.ExpiredAt, Hidden: q.Hidden,
		Responses: make([]ResponseView, len(results.Answers)), Reliability: results.Reliability,
	}
	if q.Context != nil {
		view.Context = *q.Context
	}
	if view.ExpiredAt == nil && q.Status == askahumandb.QuestionStatusExpired {
		view.ExpiredAt = &view.ExpiresAt // the expiry is not stored yet
	}
	for i, a := range results.Answers {
		view.Responses[i] = ResponseView{
			Answer: a.Answer, SelectedOption: a.SelectedOption, Confidence: a.Confidence,
			Erased: a.Answer == nil && a.SelectedOption == nil,
		}
	}
	if q.Type == askahumandb.QuestionTypeMultipleChoice {
		view.Summary = make(map[string]int, len(q.Options))
		for i, option := range q.Options {
			view.Summary[option] = 0
			if i < len(results.Votes) {
				view.Summary[option] = results.Votes[i]
			}
		}
	}
	if c := results.Consensus; c != nil && c.Option < len(q.Options) {
		view.Consensus = &ConsensusView{Option: q.Options[c.Option], Share: c.Share}
	}
	return view
}
