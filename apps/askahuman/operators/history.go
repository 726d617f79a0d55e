package operators

import (
	"context"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
)

// History returns a person's answers as OwnAnswers does, including questions that are
// hidden from people.
func (s *Service) History(ctx context.Context, p askahuman.Person, limit int, cursor string) ([]answers.OwnAnswer, string, error) {
	answers, next, err := s.answers.OwnAnswers(ctx, p, limit, cursor)
	if err != nil {
		return nil, "", err
	}
	var missing []string
	for _, answer := range answers {
		if answer.Status == "" {
			missing = append(missing, answer.Response.QuestionID)
		}
	}
	if len(missing) == 0 {
		return answers, next, nil
	}
	questions, err := s.questions.Kept(ctx, missing)
	if err != nil {
		return nil, "", err
	}
	for i := range answers {
		if q, kept := questions[answers[i].Response.QuestionID]; kept {
			answers[i].Prompt, answers[i].Options, answers[i].Status = q.Prompt, q.Options, q.Status
		}
	}
	return answers, next, nil
}
