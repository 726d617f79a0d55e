package notices

import (
	"context"
	"fmt"
	"time"

	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/answers"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
)

// An InboxEntry is a question this person was notified of.
type InboxEntry struct {
	Card   answers.Card
	SentAt time.Time
}

const (
	inboxReach = 24 * time.Hour
	maxInbox   = 100 // notifications that are read
)

// Inbox returns the questions a person was notified of within a day and can still answer,
// newest first.
func (s *Service) Inbox(ctx context.Context, p askahuman.Person) ([]InboxEntry, error) {
	if p.Hash == "" {
		return nil, askahuman.ErrNobody
	}
	sent, ids, err := s.notifiedFor(ctx, p)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	asked, err := s.questions.VisibleOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	answered, err := s.answeredOf(ctx, p, ids)
	if err != nil {
		return nil, err
	}
	var entries []InboxEntry
	for _, id := range ids {
		if q, ok := asked[id]; ok && questions.IsOpen(q.Status) && !answered[id] {
			entries = append(entries, InboxEntry{Card: answers.CardOf(q, true), SentAt: sent[id]})
		}
	}
	return entries, nil
}

// notifiedFor returns the questions a person was notified of recently, newest first, and the
// time of the last notification.
func (s *Service) notifiedFor(ctx context.Context, p askahuman.Person) (sent map[string]time.Time, ids []string, err error) {
	sent = make(map[string]time.Time)
	now := s.env.Now()
	for push, err := range s.env.DB.ListInbox(p.Hash).Limit(maxInbox).PageSize(20).All(ctx) {
		if err != nil {
			return nil, nil, fmt.Errorf("read what a person was notified for: %w", err)
		}
		if now.Sub(push.SentAt) >= inboxReach {
			break
		}
		if _, twice := sent[push.QuestionID]; !twice { // on several channels
			sent[push.QuestionID] = push.SentAt
			ids = append(ids, push.QuestionID)
		}
	}
	return sent, ids, nil
}

// answeredOf reports which of some questions a person has answered.
func (s *Service) answeredOf(ctx context.Context, p askahuman.Person, ids []string) (map[string]bool, error) {
	keys := make([]askahumandb.ResponseKey, len(ids))
	for i, id := range ids {
		keys[i] = askahumandb.ResponseKey{QuestionID: id, FingerprintHash: p.Hash}
	}
	responses, err := s.env.DB.GetOwnResponseBatch(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("read what a person has answered: %w", err)
	}
	answered := make(map[string]bool, len(responses))
	for _, response := range responses {
		answered[response.QuestionID] = true
	}
	return answered, nil
}
