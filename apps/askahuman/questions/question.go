package questions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// Question returns a question with its current status: past its deadline it is EXPIRED even
// if that is not stored yet, and past its retention period it does not exist.
func (s *Service) Question(ctx context.Context, id string) (askahumandb.Question, error) {
	stored, err := s.Stored(ctx, id)
	if err != nil {
		return askahumandb.Question{}, err
	}
	question, kept := asOf(stored, s.env.Now())
	if !kept {
		return askahumandb.Question{}, askahuman.ErrNoQuestion
	}
	return question, nil
}

// Stored returns a question as it is stored; its status may be out of date.
func (s *Service) Stored(ctx context.Context, id string) (askahumandb.Question, error) {
	if !askahuman.IsID(id) {
		return askahumandb.Question{}, askahuman.ErrNoQuestion
	}
	q, err := s.env.DB.GetQuestion(ctx, id)
	if errors.Is(err, access.ErrNotFound) {
		return q, askahuman.ErrNoQuestion
	}
	return q, err
}

// asOf returns a stored question with its status at a time, and whether it is still kept.
func asOf(q askahumandb.Question, now time.Time) (_ askahumandb.Question, kept bool) {
	if IsOpen(q.Status) && !now.Before(q.ExpiresAt) {
		ended, ttl := q.ExpiresAt, q.ExpiresAt.Add(askahuman.KeepExpired)
		q.Status, q.ExpiredAt, q.TTL = askahumandb.QuestionStatusExpired, &ended, &ttl
	}
	return q, q.TTL == nil || now.Before(*q.TTL)
}

// IsOpen reports whether a question of this status accepts answers.
func IsOpen(status askahumandb.QuestionStatus) bool {
	return status == askahumandb.QuestionStatusOpen || status == askahumandb.QuestionStatusPartial
}

// A QuestionPage is a page of an agent's own questions, newest first.
type QuestionPage struct {
	Questions []askahumandb.Question
	Next      string // "" on the last page
}

// Questions lists an agent's own questions, those of one status if status is not "".
func (s *Service) Questions(ctx context.Context, agentID, status string, limit int, cursor string) (QuestionPage, error) {
	if err := CheckAgentID(agentID); err != nil {
		return QuestionPage{}, err
	}
	if status != "" && !askahumandb.QuestionStatus(status).Valid() {
		return QuestionPage{}, refusal.OfField(refusal.Field{Name: "status", Constraint: "allowed", Allowed: statuses()}, "A status is OPEN, PARTIAL, CLOSED or EXPIRED.")
	}
	if limit == 0 {
		limit = askahuman.DefaultPage
	}
	limit = min(max(limit, 1), askahuman.MaxPage)
	now := s.env.Now()
	page := QuestionPage{Next: cursor}
	for range askahuman.MaxPageReads {
		read, err := s.env.DB.ListQuestionsByAgent(agentID).PageSize(limit-len(page.Questions)).Page(ctx, page.Next)
		if err != nil {
			return QuestionPage{}, askahuman.BadCursor(err)
		}
		for _, stored := range read.Items {
			q, kept := asOf(stored, now)
			if kept && (status == "" || status == string(q.Status)) {
				page.Questions = append(page.Questions, q)
			}
		}
		page.Next = read.Next
		if page.Next == "" || len(page.Questions) == limit {
			break
		}
	}
	return page, nil
}

func statuses() []string {
	var all []string
	for _, status := range askahumandb.QuestionStatusValues() {
		all = append(all, string(status))
	}
	return all
}

// Close ends a question early. Closing a closed question changes nothing.
func (s *Service) Close(ctx context.Context, agentID, id string) (askahumandb.Question, error) {
	var question askahumandb.Question
	err := access.RetryOnConflict(ctx, func() (again bool, err error) {
		if question, err = s.Question(ctx, id); err != nil {
			return false, err
		}
		if question.AgentID != agentID {
			return false, askahuman.ErrNoQuestion // other agents do not learn that it exists
		}
		if !IsOpen(question.Status) {
			return false, nil
		}
		now := s.env.Now().Truncate(time.Millisecond)
		ttl := now.Add(askahuman.KeepClosed)
		tx := s.env.DB.Tx()
		tx.CloseQuestion(askahumandb.CloseQuestionParams{QuestionID: id, AgentID: agentID, ClosedAt: &now, TTL: &ttl})
		if err := s.AddEnd(tx, question, now); err != nil {
			return false, err
		}
		err = tx.Commit(ctx)
		// Read once more, in any case: an answer may have come in between.
		return err == nil || askahuman.Changed[askahumandb.Question](err), err
	})
	return question, err
}

// Expire marks a question whose deadline has passed as expired, and reports whether this call
// did it. A question that is deleted, closed or still open is not changed. agentID may be "".
func (s *Service) Expire(ctx context.Context, id, agentID string) (bool, error) {
	q, err := s.Stored(ctx, id)
	if errors.Is(err, askahuman.ErrNoQuestion) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read a question to expire: %w", err)
	}
	now := s.env.Now()
	if !IsOpen(q.Status) || now.Before(q.ExpiresAt) || agentID != "" && agentID != q.AgentID {
		return false, nil
	}
	ended, _ := asOf(q, now)
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		tx := s.env.DB.Tx()
		tx.ExpireQuestion(askahumandb.ExpireQuestionParams{
			QuestionID: id, AgentID: q.AgentID, Now: now, ExpiredAt: ended.ExpiredAt, TTL: ended.TTL,
		})
		if err := s.AddEnd(tx, q, EndOf(ended)); err != nil {
			return false, err
		}
		return false, tx.Commit(ctx)
	})
	if askahuman.Changed[askahumandb.Question](err) {
		return false, nil // a concurrent call was first
	}
	if err != nil {
		return false, err
	}
	s.env.Count(askahuman.MetricExpired, 1)
	return true, nil
}

// expireOverdue expires an agent's overdue questions and returns their number.
func (s *Service) expireOverdue(ctx context.Context, agentID string) (int, error) {
	overdue, err := s.env.DB.ListOverdueQuestions(s.env.AllParts(), s.env.Now()).Limit(0).Slice(ctx)
	if err != nil {
		return 0, fmt.Errorf("look for questions whose time is up: %w", err)
	}
	overdue = slices.DeleteFunc(overdue, func(row askahumandb.ListOverdueQuestionsRow) bool { return row.AgentID != agentID })
	freed := 0
	for _, row := range overdue {
		expired, err := s.Expire(ctx, row.QuestionID, agentID)
		if err != nil {
			return freed, err
		}
		if expired {
			freed++
		}
	}
	return freed, nil
}
