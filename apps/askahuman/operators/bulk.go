package operators

import (
	"context"
	"fmt"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

// A Change is an action of an operator on questions.
type Change string

// The changes. Closing a question cannot be undone.
const (
	Hide  Change = "hide"
	Show  Change = "show"
	Close Change = "close"
)

var errNoChange = refusal.OfField(refusal.Field{Name: "action", Constraint: "allowed", Allowed: []string{string(Hide), string(Show), string(Close)}}, "Choose what to do with the questions.")

// ChangeQuestions hides, shows or closes questions, and returns how many it went through. A
// question that does not exist any more is skipped. Each change is in the audit trail.
func (s *Service) ChangeQuestions(ctx context.Context, operator string, change Change, ids []string) (changed int, err error) {
	for _, id := range ids {
		err := s.change(ctx, operator, change, id, byOperator)
		if _, gone := refusal.As(err, refusal.NotFound); gone {
			continue
		}
		if err != nil {
			return changed, err
		}
		changed++
	}
	return changed, nil
}

// ChangeOfAgent hides or closes all open questions of an agent, or shows those again that were
// hidden by it, and returns how many it changed. It goes together with a ban and can be repeated.
func (s *Service) ChangeOfAgent(ctx context.Context, operator string, change Change, agentID string) (changed int, err error) {
	cursor := ""
	for {
		page, err := s.questions.Questions(ctx, agentID, "", askahuman.MaxPage, cursor)
		if err != nil {
			return changed, err
		}
		for _, q := range page.Questions {
			concerned, err := s.concerns(ctx, change, q)
			if err != nil {
				return changed, err
			}
			if !concerned {
				continue
			}
			if err := s.change(ctx, operator, change, q.QuestionID, withAgent); err != nil {
				return changed, fmt.Errorf("%s question %s of a banned agent: %w", change, q.QuestionID, err)
			}
			changed++
		}
		if cursor = page.Next; cursor == "" {
			return changed, nil
		}
	}
}

// concerns reports whether a change of all questions of an agent concerns a question.
func (s *Service) concerns(ctx context.Context, change Change, q questions.Question) (bool, error) {
	if change != Show {
		return questions.IsOpen(q.Status) && (change == Close || !q.Hidden), nil
	}
	if !q.Hidden {
		return false, nil
	}
	reports, err := s.env.DB.ListReports(q.QuestionID).Limit(0).Slice(ctx)
	for _, report := range reports {
		if FromOperator(report) && report.Reason == withAgent {
			return true, nil
		}
	}
	return false, err
}

func (s *Service) change(ctx context.Context, operator string, change Change, id, reason string) error {
	switch change {
	case Hide:
		return s.hide(ctx, operator, id, reason)
	case Show:
		return s.ShowQuestion(ctx, operator, id)
	case Close:
		return s.CloseByOperator(ctx, operator, id)
	}
	return errNoChange
}
