package questions

import (
	"cmp"
	"context"
	"slices"

	"sortkey.dev/apps/askahuman/askahumandb"
)

// Results holds the answers of a question.
type Results struct {
	Answers []askahumandb.Response
	// Votes holds the number of votes for each option, in the order of the options; nil for a
	// text question.
	Votes []int
	// Consensus is the leading option if more than two thirds of at least three answers chose it.
	Consensus *Consensus
	// Reliability says how reliable the answers are: high, medium or low.
	Reliability string
}

// Consensus is the option that most people chose.
type Consensus struct {
	Option int
	Share  float64
}

// minAnswers is the minimum number of answers for a consensus.
const minAnswers = 3

// Results returns the answers of a question that count, oldest first.
func (s *Service) Results(ctx context.Context, q askahumandb.Question) (Results, error) {
	answers, err := s.env.DB.ListResponses(q.QuestionID).Limit(0).Slice(ctx)
	if err != nil {
		return Results{}, err
	}
	now := s.env.Now()
	answers = slices.DeleteFunc(answers, func(r askahumandb.Response) bool { return !r.Counted || !now.Before(r.TTL) })
	slices.SortFunc(answers, func(a, b askahumandb.Response) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ResponseID, b.ResponseID))
	})
	results := Results{Answers: answers, Reliability: reliability(q, len(answers))}
	if q.Type == askahumandb.QuestionTypeMultipleChoice {
		results.Votes = votes(q, answers)
		results.Consensus = consensus(results.Votes)
	}
	return results, nil
}

func votes(q askahumandb.Question, answers []askahumandb.Response) []int {
	votes := make([]int, len(q.Options))
	for _, r := range answers {
		if o := r.SelectedOption; o != nil && *o >= 0 && *o < int64(len(votes)) {
			votes[*o]++
		}
	}
	return votes
}

func consensus(votes []int) *Consensus {
	total, leading := 0, 0
	for option, n := range votes {
		total += n
		if n > votes[leading] {
			leading = option
		}
	}
	if total < minAnswers || 3*votes[leading] <= 2*total {
		return nil
	}
	return &Consensus{Option: leading, Share: float64(votes[leading]) / float64(total)}
}

func reliability(q askahumandb.Question, answers int) string {
	switch {
	case q.Status == askahumandb.QuestionStatusClosed && int64(answers) >= q.RequiredResponses:
		return "high"
	case answers >= minAnswers:
		return "medium"
	}
	return "low"
}
