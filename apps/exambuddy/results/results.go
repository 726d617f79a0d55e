// Package results is the room of ExamBuddy's domain for what follows a session: attempts, reviews
// with explanations, statistics, item analysis, regrades and certificates.
//
// Statistics are fed from the table's stream through Settle, exactly once for each attempt and each
// regrade. A Review holds keys and is refused before its time; other types for candidates cannot
// hold one. The doors call this package, and the worker for streams and jobs.
package results

import (
	"context"
	"errors"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// A Service holds the rules of results.
type Service struct {
	env  *exambuddy.Env
	bank *bank.Service
}

// New returns the results of an environment.
func New(env *exambuddy.Env, bank *bank.Service) *Service { return &Service{env: env, bank: bank} }

// History returns the attempts of a candidate, newest first.
func (s *Service) History(ctx context.Context, candidate exambuddy.Candidate, limit int, cursor string) (access.Page[exambuddydb.Attempt], error) {
	page, err := s.env.DB.ListAttemptsByCandidate(candidate.ID).PageSize(exambuddy.Within(limit, exambuddy.HistoryPage)).Page(ctx, cursor)
	if err != nil {
		return page, exambuddy.BadCursor(err)
	}
	return page, s.renew(ctx, page.Items)
}

// Own returns an attempt of a candidate. Another candidate's attempt is not found.
func (s *Service) Own(ctx context.Context, candidate exambuddy.Candidate, id string) (exambuddydb.Attempt, error) {
	attempt, err := s.own(ctx, candidate, id)
	if err != nil {
		return exambuddydb.Attempt{}, err
	}
	one := []exambuddydb.Attempt{attempt}
	err = s.renew(ctx, one)
	return one[0], err
}

func (s *Service) own(ctx context.Context, candidate exambuddy.Candidate, id string) (exambuddydb.Attempt, error) {
	if !exambuddy.IsID(id) {
		return exambuddydb.Attempt{}, exambuddy.ErrNoAttempt
	}
	attempt, err := s.env.DB.GetAttempt(ctx, candidate.ID, id)
	return attempt, exambuddy.Missing(err, exambuddy.ErrNoAttempt)
}

// Attempt returns an attempt of a project of an admin.
func (s *Service) Attempt(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Attempt, error) {
	if !exambuddy.IsID(id) {
		return exambuddydb.Attempt{}, exambuddy.ErrNoAttempt
	}
	attempt, err := s.env.DB.GetAttemptByID(ctx, id)
	if err != nil {
		return exambuddydb.Attempt{}, exambuddy.Missing(err, exambuddy.ErrNoAttempt)
	}
	project, err := s.bank.Project(ctx, admin, attempt.ProjectID)
	if err != nil {
		if _, ok := refusal.As(err, refusal.NotFound); ok {
			return exambuddydb.Attempt{}, exambuddy.ErrNoAttempt
		}
		return exambuddydb.Attempt{}, err
	}
	attempt.RevealAt = revealAt(&project.Rules, attempt)
	return attempt, nil
}

// ByProject returns the attempts of a project that were started from one instant to another, both
// included, newest first.
func (s *Service) ByProject(ctx context.Context, admin exambuddy.Admin, projectID string, from, to time.Time, limit int, cursor string) (access.Page[exambuddydb.Attempt], error) {
	project, err := s.bank.Project(ctx, admin, projectID)
	if err != nil {
		return access.Page[exambuddydb.Attempt]{}, err
	}
	page, err := s.env.DB.ListAttemptsByProject(projectID, from, to).PageSize(exambuddy.Within(limit, exambuddy.HistoryPage)).Page(ctx, cursor)
	for i, attempt := range page.Items {
		page.Items[i].RevealAt = revealAt(&project.Rules, attempt)
	}
	return page, exambuddy.BadCursor(err)
}

// LastInstant returns the last instant of a day of UTC, for ranges of days.
func LastInstant(day access.Date) (time.Time, error) {
	start, err := time.Parse(time.DateOnly, string(day))
	if err != nil {
		return time.Time{}, refusal.OfField(refusal.Field{Name: "to", Constraint: "format"}, "A day is written as 2026-02-28.")
	}
	return start.AddDate(0, 0, 1).Add(-time.Nanosecond), nil
}

// A Review is a question of an attempt with the right answer.
type Review struct {
	Position  int
	ID        string
	Question  question.Question
	Given     question.Answer
	Answered  bool
	Accepted  bool
	Late      time.Duration
	Spent     time.Duration
	Correct   bool
	Mark      int // in thousandths
	Key       question.Key
	Dropped   bool
	FullMarks bool
	Tags      []string
}

// Review returns the questions of a candidate's attempt with the right answers. It is refused before
// the exam shows them.
func (s *Service) Review(ctx context.Context, candidate exambuddy.Candidate, id string) (exambuddydb.Attempt, []Review, error) {
	attempt, err := s.own(ctx, candidate, id)
	if err != nil {
		return exambuddydb.Attempt{}, nil, err
	}
	reveal, err := s.Reveal(ctx, attempt)
	if err != nil {
		return exambuddydb.Attempt{}, nil, err
	}
	if !reveal.Shown {
		return exambuddydb.Attempt{}, nil, exambuddy.ErrHidden
	}
	attempt.RevealAt = reveal.At
	questions, err := s.review(ctx, id)
	return attempt, questions, err
}

// Details returns the questions of an attempt with the right answers, for an admin.
func (s *Service) Details(ctx context.Context, admin exambuddy.Admin, id string) (exambuddydb.Attempt, []Review, error) {
	attempt, err := s.Attempt(ctx, admin, id)
	if err != nil {
		return exambuddydb.Attempt{}, nil, err
	}
	questions, err := s.review(ctx, id)
	return attempt, questions, err
}

func (s *Service) review(ctx context.Context, id string) ([]Review, error) {
	marked, _, err := s.graded(ctx, id)
	if err != nil {
		return nil, err
	}
	all := make([]Review, len(marked))
	for i, m := range marked {
		all[i] = Review{
			Position: int(m.Paper.Position), ID: m.Paper.QuestionID, Question: m.Question, Given: m.Given, Correct: m.Correct, Mark: m.Mark, Key: m.Key,
			Dropped: m.Paper.Dropped, FullMarks: m.Paper.FullMarks, Tags: m.Paper.Tags,
		}
		if a := m.Answer; a != nil {
			all[i].Answered, all[i].Accepted = true, a.Accepted
			all[i].Late, all[i].Spent = time.Duration(a.LateMs)*time.Millisecond, time.Duration(a.TimeSpentMs)*time.Millisecond
		}
	}
	return all, nil
}

// graded returns the marked paper of an attempt.
func (s *Service) graded(ctx context.Context, id string) ([]exambuddy.Marked, exambuddy.Totals, error) {
	loaded, err := s.env.DB.LoadSession(ctx, id)
	if err != nil {
		return nil, exambuddy.Totals{}, err
	}
	return exambuddy.Grade(loaded.PaperQuestions, loaded.AnswerSelections)
}

// first reports whether an attempt is the first exam of its candidate in its project.
func (s *Service) first(ctx context.Context, attempt exambuddydb.Attempt) (bool, error) {
	if attempt.Mode != exambuddydb.AttemptModeExam {
		return false, nil
	}
	taken, err := s.env.DB.GetTaken(ctx, attempt.CandidateID, attempt.ProjectID, exambuddydb.TakenModeExam)
	if errors.Is(err, access.ErrNotFound) {
		return false, nil
	}
	return err == nil && taken.FirstAttemptID != nil && *taken.FirstAttemptID == attempt.AttemptID, err
}
