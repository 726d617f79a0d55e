package operators

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

// A Change is an action of an operator on questions.
type Change string

// The changes. Show takes back Hide, and Reopen takes back Close while the question has time.
const (
	Hide   Change = "hide"
	Show   Change = "show"
	Close  Change = "close"
	Reopen Change = "reopen"
	// Restore shows or reopens the questions of an agent that were hidden or closed with its ban.
	Restore Change = "restore"
)

var errNoChange = refusal.OfField(refusal.Field{Name: "action", Constraint: "allowed", Allowed: []string{string(Hide), string(Show), string(Close), string(Reopen)}}, "Choose what to do with the questions.")

// ChangeQuestions hides, shows, closes or reopens questions, and returns how many it went through. A
// question that does not exist any more is skipped. Each change is in the audit trail.
func (s *Service) ChangeQuestions(ctx context.Context, operator string, change Change, ids []string) (changed int, err error) {
	for _, id := range ids {
		err := s.change(ctx, operator, change, id)
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

// ChangeOfAgent hides or closes all open questions of an agent, or restores those that were hidden
// or closed by it, and returns how many it changed. It goes together with a ban and can be
// repeated.
func (s *Service) ChangeOfAgent(ctx context.Context, operator string, change Change, agentID string) (changed int, err error) {
	cursor := ""
	for {
		page, err := s.questions.Questions(ctx, agentID, "", askahuman.MaxPage, cursor)
		if err != nil {
			return changed, err
		}
		for _, q := range page.Questions {
			did, err := s.changeWithAgent(ctx, operator, change, q)
			if err != nil {
				return changed, fmt.Errorf("%s question %s of a banned agent: %w", change, q.QuestionID, err)
			}
			if did {
				changed++
			}
		}
		if cursor = page.Next; cursor == "" {
			return changed, nil
		}
	}
}

// changeWithAgent changes a question because of its agent, and reports whether the change
// concerned it.
func (s *Service) changeWithAgent(ctx context.Context, operator string, change Change, q questions.Question) (did bool, err error) {
	switch {
	case change == Hide && questions.IsOpen(q.Status) && !q.Hidden:
		return true, s.hide(ctx, operator, q.QuestionID, withAgent)
	case change == Close && questions.IsOpen(q.Status):
		return true, s.close(ctx, operator, q.QuestionID, askahumandb.QuestionClosedByBan)
	case change == Restore:
		return s.restore(ctx, operator, q)
	}
	return false, nil
}

// restore takes back what happened to a question with the ban of its agent.
func (s *Service) restore(ctx context.Context, operator string, q questions.Question) (did bool, err error) {
	if s.CanReopen(q) && *q.ClosedBy == askahumandb.QuestionClosedByBan {
		if err := s.Reopen(ctx, operator, q.QuestionID); err != nil {
			return false, err
		}
		did = true
	}
	if !q.Hidden {
		return did, nil
	}
	hidden, err := s.hiddenWithAgent(ctx, q.QuestionID)
	if err != nil || !hidden {
		return did, err
	}
	return true, s.ShowQuestion(ctx, operator, q.QuestionID)
}

// hiddenWithAgent reports whether a question was hidden because its agent was banned, and not since
// then for a reason of its own.
func (s *Service) hiddenWithAgent(ctx context.Context, id string) (bool, error) {
	reports, err := s.env.DB.ListReports(id).Limit(0).Slice(ctx)
	reports = slices.DeleteFunc(reports, func(report askahumandb.QuestionReport) bool {
		return report.State != askahumandb.QuestionReportStateUpheld
	})
	if err != nil || len(reports) == 0 {
		return false, err
	}
	last := slices.MaxFunc(reports, func(a, b askahumandb.QuestionReport) int {
		return cmp.Or(a.ReportedAt.Compare(b.ReportedAt), cmp.Compare(a.FingerprintHash, b.FingerprintHash)) // those of operators ascend
	})
	return FromOperator(last) && last.Reason == withAgent, nil
}

func (s *Service) change(ctx context.Context, operator string, change Change, id string) error {
	switch change {
	case Hide:
		return s.HideQuestion(ctx, operator, id)
	case Show:
		return s.ShowQuestion(ctx, operator, id)
	case Close:
		return s.CloseByOperator(ctx, operator, id)
	case Reopen:
		return s.Reopen(ctx, operator, id)
	}
	return errNoChange
}
