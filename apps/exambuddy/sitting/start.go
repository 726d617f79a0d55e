package sitting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/receipt"
	"sortkey.dev/apps/internal/refusal"
)

// A Request says which session a candidate wants.
type Request struct {
	ProjectID  string
	Mode       string
	Difficulty question.Difficulty // of the clock
	Count      int
	NoLimit    bool // practice without a clock
	// Only selects questions of one difficulty, Tags those with one of them, Questions these.
	Only      question.Difficulty
	Tags      []string
	Questions []string
	Repeat    exambuddy.Repeat
}

// A started is the receipt of a start.
type started struct {
	ID, Writer string
	session    exambuddydb.ExamSession // of the request that was not repeated
}

// Start begins a session. It refuses a second session of the same exam. A repeated request returns the session of the
// first as it is now, with its writer.
func (s *Service) Start(ctx context.Context, candidate exambuddy.Candidate, in Request) (State, error) {
	request := in.Repeat.Request(candidate.ID, "start session of "+in.ProjectID)
	begun, repeated, err := receipt.Once(ctx, s.env.Receipts, request, func() (started, error) { return s.start(ctx, candidate, in, request) })
	if err == nil && repeated {
		begun.session, err = s.env.DB.GetSession(ctx, begun.ID)
		err = exambuddy.Missing(err, exambuddy.ErrNoSession)
	}
	if err != nil {
		return State{}, err
	}
	out := s.state(begun.session)
	out.Writer = begun.Writer
	return out, nil
}

// start begins a session with the receipt of the request.
func (s *Service) start(ctx context.Context, candidate exambuddy.Candidate, in Request, request receipt.Request) (started, error) {
	project, err := s.bank.Published(ctx, in.ProjectID)
	if err != nil {
		return started{}, err
	}
	read := s.env.Now()
	if err := s.admit(ctx, candidate, project, &in); err != nil {
		return started{}, err
	}
	factor, err := s.people.TimeFactor(ctx, candidate.ID, project.AdminID)
	if err != nil {
		return started{}, err
	}
	id := s.env.NewID(read)
	drawn, err := s.bank.Draw(ctx, project, bank.Pick{Count: in.Count, Difficulty: in.Only, Tags: in.Tags, Questions: in.Questions, Seed: id})
	if err != nil {
		return started{}, err
	}
	session := newSession(project, candidate, in, id, factor.Percent(), read)
	session.Writer = s.env.Random()
	if err := s.layOut(ctx, session, drawn); err != nil {
		return started{}, err
	}
	if s.env.Now().Sub(read) > exambuddy.StartWithin {
		return started{}, refusal.New(refusal.Conflict, exambuddy.CodeState, "The start took too long. Try again.")
	}
	begun := started{ID: session.AttemptID, Writer: session.Writer, session: session}
	return begun, s.begin(ctx, project.Rules, begun, request)
}

// begin writes a session whose paper is there. The limit of attempts holds in the same transaction:
// another session of the candidate may have ended since admit.
func (s *Service) begin(ctx context.Context, rules exambuddydb.Rules, begun started, request receipt.Request) error {
	session := begun.session
	tx := s.env.DB.Tx()
	tx.StartExam(exambuddydb.StartExamParams{ExamSession: session, ActiveExam: exambuddydb.ActiveExam{
		CandidateID: session.CandidateID, ProjectID: session.ProjectID, AttemptID: session.AttemptID, Mode: exambuddydb.ActiveExamMode(session.Mode), StartedAt: session.StartedAt,
	}})
	if session.Mode == exambuddydb.ExamSessionModeExam && rules.MaxAttempts != nil {
		tx.AdmitAttempt(exambuddydb.AdmitAttemptParams{
			CandidateID: session.CandidateID, ProjectID: session.ProjectID, Mode: exambuddydb.TakenModeExam, AdmittedAt: &session.StartedAt, MaxAttempts: *rules.MaxAttempts,
		})
	}
	if err := s.env.Receipts.Add(tx, request, begun); err != nil {
		return err
	}
	err := tx.Commit(ctx)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, access.ErrExists):
		return errActive
	case exambuddy.Changed[exambuddydb.Taken](err):
		return errAttempts(*rules.MaxAttempts)
	}
	return fmt.Errorf("start a session: %w", err)
}

// errAttempts refuses an exam that a candidate has taken as often as its rules allow.
func errAttempts(most int64) error {
	times := "once"
	if most > 1 {
		times = fmt.Sprintf("%d times", most)
	}
	return refusal.New(refusal.Conflict, exambuddy.CodeAttempts, "This exam can be taken %s, and you have no attempt left. Exams that were cancelled count, too.", times)
}

var errActive = refusal.New(refusal.Conflict, exambuddy.CodeActive, "You are sitting this exam already. Resume it, or cancel it first.")

// admit refuses a start that the rules of the exam do not allow, and fills in what they fix.
func (s *Service) admit(ctx context.Context, candidate exambuddy.Candidate, project exambuddydb.Project, in *Request) error {
	groups, err := s.people.GroupsOf(ctx, candidate.ID)
	if err != nil {
		return err
	}
	if !bank.Visible(project, groups) {
		return exambuddy.ErrNoProject
	}
	rules := project.Rules
	switch in.Mode {
	case Test:
		if !rules.Practice {
			return refusal.OfField(refusal.Field{Name: "mode", Constraint: "allowed", Allowed: []string{Exam}}, "This exam is not offered for practice.")
		}
	case Exam:
		if err := s.admitExam(ctx, candidate, project, in); err != nil {
			return err
		}
	default:
		return refusal.OfField(refusal.Field{Name: "mode", Constraint: "allowed", Allowed: []string{Test, Exam}}, "The mode is test or exam.")
	}
	if !slices.Contains(question.Difficulties(), in.Difficulty) {
		return refusal.OfField(refusal.Field{Name: "difficulty", Constraint: "allowed", Allowed: []string{"easy", "medium", "hard", "expert"}}, "The difficulty is easy, medium, hard or expert.")
	}
	if in.Count < 1 || in.Count > exambuddy.MaxSessionQuestions {
		return refusal.OutOfRange("question_count", "range", 1, exambuddy.MaxSessionQuestions, "A session has 1 to %d questions.", exambuddy.MaxSessionQuestions)
	}
	if err := s.window(rules); err != nil {
		return err
	}
	_, err = s.env.DB.GetActiveExam(ctx, candidate.ID, project.ProjectID)
	switch {
	case err == nil:
		return errActive
	case !errors.Is(err, access.ErrNotFound):
		return err
	}
	return nil
}

func (s *Service) admitExam(ctx context.Context, candidate exambuddy.Candidate, project exambuddydb.Project, in *Request) error {
	rules := project.Rules
	in.NoLimit, in.Questions, in.Tags, in.Only = false, nil, nil, ""
	if rules.ExamCount != nil {
		in.Count = int(*rules.ExamCount)
	}
	if rules.ExamDifficulty != nil {
		in.Difficulty = question.Difficulty(*rules.ExamDifficulty)
	}
	if rules.MaxAttempts == nil {
		return nil
	}
	taken, err := s.Taken(ctx, candidate, project.ProjectID)
	if err != nil {
		return err
	}
	if taken >= *rules.MaxAttempts {
		return errAttempts(*rules.MaxAttempts)
	}
	return nil
}

// Taken returns how often a candidate has taken an exam, with those that were cancelled or discarded.
// Practice does not count.
func (s *Service) Taken(ctx context.Context, candidate exambuddy.Candidate, projectID string) (int64, error) {
	taken, err := s.env.DB.GetTaken(ctx, candidate.ID, projectID, exambuddydb.TakenModeExam)
	if errors.Is(err, access.ErrNotFound) {
		return 0, nil
	}
	return taken.Attempts, err
}

// LeftAfter returns how many attempts at an exam a candidate has left when a running session of it has
// ended, and whether they are limited.
func (s *Service) LeftAfter(ctx context.Context, candidate exambuddy.Candidate, exam bank.Project) (left int64, limited bool, err error) {
	if exam.Rules.MaxAttempts == nil {
		return 0, false, nil
	}
	taken, err := s.Taken(ctx, candidate, exam.ProjectID)
	return max(0, *exam.Rules.MaxAttempts-taken-1), true, err
}

// window refuses a start outside the times of the exam.
func (s *Service) window(rules exambuddydb.Rules) error {
	now := s.env.Now()
	switch {
	case rules.OpensAt != nil && now.Before(*rules.OpensAt):
		return refusal.New(refusal.Conflict, exambuddy.CodeClosed, "This exam opens at %s.", rules.OpensAt.Format(time.RFC3339))
	case rules.LastStartAt != nil && now.After(*rules.LastStartAt), rules.ClosesAt != nil && !now.Before(*rules.ClosesAt):
		return refusal.New(refusal.Conflict, exambuddy.CodeClosed, "This exam can no longer be started.")
	}
	return nil
}

func newSession(project exambuddydb.Project, candidate exambuddy.Candidate, in Request, id string, factor int, now time.Time) exambuddydb.ExamSession {
	rules := project.Rules
	session := exambuddydb.ExamSession{
		AttemptID: id, CandidateID: candidate.ID, AdminID: project.AdminID, ProjectID: project.ProjectID, Mode: exambuddydb.ExamSessionMode(in.Mode),
		Difficulty: exambuddydb.ExamSessionDifficulty(in.Difficulty), Navigation: exambuddydb.ExamSessionNavigation(rules.Navigation), Offline: exambuddydb.ExamSessionOffline(rules.Offline),
		Overdue: exambuddydb.ExamSessionOverdue(rules.Overdue), QuestionCount: int64(in.Count), BaseSeconds: int64(in.Difficulty.Seconds()), FactorPercent: int64(factor),
		Status: exambuddydb.ExamSessionStatusStarted, StartedAt: now, LastSeenAt: now, TTL: now.Add(exambuddy.KeepSession),
	}
	if in.Mode == Test {
		// The answer of a practice question is final, so questions come one after the other.
		session.Navigation, session.Offline = exambuddydb.ExamSessionNavigationForward, exambuddydb.ExamSessionOfflineStrict
		if in.NoLimit {
			session.BaseSeconds = 0
		}
	}
	if closes, ok := Closes(rules, factor); ok {
		session.ClosesAt = &closes
	}
	session.ExpiresAt = expires(session)
	return session
}

// Closes returns when an exam closes for a candidate with a time factor, and whether it does. The factor
// stretches a window that has a beginning.
func Closes(rules exambuddydb.Rules, factor int) (time.Time, bool) {
	if rules.ClosesAt == nil {
		return time.Time{}, false
	}
	closes := *rules.ClosesAt
	if rules.OpensAt != nil {
		closes = closes.Add(closes.Sub(*rules.OpensAt) * time.Duration(factor-exambuddy.LeastFactor) / 100)
	}
	return closes, true
}

// layOut writes the paper of a session. A job deletes it if the session does not follow.
func (s *Service) layOut(ctx context.Context, session exambuddydb.ExamSession, drawn []bank.Drawn) error {
	if _, err := s.env.Jobs.Add(ctx, s.discardJob("start", session, 10*time.Minute)); err != nil {
		return fmt.Errorf("queue the deletion of an unused paper: %w", err)
	}
	papers := make([]exambuddydb.PaperQuestion, len(drawn))
	for i, d := range drawn {
		content, err := exambuddy.EncodeQuestion(question.Shuffle(d.Question, session.AttemptID+"/"+d.ID))
		if err != nil {
			return err
		}
		solution, err := exambuddy.EncodeKey(d.Key)
		if err != nil {
			return err
		}
		papers[i] = exambuddydb.PaperQuestion{
			AttemptID: session.AttemptID, Position: int64(i + 1), QuestionID: d.ID, ProjectID: session.ProjectID, Revision: d.Revision, QuestionText: content.Text,
			QuestionType: content.Type, Options: content.Options, Metadata: content.Metadata, TimeLimitSeconds: content.Limit, Tags: content.Tags, Solution: solution,
			Explanation: d.Key.Explanation,
		}
	}
	if err := s.env.DB.SavePaperQuestionBatch(ctx, papers); err != nil {
		return fmt.Errorf("write a paper: %w", err)
	}
	return nil
}

func (s *Service) discardJob(why string, session exambuddydb.ExamSession, after time.Duration) jobs.Job {
	return jobs.Job{
		ID: exambuddy.JobDiscard + "/" + why + "/" + session.AttemptID, Kind: exambuddy.JobDiscard, Due: s.env.Now().Add(after),
		Payload: exambuddy.JobPayload{AttemptID: session.AttemptID},
	}
}
