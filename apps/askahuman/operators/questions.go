package operators

import (
	"context"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
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
	return s.hide(ctx, operator, id, byOperator)
}

// Reasons of operators' reports.
const (
	byOperator = "Hidden by an operator."
	withAgent  = "Hidden because its agent was banned."
)

func (s *Service) hide(ctx context.Context, operator, id, reason string) error {
	question, err := s.questions.Question(ctx, id)
	if err != nil || question.Hidden {
		return err
	}
	reporter := askahuman.Person{Hash: operatorReporter + access.NewULID(s.env.Now())}
	if err := s.answers.Report(ctx, reporter, id, reason); err != nil {
		return err
	}
	return s.DecideReport(ctx, operator, id, reporter.Hash, true)
}
