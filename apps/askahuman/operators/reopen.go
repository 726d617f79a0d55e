package operators

import (
	"context"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
	"sortkey.dev/apps/internal/refusal"
)

// CloseByOperator closes any agent's question. Closing a question that is over changes nothing.
func (s *Service) CloseByOperator(ctx context.Context, operator, id string) error {
	return s.close(ctx, operator, id, askahumandb.QuestionClosedByOperator)
}

func (s *Service) close(ctx context.Context, operator, id string, by askahumandb.QuestionClosedBy) error {
	return access.RetryOnConflict(ctx, func() (again bool, err error) {
		question, err := s.questions.Question(ctx, id)
		if err != nil || !questions.IsOpen(question.Status) {
			return false, err
		}
		now := s.env.Now().Truncate(time.Millisecond)
		ttl := now.Add(askahuman.KeepClosed)
		tx := s.env.DB.Tx()
		tx.CloseByOperator(askahumandb.CloseByOperatorParams{QuestionID: id, AgentID: question.AgentID, ClosedAt: &now, ClosedBy: &by, TTL: &ttl})
		if err := s.questions.AddEnd(tx, question, now); err != nil {
			return false, err
		}
		s.env.RecordAudit(tx, operator, "close question", id)
		err = tx.Commit(ctx)
		return askahuman.Changed[askahumandb.Question](err), err
	})
}

// CanReopen reports whether the closing of a question can be taken back: an operator closed it,
// and it still has time.
func (s *Service) CanReopen(q questions.Question) bool {
	return q.Status == askahumandb.QuestionStatusClosed && q.ClosedBy != nil && q.CurrentResponses < q.RequiredResponses && s.env.Now().Before(q.ExpiresAt)
}

// Reopen takes back that an operator closed a question, and queues a search for people if the
// question is not hidden. If its time is over, or if it was closed in another way, nothing
// changes.
func (s *Service) Reopen(ctx context.Context, operator, id string) error {
	var search questions.NextSearch
	return access.RetryOnConflict(ctx, func() (again bool, err error) {
		q, err := s.questions.Question(ctx, id)
		if err != nil || !s.CanReopen(q) {
			return false, err
		}
		tx := s.env.DB.Tx()
		if now := s.env.Now(); q.CurrentResponses == 0 {
			tx.ReopenUnanswered(askahumandb.ReopenUnansweredParams{QuestionID: id, AgentID: q.AgentID, Hidden: q.Hidden, Part: q.Part, ExpiresAt: q.ExpiresAt, Now: now})
		} else {
			tx.ReopenAnswered(askahumandb.ReopenAnsweredParams{QuestionID: id, AgentID: q.AgentID, Hidden: q.Hidden, Part: q.Part, ExpiresAt: q.ExpiresAt, Now: now})
		}
		if !q.Hidden {
			if err := search.Queue(s.questions, tx, q); err != nil {
				return false, err
			}
		}
		s.env.RecordAudit(tx, operator, "reopen question", id)
		err = tx.Commit(ctx)
		search.Note(err)
		if askahuman.Changed[askahumandb.Agent](err) {
			return false, errTooManyOpen
		}
		return access.Refused(err), err // a conflicting write changed the item
	})
}

var errTooManyOpen = refusal.New(refusal.Conflict, "", "The agent has %d open questions, which is the most. Close one of them first.", askahuman.MaxOpenQuestions)
