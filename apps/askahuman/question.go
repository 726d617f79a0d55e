package askahuman

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
)

// Question returns a question as it is now: one whose time is up is EXPIRED, whether or not
// anything has noticed; one that is kept no longer does not exist.
func (s *Service) Question(ctx context.Context, id string) (askahumandb.Question, error) {
	stored, err := s.storedQuestion(ctx, id)
	if err != nil {
		return askahumandb.Question{}, err
	}
	question, kept := asOf(stored, s.Now())
	if !kept {
		return askahumandb.Question{}, ErrNoQuestion
	}
	return question, nil
}

// storedQuestion returns a question as it was written last, which time may have overtaken.
func (s *Service) storedQuestion(ctx context.Context, id string) (askahumandb.Question, error) {
	if !isID(id) {
		return askahumandb.Question{}, ErrNoQuestion
	}
	q, err := s.db.GetQuestion(ctx, id)
	if errors.Is(err, access.ErrNotFound) {
		return q, ErrNoQuestion
	}
	return q, err
}

// isID reports whether a text looks like an id that was made here. What does not, is not
// asked for.
func isID(id string) bool {
	_, err := access.TimeOfID(id)
	return err == nil
}

// asOf returns a stored question as it is at a time, and whether it is still kept.
func asOf(q askahumandb.Question, now time.Time) (_ askahumandb.Question, kept bool) {
	if isOpen(q.Status) && !now.Before(q.ExpiresAt) {
		ended, ttl := q.ExpiresAt, q.ExpiresAt.Add(KeepExpired)
		q.Status, q.ExpiredAt, q.TTL = askahumandb.QuestionStatusExpired, &ended, &ttl
	}
	return q, q.TTL == nil || now.Before(*q.TTL)
}

// isOpen reports whether a status is one of a question that takes answers.
func isOpen(status askahumandb.QuestionStatus) bool {
	return status == askahumandb.QuestionStatusOpen || status == askahumandb.QuestionStatusPartial
}

// A QuestionPage is a part of an agent's own questions, newest first.
type QuestionPage struct {
	Questions []askahumandb.Question
	Next      string // "" on the last page
}

const (
	defaultPage = 20
	maxPage     = 50
	// maxPageReads bounds the work for a page of which a filter takes nearly everything. Such
	// a page is short, and goes on behind its cursor.
	maxPageReads = 20
)

// Questions lists an agent's own questions, those of one status if status is not "".
func (s *Service) Questions(ctx context.Context, agentID, status string, limit int, cursor string) (QuestionPage, error) {
	if err := checkAgentID(agentID); err != nil {
		return QuestionPage{}, err
	}
	if status != "" && !askahumandb.QuestionStatus(status).Valid() {
		return QuestionPage{}, invalid(FieldError{Field: "status", Constraint: "allowed", Allowed: statuses()}, "A status is OPEN, PARTIAL, CLOSED or EXPIRED.")
	}
	if limit == 0 {
		limit = defaultPage
	}
	limit = min(max(limit, 1), maxPage)
	now := s.Now()
	page := QuestionPage{Next: cursor}
	for range maxPageReads {
		read, err := s.db.ListQuestionsByAgent(agentID).PageSize(limit-len(page.Questions)).Page(ctx, page.Next)
		if err != nil {
			return QuestionPage{}, badCursor(err)
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

// badCursor tells a caller that its cursor is none; other errors stay as they are.
func badCursor(err error) error {
	if errors.Is(err, access.ErrBadCursor) {
		return invalid(FieldError{Field: "cursor", Constraint: "format"}, "This is not a cursor of this list.")
	}
	return err
}

// Close ends a question early. Closing a closed question of one's own changes nothing.
func (s *Service) Close(ctx context.Context, agentID, id string) (askahumandb.Question, error) {
	var question askahumandb.Question
	err := s.untilSettled(ctx, func() (again bool, err error) {
		if question, err = s.Question(ctx, id); err != nil {
			return false, err
		}
		if question.AgentID != agentID {
			return false, ErrNoQuestion // whose it is, is nobody else's business
		}
		if !isOpen(question.Status) {
			return false, nil
		}
		now := s.Now().Truncate(time.Millisecond)
		ttl := now.Add(KeepClosed)
		err = s.db.CloseQuestion(ctx, askahumandb.CloseQuestionParams{QuestionID: id, AgentID: agentID, ClosedAt: &now, TTL: &ttl})
		// Read once more, in any case: an answer may have come in between.
		return err == nil || changedMeanwhile[askahumandb.Question](err), err
	})
	return question, err
}

// Expire writes down that a question's time is up, and reports whether this call did it.
// A question that is gone, closed or still has time stays as it is. agentID may be "".
func (s *Service) Expire(ctx context.Context, id, agentID string) (bool, error) {
	q, err := s.storedQuestion(ctx, id)
	if errors.Is(err, ErrNoQuestion) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read a question to expire: %w", err)
	}
	now := s.Now()
	if !isOpen(q.Status) || now.Before(q.ExpiresAt) || agentID != "" && agentID != q.AgentID {
		return false, nil
	}
	ended, _ := asOf(q, now)
	err = s.untilSettled(ctx, func() (bool, error) {
		return false, s.db.ExpireQuestion(ctx, askahumandb.ExpireQuestionParams{
			QuestionID: id, AgentID: q.AgentID, Now: now, ExpiredAt: ended.ExpiredAt, TTL: ended.TTL,
		})
	})
	if changedMeanwhile[askahumandb.Question](err) {
		return false, nil // somebody else was first
	}
	if err != nil {
		return false, err
	}
	s.Count(MetricExpired, 1)
	return true, nil
}

// expireOverdue expires what an agent has that is over, and says how many those were.
func (s *Service) expireOverdue(ctx context.Context, agentID string) (int, error) {
	overdue, err := s.db.ListOverdueQuestions(s.Now()).Limit(0).Slice(ctx)
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
