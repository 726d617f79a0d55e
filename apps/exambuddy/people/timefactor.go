package people

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/internal/audit"
	"sortkey.dev/apps/internal/refusal"
)

// allExams is the scope of a factor that an operator grants.
const allExams = "all"

// SetTimeFactor grants a candidate a factor of all time limits, in per cent. A factor of an admin
// holds in the exams that the admin owns, one of an operator in all exams. It applies to every session
// that starts from now on. A factor of 100 removes it.
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
	scope := by.ID
	if by.Role == exambuddy.RoleOperator {
		scope = allExams
	}
	tx := s.env.DB.Tx()
	action := "grant extra time"
	if percent == exambuddy.LeastFactor {
		action = "remove extra time"
		tx.DeleteTimeFactor(exambuddydb.TimeFactorKey{CandidateID: user.UserID, Scope: scope})
	} else {
		tx.SetTimeFactor(exambuddydb.TimeFactor{CandidateID: user.UserID, Scope: scope, Percent: int64(percent), Note: note, ApprovedBy: by.ID, ApprovedAt: s.env.Now(), ValidUntil: until})
	}
	s.env.Audit.Record(tx, audit.Event{Actor: by.ID, Action: action, Target: user.UserID})
	if err := tx.Commit(ctx); err != nil && !errors.Is(err, access.ErrNotFound) {
		return err
	}
	return nil
}

// A Factor holds the factors of a candidate's time limits in the exams of an admin at this time, in
// per cent; exambuddy.LeastFactor without one.
type Factor struct {
	Granted int // by the admin
	General int // by an operator, for all exams
}

// Percent returns the factor that holds: the larger one.
func (f Factor) Percent() int { return max(f.Granted, f.General) }

// TimeFactor returns the factor of a candidate's time limits in the exams that an admin owns.
func (s *Service) TimeFactor(ctx context.Context, candidateID, ownerID string) (Factor, error) {
	found, err := s.env.DB.GetTimeFactors(ctx, candidateID, []string{ownerID, allExams})
	if err != nil {
		return Factor{}, fmt.Errorf("read the time factors of %s: %w", candidateID, err)
	}
	return Factor{Granted: s.percent(found[0]), General: s.percent(found[1])}, nil
}

// percent returns the per cent of a factor that may be missing or over.
func (s *Service) percent(factor *exambuddydb.TimeFactor) int {
	if factor == nil || factor.ValidUntil != nil && !s.env.Now().Before(*factor.ValidUntil) {
		return exambuddy.LeastFactor
	}
	return int(factor.Percent)
}

// A GrantedFactor is extra time of a person, for the copy of the person's data.
type GrantedFactor struct {
	Exams      string // in which it holds
	Percent    int
	Note       string
	ApprovedAt time.Time
	ValidUntil *time.Time
}

// TimeFactors returns all extra time of a person, with that which is over.
func (s *Service) TimeFactors(ctx context.Context, personID string) ([]GrantedFactor, error) {
	var all []GrantedFactor
	for f, err := range s.env.DB.ListTimeFactors(personID).Limit(0).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the time factors of %s: %w", personID, err)
		}
		exams := "all exams"
		if f.Scope != allExams {
			admin, err := s.env.DB.GetUserByID(ctx, f.Scope)
			if err != nil && !errors.Is(err, access.ErrNotFound) {
				return nil, err
			}
			if exams = "exams of " + admin.Name; err != nil {
				exams = "exams of a deleted account"
			}
		}
		all = append(all, GrantedFactor{Exams: exams, Percent: int(f.Percent), Note: f.Note, ApprovedAt: f.ApprovedAt, ValidUntil: f.ValidUntil})
	}
	return all, nil
}

// ForgetTimeFactors deletes all extra time of a person whose account is erased.
func (s *Service) ForgetTimeFactors(ctx context.Context, personID string) error {
	for f, err := range s.env.DB.ListTimeFactors(personID).Limit(0).All(ctx) {
		if err == nil {
			err = s.env.DB.DeleteTimeFactor(ctx, f.Key())
		}
		if err != nil {
			return fmt.Errorf("delete the time factors of %s: %w", personID, err)
		}
	}
	return nil
}
