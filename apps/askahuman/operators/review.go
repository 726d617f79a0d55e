package operators

import (
	"context"
	"errors"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/questions"
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
	page, err := s.env.DB.ListFlagged().PageSize(askahuman.PageSize(limit)).Page(ctx, cursor)
	if err != nil {
		return nil, "", askahuman.BadCursor(err)
	}
	now := s.env.Now()
	var ids, people []string
	for _, r := range page.Items {
		ids, people = append(ids, r.QuestionID), append(people, r.FingerprintHash)
	}
	questions, err := s.questions.Kept(ctx, ids)
	if err != nil {
		return nil, "", err
	}
	stats, err := s.people.StoredOf(ctx, people)
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
		tx := s.env.DB.Tx()
		tx.ApproveResponse(key, askahumandb.ApproveResponseParams{ReviewedBy: &operator})
		s.env.RecordAudit(tx, operator, "approve answer", questionID+" "+personHash)
		err = tx.Commit(ctx)
		return askahuman.Changed[askahumandb.Response](err), err
	})
}

// Reject removes a flagged answer from its question's results, and takes back what it earned. A
// complete question whose deadline has not passed opens again. Rejecting an answer again changes nothing.
func (s *Service) Reject(ctx context.Context, operator, questionID, personHash string) error {
	key := askahumandb.ResponseKey{QuestionID: questionID, FingerprintHash: personHash}
	full := false // the agent's quota of open questions is used up
	var search questions.NextSearch
	return access.RetryOnConflict(ctx, func() (bool, error) {
		answer, err := s.flagged(ctx, key, askahumandb.ResponseFlagStateRejected)
		if err != nil || answer == nil {
			return false, err
		}
		question, err := s.questions.Stored(ctx, questionID)
		if err != nil && !errors.Is(err, askahuman.ErrNoQuestion) {
			return false, err
		}
		tx := s.env.DB.Tx()
		if err := s.people.TakeBack(ctx, tx, *answer); err != nil {
			return false, err
		}
		if gone := err != nil; gone || !answer.Counted {
			tx.RejectUncounted(key, askahumandb.RejectUncountedParams{ReviewedBy: &operator})
		} else if s.rejectCounted(tx, operator, question, key, full) {
			if err := search.Queue(s.questions, tx, question); err != nil {
				return false, err
			}
		}
		s.env.RecordAudit(tx, operator, "reject answer", questionID+" "+personHash)
		err = tx.Commit(ctx)
		search.Note(err)
		full = full || askahuman.Changed[askahumandb.Agent](err)
		return access.Refused(err), err // a conflicting write changed the item
	})
}

// rejectCounted removes an answer from the count of its question, and reports whether
// the question opens again.
func (s *Service) rejectCounted(tx *askahumandb.Tx, operator string, q askahumandb.Question, key askahumandb.ResponseKey, full bool) (reopens bool) {
	now := s.env.Now()
	complete := q.Status == askahumandb.QuestionStatusClosed && q.CurrentResponses >= q.RequiredResponses
	only := q.CurrentResponses == 1 // the question has no answers then, and is not PARTIAL
	switch {
	case questions.IsOpen(q.Status) && only:
		tx.RejectOnly(askahumandb.RejectOnlyParams{
			QuestionID: key.QuestionID, FingerprintHash: key.FingerprintHash, ReviewedBy: &operator, Hidden: q.Hidden, Part: q.Part,
		})
	case questions.IsOpen(q.Status):
		tx.RejectResponse(askahumandb.RejectResponseParams{
			QuestionID: key.QuestionID, FingerprintHash: key.FingerprintHash, ReviewedBy: &operator,
		})
	// A hidden question would wait for answers it cannot get.
	case complete && now.Before(q.ExpiresAt) && !q.Hidden && !full && only:
		tx.RejectOnlyAndReopen(askahumandb.RejectOnlyAndReopenParams{
			QuestionID: key.QuestionID, FingerprintHash: key.FingerprintHash, ReviewedBy: &operator,
			AgentID: q.AgentID, Hidden: q.Hidden, Part: q.Part, ExpiresAt: q.ExpiresAt, Now: now,
		})
		return true
	case complete && now.Before(q.ExpiresAt) && !q.Hidden && !full:
		tx.RejectAndReopen(askahumandb.RejectAndReopenParams{
			QuestionID: key.QuestionID, FingerprintHash: key.FingerprintHash, ReviewedBy: &operator,
			AgentID: q.AgentID, Hidden: q.Hidden, Part: q.Part, ExpiresAt: q.ExpiresAt, Now: now,
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
	if !askahuman.IsID(key.QuestionID) || key.FingerprintHash == "" {
		return nil, errNoAnswer
	}
	answer, err := s.env.DB.GetOwnResponse(ctx, key.QuestionID, key.FingerprintHash)
	switch {
	case errors.Is(err, access.ErrNotFound), err == nil && !s.env.Now().Before(answer.TTL):
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
