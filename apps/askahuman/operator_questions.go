package askahuman

import (
	"context"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// operatorReporter begins what stands for a person in the report of an operator.
const operatorReporter = "operator:"

// FromOperator reports whether a report is one that HideQuestion made.
func FromOperator(report askahumandb.QuestionReport) bool {
	return strings.HasPrefix(report.FingerprintHash, operatorReporter)
}

// HideQuestion hides a question that nobody has reported: the operator reports it and
// upholds the report, so that every hidden question has a reason on file. A question that is hidden
// stays as it is.
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

// CloseByOperator ends a question early, whoever asked it. One that is over stays as it is.
func (s *Service) CloseByOperator(ctx context.Context, operator, id string) error {
	return s.untilSettled(ctx, func() (again bool, err error) {
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
