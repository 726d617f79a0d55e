package questions

import (
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/contract"
)

// AgentView returns a question as its agent sees it, in API responses and in webhook deliveries. It
// does not identify the people who answered. The question must come from Service.Question, which
// computes its current status.
func AgentView(q askahumandb.Question, results Results) contract.Question {
	view := contract.Question{
		ListedQuestion: contract.ListedQuestion{
			QuestionID: q.QuestionID, Status: contract.Status(q.Status), Prompt: q.Prompt, Type: contract.Type(q.Type), Options: q.Options, Audience: q.Audience,
			RequiredResponses: int(q.RequiredResponses), CurrentResponses: int(q.CurrentResponses),
			CreatedAt: q.CreatedAt.UTC(), ExpiresAt: q.ExpiresAt.UTC(), ClosedAt: q.ClosedAt, ExpiredAt: q.ExpiredAt, Hidden: q.Hidden,
		},
		Responses: make([]contract.Response, len(results.Answers)), Reliability: results.Reliability,
	}
	if q.Context != nil {
		view.Context = *q.Context
	}
	if view.ExpiredAt == nil && q.Status == askahumandb.QuestionStatusExpired {
		view.ExpiredAt = &view.ExpiresAt // the expiry is not stored yet
	}
	for i, a := range results.Answers {
		response := contract.Response{
			SelectedOption: number(a.SelectedOption), Confidence: number(a.Confidence),
			Erased: a.Answer == nil && a.SelectedOption == nil,
		}
		if a.Answer != nil {
			response.Answer = *a.Answer
		}
		view.Responses[i] = response
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
		view.Consensus = &contract.Consensus{Option: q.Options[c.Option], Share: c.Share}
	}
	return view
}

// number returns a number of the database for the API.
func number(n *int64) *int {
	if n == nil {
		return nil
	}
	return new(int(*n))
}
