package questions

import (
	"context"
	"fmt"
	"maps"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// Visible returns a question as people may see it. A question that an operator hid does
// not exist for them.
func (s *Service) Visible(ctx context.Context, id string) (askahumandb.Question, error) {
	q, err := s.Question(ctx, id)
	if err == nil && q.Hidden {
		err = askahuman.ErrNoQuestion
	}
	return q, err
}

// VisibleOf returns those of the questions that people may see, with their
// current status.
func (s *Service) VisibleOf(ctx context.Context, ids []string) (map[string]askahumandb.Question, error) {
	questions, err := s.Kept(ctx, ids)
	maps.DeleteFunc(questions, func(_ string, q askahumandb.Question) bool { return q.Hidden })
	return questions, err
}

// Kept returns those of the questions that are still kept, with their current
// status.
func (s *Service) Kept(ctx context.Context, ids []string) (map[string]askahumandb.Question, error) {
	keys := make([]askahumandb.QuestionKey, len(ids))
	for i, id := range ids {
		keys[i] = askahumandb.QuestionKey{QuestionID: id}
	}
	stored, err := s.env.DB.GetQuestionBatch(ctx, askahuman.Distinct(keys))
	if err != nil {
		return nil, fmt.Errorf("read the questions of a list: %w", err)
	}
	now := s.env.Now()
	questions := make(map[string]askahumandb.Question, len(stored))
	for _, q := range stored {
		if q, kept := asOf(q, now); kept {
			questions[q.QuestionID] = q
		}
	}
	return questions, nil
}
