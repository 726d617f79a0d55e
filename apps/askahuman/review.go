package askahuman

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// A Flagged is a flagged answer with what an operator needs to judge it.
type Flagged struct {
	Response askahumandb.Response
	Question askahumandb.Question // zero if deleted
	Stats    askahumandb.UserStats
}

// Flagged returns the review queue, oldest first.
func (s *Service) Flagged(ctx context.Context, limit int, cursor string) ([]Flagged, string, error) {
	page, err := s.db.ListFlagged().PageSize(pageSize(limit)).Page(ctx, cursor)
	if err != nil {
		return nil, "", badCursor(err)
	}
	now := s.Now()
	var ids, people []string
	for _, r := range page.Items {
		ids, people = append(ids, r.QuestionID), append(people, r.FingerprintHash)
	}
	questions, err := s.keptQuestions(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	stats, err := s.statsOf(ctx, people)
	if err != nil {
		return nil, "", err
	}
	var queue []Flagged
	for _, r := range page.Items {
		if now.Before(r.TTL) {
			queue = append(queue, Flagged{Response: r, Question: questions[r.QuestionID], Stats: stats[r.FingerprintHash]})
		}
	}
	return queue, page.Next, nil
}

// keptQuestions returns those of the questions that are still kept, with their current
// status.
func (s *Service) keptQuestions(ctx context.Context, ids []string) (map[string]askahumandb.Question, error) {
	keys := make([]askahumandb.QuestionKey, len(ids))
	for i, id := range ids {
		keys[i] = askahumandb.QuestionKey{QuestionID: id}
	}
	stored, err := s.db.GetQuestionBatch(ctx, distinct(keys))
	if err != nil {
		return nil, fmt.Errorf("read the questions of a list: %w", err)
	}
	now := s.Now()
	questions := make(map[string]askahumandb.Question, len(stored))
	for _, q := range stored {
		if q, kept := asOf(q, now); kept {
			questions[q.QuestionID] = q
		}
	}
	return questions, nil
}

func (s *Service) statsOf(ctx context.Context, people []string) (map[string]askahumandb.UserStats, error) {
	keys := make([]askahumandb.UserStatsKey, len(people))
	for i, hash := range people {
		keys[i] = askahumandb.UserStatsKey{FingerprintHash: hash}
	}
	stored, err := s.db.GetUserStatsBatch(ctx, distinct(keys))
	if err != nil {
		return nil, fmt.Errorf("read the people of a list: %w", err)
	}
	stats := make(map[string]askahumandb.UserStats, len(stored))
	for _, u := range stored {
		stats[u.FingerprintHash] = u
	}
	return stats, nil
}

// distinct returns the keys without duplicates, in order: a batch must not contain a key
// twice.
func distinct[K comparable](keys []K) []K {
	seen := make(map[K]bool, len(keys))
	var once []K
	for _, key := range keys {
		if !seen[key] {
			seen[key] = true
			once = append(once, key)
		}
	}
	return once
}

// pageSize returns the number of rows of an operator's page.
func pageSize(limit int) int {
	if limit == 0 {
		return maxPage
	}
	return min(max(limit, 1), maxPage)
}

var (
	errNoAnswer = refusal.New(refusal.NotFound, "", "There is no such answer.")
	errReviewed = refusal.New(refusal.Conflict, "", "This answer was reviewed before, or was never flagged.")
)

// Approve marks a flagged answer as fine. Approving it again changes nothing.
func (s *Service) Approve(ctx context.Context, operator, questionID, personHash string) error {
	key := askahumandb.ResponseKey{QuestionID: questionID, FingerprintHash: personHash}
	return access.RetryOnConflict(ctx, func() (bool, error) {
		answer, err := s.flagged(ctx, key, askahumandb.ResponseFlagStateApproved)
		if err != nil || answer == nil {
			return false, err
		}
		tx := s.db.Tx()
		tx.ApproveResponse(key, askahumandb.ApproveResponseParams{ReviewedBy: &operator})
		s.audit(tx, operator, "approve answer", questionID+" "+personHash)
		err = tx.Commit(ctx)
		return changedMeanwhile[askahumandb.Response](err), err
	})
}

// Reject removes a flagged answer from its question's results. A complete question whose
// deadline has not passed opens again. Rejecting an answer again changes nothing.
func (s *Service) Reject(ctx context.Context, operator, questionID, personHash string) error {
	key := askahumandb.ResponseKey{QuestionID: questionID, FingerprintHash: personHash}
	full := false // the agent's quota of open questions is used up
	var search nextSearch
	return access.RetryOnConflict(ctx, func() (bool, error) {
		answer, err := s.flagged(ctx, key, askahumandb.ResponseFlagStateRejected)
		if err != nil || answer == nil {
			return false, err
		}
		question, err := s.storedQuestion(ctx, questionID)
		if err != nil && !errors.Is(err, ErrNoQuestion) {
			return false, err
		}
		tx := s.db.Tx()
		if gone := err != nil; gone || !answer.Counted {
			tx.RejectUncounted(key, askahumandb.RejectUncountedParams{ReviewedBy: &operator})
		} else if s.rejectCounted(tx, operator, question, key, full) {
			if err := search.queue(s, tx, question); err != nil {
				return false, err
			}
		}
		s.audit(tx, operator, "reject answer", questionID+" "+personHash)
		err = tx.Commit(ctx)
		search.note(err)
		full = full || changedMeanwhile[askahumandb.Agent](err)
		return access.Refused(err), err // a conflicting write changed the item
	})
}

// rejectCounted removes an answer from the count of its question, and reports whether
// the question opens again.
func (s *Service) rejectCounted(tx *askahumandb.Tx, operator string, q askahumandb.Question, key askahumandb.ResponseKey, full bool) (reopens bool) {
	now := s.Now()
	complete := q.Status == askahumandb.QuestionStatusClosed && q.CurrentResponses >= q.RequiredResponses
	switch {
	case isOpen(q.Status):
		tx.RejectResponse(askahumandb.RejectResponseParams{
			QuestionID: key.QuestionID, FingerprintHash: key.FingerprintHash, ReviewedBy: &operator,
		})
	// A hidden question would wait for answers it cannot get.
	case complete && now.Before(q.ExpiresAt) && !q.Hidden && !full:
		tx.RejectAndReopen(askahumandb.RejectAndReopenParams{
			QuestionID: key.QuestionID, FingerprintHash: key.FingerprintHash, ReviewedBy: &operator,
			AgentID: q.AgentID, Hidden: q.Hidden, ExpiresAt: q.ExpiresAt, Now: now,
		})
		return true
	default:
		tx.RejectLate(askahumandb.RejectLateParams{
			QuestionID: key.QuestionID, FingerprintHash: key.FingerprintHash, ReviewedBy: &operator,
		})
	}
	return false
}

// flagged returns an answer that awaits a decision, or nil if it already has the wanted
// one.
func (s *Service) flagged(ctx context.Context, key askahumandb.ResponseKey, wanted askahumandb.ResponseFlagState) (*askahumandb.Response, error) {
	if !isID(key.QuestionID) || key.FingerprintHash == "" {
		return nil, errNoAnswer
	}
	answer, err := s.db.GetOwnResponse(ctx, key.QuestionID, key.FingerprintHash)
	switch {
	case errors.Is(err, access.ErrNotFound), err == nil && !s.Now().Before(answer.TTL):
		return nil, errNoAnswer
	case err != nil:
		return nil, err
	case answer.FlagState == wanted:
		return nil, nil
	case answer.FlagState != askahumandb.ResponseFlagStateFlagged:
		return nil, errReviewed
	}
	return &answer, nil
}
