package results

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
)

// A Reveal says whether the candidate of an attempt may see the right answers.
type Reveal struct {
	Shown   bool
	At      *time.Time // the earliest time at which they are shown; nil if they never are
	Sitting bool       // that time has come, but a candidate still sits the exam
}

// Reveal returns whether the candidate of an attempt may see the right answers now. The rules of the
// exam at this time decide. Answers that are shown when the exam closes stay hidden while a candidate
// sits it: extra time and extensions reach beyond the end of the exam.
func (s *Service) Reveal(ctx context.Context, attempt exambuddydb.Attempt) (Reveal, error) {
	rules, err := s.rulesOf(ctx, attempt)
	if err != nil {
		return Reveal{}, err
	}
	out := Reveal{At: revealAt(rules, attempt)}
	out.Shown = out.At != nil && !s.env.Now().Before(*out.At)
	if !out.Shown || rules == nil || rules.Reveal != bank.RevealAtClose || attempt.Mode == exambuddydb.AttemptModeTest {
		return out, nil
	}
	out.Sitting, err = s.sat(ctx, attempt.ProjectID)
	out.Shown = err == nil && !out.Sitting
	return out, err
}

// revealAt returns the earliest time at which the candidate of an attempt sees the right answers; nil
// if that is never. Practice has shown them. The rules are nil if the exam was deleted; those of the
// hand-in hold then.
func revealAt(rules *exambuddydb.Rules, attempt exambuddydb.Attempt) *time.Time {
	if rules == nil || attempt.Mode == exambuddydb.AttemptModeTest {
		return attempt.RevealAt
	}
	return bank.RevealAt(*rules, attempt.CompletedAt)
}

// rulesOf returns the rules of the exam of an attempt at this time; nil if the exam was deleted.
func (s *Service) rulesOf(ctx context.Context, attempt exambuddydb.Attempt) (*exambuddydb.Rules, error) {
	project, err := s.env.DB.GetProject(ctx, attempt.AdminID, attempt.ProjectID)
	if errors.Is(err, access.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the rules of project %s: %w", attempt.ProjectID, err)
	}
	return &project.Rules, nil
}

// sat reports whether a candidate sits an exam now. Practice does not count: it shows the answers
// itself.
func (s *Service) sat(ctx context.Context, projectID string) (bool, error) {
	for active, err := range s.env.DB.ListSittings(projectID).Limit(0).All(ctx) {
		if err != nil {
			return false, fmt.Errorf("list who sits project %s: %w", projectID, err)
		}
		if active.Mode == exambuddydb.ActiveExamModeExam {
			return true, nil
		}
	}
	return false, nil
}

// renew sets the times at which the answers of attempts are shown to those of the rules at this time.
func (s *Service) renew(ctx context.Context, attempts []exambuddydb.Attempt) error {
	known := map[string]*exambuddydb.Rules{}
	for i, attempt := range attempts {
		rules, read := known[attempt.ProjectID]
		if !read {
			var err error
			if rules, err = s.rulesOf(ctx, attempt); err != nil {
				return err
			}
			known[attempt.ProjectID] = rules
		}
		attempts[i].RevealAt = revealAt(rules, attempt)
	}
	return nil
}
