package askahuman

import (
	"context"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// operatorReporter is the prefix of the reporter's name in an operator's report.
const operatorReporter = "operator:"

// FromOperator reports whether HideQuestion created a report.
func FromOperator(report askahumandb.QuestionReport) bool {
	return strings.HasPrefix(report.FingerprintHash, operatorReporter)
}

// HideQuestion hides a question without reports: it creates a report in the operator's name and
// upholds it, so that every hidden question has a reason on file. Hiding a hidden question
// changes nothing.
func (s *Service) HideQuestion(ctx context.Context, operator, id string) error {
	question, err := s.Question(ctx, id)
	if err != nil || question.Hidden {
		return err
	}
	reporter := Person{Hash: operatorReporter + access.NewULID(s.Now())}
	if err := s.Report(ctx, reporter, id, "Hidden by an operator."); err != nil {
		return err
	}
	return s.DecideReport(ctx, operator, id, reporter.Hash, true)
}

// CloseByOperator closes any agent's question. Closing a question that is over changes nothing.
func (s *Service) CloseByOperator(ctx context.Context, operator, id string) error {
	return access.RetryOnConflict(ctx, func() (again bool, err error) {
		question, err := s.Question(ctx, id)
		if err != nil || !isOpen(question.Status) {
			return false, err
		}
		now := s.Now().Truncate(time.Millisecond)
		ttl := now.Add(KeepClosed)
		tx := s.db.Tx()
		tx.CloseQuestion(askahumandb.CloseQuestionParams{QuestionID: id, AgentID: question.AgentID, ClosedAt: &now, TTL: &ttl})
		s.audit(tx, operator, "close question", id)
		err = tx.Commit(ctx)
		return changedMeanwhile[askahumandb.Question](err), err
	})
}
