package results

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy/exambuddydb"
)

// Delete deletes an attempt with its paper, its answers and its certificate. Statistics keep what the
// attempt has added to them. It can be repeated.
func (s *Service) Delete(ctx context.Context, attempt exambuddydb.Attempt) error {
	loaded, err := s.env.DB.LoadSession(ctx, attempt.AttemptID)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return err
	}
	var papers []exambuddydb.PaperQuestionKey
	for _, p := range loaded.PaperQuestions {
		papers = append(papers, p.Key())
	}
	var answers []exambuddydb.AnswerSelectionKey
	for _, a := range loaded.AnswerSelections {
		answers = append(answers, a.Key())
	}
	if err := errors.Join(s.env.DB.DeletePaperQuestionBatch(ctx, papers), s.env.DB.DeleteAnswerBatch(ctx, answers)); err != nil {
		return fmt.Errorf("delete the paper of attempt %s: %w", attempt.AttemptID, err)
	}
	if err := s.env.DB.DeleteCertificate(ctx, exambuddydb.CertificateKey{Code: s.code(attempt.AttemptID)}); err != nil {
		return fmt.Errorf("delete the certificate of attempt %s: %w", attempt.AttemptID, err)
	}
	if err := s.env.DB.DeleteAttempt(ctx, attempt.Key(), exambuddydb.DeleteAttemptParams{ProjectID: attempt.ProjectID, StartedAt: attempt.StartedAt}); err != nil {
		return fmt.Errorf("delete attempt %s: %w", attempt.AttemptID, err)
	}
	return nil
}
