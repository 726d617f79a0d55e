package askahuman

import (
	"context"
	"maps"

	"sortkey.dev/apps/askahuman/askahumandb"
)

// An OwnAnswer is one of a person's answers, with its question if that still exists.
type OwnAnswer struct {
	Response askahumandb.Response
	Prompt   string
	Options  []string                   // of a choice, which the answer counts
	Status   askahumandb.QuestionStatus // "" when the question is deleted
}

// OwnAnswers returns a person's latest answers, newest first, and the cursor of the next
// page. The limit defaults to 20 and is at most 50.
func (s *Service) OwnAnswers(ctx context.Context, p Person, limit int, cursor string) ([]OwnAnswer, string, error) {
	if p.Hash == "" {
		return nil, "", errNobody
	}
	if limit == 0 {
		limit = defaultPage
	}
	page, err := s.db.ListOwnResponses(p.Hash).PageSize(min(max(limit, 1), maxPage)).Page(ctx, cursor)
	if err != nil {
		return nil, "", badCursor(err)
	}
	now := s.Now()
	var answers []OwnAnswer
	var ids []string
	for _, response := range page.Items {
		if now.Before(response.TTL) {
			answers = append(answers, OwnAnswer{Response: response})
			ids = append(ids, response.QuestionID)
		}
	}
	questions, err := s.visibleQuestions(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	for i := range answers {
		if q, ok := questions[answers[i].Response.QuestionID]; ok {
			answers[i].Prompt, answers[i].Options, answers[i].Status = q.Prompt, q.Options, q.Status
		}
	}
	return answers, page.Next, nil
}

// visibleQuestions returns those of the questions that people may see, with their
// current status.
func (s *Service) visibleQuestions(ctx context.Context, ids []string) (map[string]askahumandb.Question, error) {
	questions, err := s.keptQuestions(ctx, ids)
	maps.DeleteFunc(questions, func(_ string, q askahumandb.Question) bool { return q.Hidden })
	return questions, err
}
