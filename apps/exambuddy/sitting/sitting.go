// Package sitting is the room of ExamBuddy's domain for candidates who sit an exam: the catalogue,
// starts, the server's clock, answers, and the end of a session. An exam is graded in the
// transaction that ends it.
//
// What it returns to a candidate while a question is open has no field for a key: a Question, a
// State and a Saved cannot hold one. Only Practise returns the key, after it has stored an answer
// that cannot be changed any more.
//
// Package results has what follows. The doors call this package for candidates, and the worker for
// overdue sessions.
package sitting

import (
	"context"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/people"
	"sortkey.dev/apps/exambuddy/question"
)

// A Service holds the rules of sessions.
type Service struct {
	env    *exambuddy.Env
	bank   *bank.Service
	people *people.Service
}

// New returns the sessions of an environment.
func New(env *exambuddy.Env, bank *bank.Service, people *people.Service) *Service {
	return &Service{env: env, bank: bank, people: people}
}

// The modes of a session.
const (
	Test = string(exambuddydb.ExamSessionModeTest) // practice: the right answer is shown after each question
	Exam = string(exambuddydb.ExamSessionModeExam)
)

// A State is a session as its candidate sees it.
type State struct {
	ID            string
	ProjectID     string
	Mode          string
	Difficulty    string
	Status        string
	Navigation    string
	Offline       string
	Questions     int
	Position      int // of the current question; 0 before the first
	BaseSeconds   int // for one question; 0 for no limit
	FactorPercent int
	// Seconds is the time for one question with the candidate's factor, Total that for all, and
	// Review that for the review of an exam.
	Seconds, Total, Review int
	// Deadline is the time at which the current question, or the exam in free navigation, ends;
	// zero without a limit. An answer is accepted for exambuddy.Grace longer.
	Deadline  time.Time
	Remaining time.Duration
	Closes    time.Time // the hard end of the exam; zero without one
	Flagged   []string  // ids of questions
	Notice    string
	StartedAt time.Time
	Now       time.Time // the server's clock
	// Writer is the key of the tab or device that may write; only Start and Take return it.
	Writer string
}

// A Question is a question of a session, without its key.
type Question struct {
	Position int
	ID       string
	Question question.Question
}

// An Answered is an answer that the server has.
type Answered struct {
	Position int
	ID       string
	Answer   question.Answer
	Sequence int64
	SavedAt  time.Time
}

// PerQuestion returns the seconds for one question: the base with the factor of the candidate,
// rounded up. Zero means no limit.
func PerQuestion(base, percent int) int { return (base*percent + 99) / 100 }

// Deadline returns when the current question of a session ends, or the whole session in free
// navigation, and whether there is a deadline. The API, the sweeper and the pages all use it.
func Deadline(s exambuddydb.ExamSession) (time.Time, bool) {
	var end time.Time
	per := PerQuestion(int(s.BaseSeconds), int(s.FactorPercent))
	switch {
	case per == 0:
	case s.Navigation == exambuddydb.ExamSessionNavigationFree:
		end = s.StartedAt.Add(time.Duration(per*int(s.QuestionCount)+int(s.ExtraSeconds)) * time.Second)
	case s.PresentedAt != nil:
		end = s.PresentedAt.Add(time.Duration(per+int(s.ExtraSeconds)) * time.Second)
	}
	if s.ClosesAt != nil && (end.IsZero() || s.ClosesAt.Before(end)) {
		end = *s.ClosesAt
	}
	return end, !end.IsZero()
}

// expires returns when the sweeper ends a session that its candidate has left.
func expires(s exambuddydb.ExamSession) time.Time {
	end := s.StartedAt.Add(exambuddy.SessionTTL + time.Duration(s.ExtraSeconds)*time.Second)
	if deadline, ok := Deadline(s); ok && s.Navigation == exambuddydb.ExamSessionNavigationFree && deadline.Add(exambuddy.Grace).Before(end) {
		end = deadline.Add(exambuddy.Grace)
	}
	if s.ClosesAt != nil && s.ClosesAt.Add(exambuddy.Grace).Before(end) {
		end = s.ClosesAt.Add(exambuddy.Grace)
	}
	return end
}

func (s *Service) state(session exambuddydb.ExamSession) State {
	now := s.env.Now()
	per := PerQuestion(int(session.BaseSeconds), int(session.FactorPercent))
	out := State{
		ID: session.AttemptID, ProjectID: session.ProjectID, Mode: string(session.Mode), Difficulty: string(session.Difficulty), Status: string(session.Status),
		Navigation: string(session.Navigation), Offline: string(session.Offline), Questions: int(session.QuestionCount), Position: int(session.CurrentPosition),
		BaseSeconds: int(session.BaseSeconds), FactorPercent: int(session.FactorPercent), Seconds: per, Total: per * int(session.QuestionCount),
		Flagged: session.Flagged, StartedAt: session.StartedAt, Now: now,
	}
	if session.Mode == exambuddydb.ExamSessionModeExam {
		out.Review = out.Total / 2
	}
	if deadline, ok := Deadline(session); ok {
		out.Deadline, out.Remaining = deadline, max(0, deadline.Sub(now))
	}
	if session.ClosesAt != nil {
		out.Closes = *session.ClosesAt
	}
	if session.Notice != nil {
		out.Notice = *session.Notice
	}
	return out
}

// session returns a session of a candidate. Another candidate's session is not found.
func (s *Service) session(ctx context.Context, candidate exambuddy.Candidate, id string) (exambuddydb.ExamSession, error) {
	if !exambuddy.IsID(id) {
		return exambuddydb.ExamSession{}, exambuddy.ErrNoSession
	}
	session, err := s.env.DB.GetSession(ctx, id)
	if err != nil {
		return exambuddydb.ExamSession{}, exambuddy.Missing(err, exambuddy.ErrNoSession)
	}
	if session.CandidateID != candidate.ID {
		return exambuddydb.ExamSession{}, exambuddy.ErrNoSession
	}
	return session, nil
}

// writable returns a session that runs and that the caller's tab may change.
func (s *Service) writable(ctx context.Context, candidate exambuddy.Candidate, id, writer string) (exambuddydb.ExamSession, error) {
	session, err := s.session(ctx, candidate, id)
	switch {
	case err != nil:
		return exambuddydb.ExamSession{}, err
	case session.Status != exambuddydb.ExamSessionStatusStarted:
		return exambuddydb.ExamSession{}, exambuddy.ErrOver
	case session.Writer != writer:
		return exambuddydb.ExamSession{}, exambuddy.ErrWriter
	}
	return session, nil
}
