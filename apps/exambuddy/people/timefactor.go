package people

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/refusal"
)

// SetTimeFactor grants a candidate a factor of all time limits, in per cent. It applies to every
// session that starts from now on. A factor of 100 removes it.
func (s *Service) SetTimeFactor(ctx context.Context, by exambuddy.Caller, email string, percent int, note string, until *time.Time) error {
	if by.Role == exambuddy.RoleCandidate {
		return refusal.New(refusal.Forbidden, exambuddy.CodeRole, "Only admins and operators can grant extra time.")
	}
	if percent < exambuddy.LeastFactor || percent > exambuddy.MostFactor {
		return refusal.OutOfRange("percent", "range", exambuddy.LeastFactor, exambuddy.MostFactor, "The time factor is %d to %d per cent.", exambuddy.LeastFactor, exambuddy.MostFactor)
	}
	if utf8.RuneCountInString(note) > exambuddy.MaxNote {
		return refusal.OutOfRange("note", "length", 0, exambuddy.MaxNote, "The note has at most %d characters.", exambuddy.MaxNote)
	}
	user, err := s.ByEmail(ctx, email)
	if err != nil {
		return err
	}
	tx := s.env.DB.Tx()
	action := "grant extra time"
	if percent == exambuddy.LeastFactor {
		action = "remove extra time"
		tx.DeleteTimeFactor(exambuddydb.TimeFactorKey{CandidateID: user.UserID})
	} else {
		tx.SetTimeFactor(exambuddydb.TimeFactor{CandidateID: user.UserID, Percent: int64(percent), Note: note, ApprovedBy: by.ID, ApprovedAt: s.env.Now(), ValidUntil: until})
	}
	s.env.Audit.Record(tx, audit.Event{Actor: by.ID, Action: action, Target: user.UserID})
	if err := tx.Commit(ctx); err != nil && !errors.Is(err, access.ErrNotFound) {
		return err
	}
	return nil
}

// TimeFactor returns the factor of a candidate's time limits at this time, in per cent.
func (s *Service) TimeFactor(ctx context.Context, candidateID string) (int, error) {
	factor, err := s.env.DB.GetTimeFactor(ctx, candidateID)
	if errors.Is(err, access.ErrNotFound) {
		return exambuddy.LeastFactor, nil
	}
	if err != nil {
		return 0, err
	}
	if factor.ValidUntil != nil && !s.env.Now().Before(*factor.ValidUntil) {
		return exambuddy.LeastFactor, nil
	}
	return int(factor.Percent), nil
}
