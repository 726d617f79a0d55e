package answers

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// An OwnAnswer is one of a person's answers, with its question if that still exists.
type OwnAnswer struct {
	Response askahumandb.Response
	Prompt   string
	Options  []string                   // of a choice, which the answer counts
	Status   askahumandb.QuestionStatus // "" when the question is deleted
}

// Own returns a person's answer to a question; nil if there is none.
func (s *Service) Own(ctx context.Context, p askahuman.Person, questionID string) (*askahumandb.Response, error) {
	if p.Hash == "" {
		return nil, nil
	}
	response, err := s.env.DB.GetOwnResponse(ctx, questionID, p.Hash)
	if errors.Is(err, access.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for a person's answer: %w", err)
	}
	return &response, nil
}

// OwnAnswers returns a person's latest answers, newest first, and the cursor of the next
// page. The limit defaults to 20 and is at most 50.
func (s *Service) OwnAnswers(ctx context.Context, p askahuman.Person, limit int, cursor string) ([]OwnAnswer, string, error) {
	if p.Hash == "" {
		return nil, "", askahuman.ErrNobody
	}
	if limit == 0 {
		limit = askahuman.DefaultPage
	}
	page, err := s.env.DB.ListOwnResponses(p.Hash).PageSize(min(max(limit, 1), askahuman.MaxPage)).Page(ctx, cursor)
	if err != nil {
		return nil, "", askahuman.BadCursor(err)
	}
	now := s.env.Now()
	var answers []OwnAnswer
	var ids []string
	for _, response := range page.Items {
		if now.Before(response.TTL) {
			answers = append(answers, OwnAnswer{Response: response})
			ids = append(ids, response.QuestionID)
		}
	}
	questions, err := s.questions.VisibleOf(ctx, ids)
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
