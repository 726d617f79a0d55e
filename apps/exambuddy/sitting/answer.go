package sitting

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/internal/refusal"
)

// An Input is an answer as a client sends it.
type Input struct {
	Position int
	Answer   question.Answer
	// Sequence grows with each change of an answer on the client. An older one never replaces a
	// newer one.
	Sequence int64
	// Elapsed is the time since the question was presented, by the client's clock. It counts only
	// for an answer that was Queued while the client was offline, in an exam that tolerates it, and
	// is the time spent in free navigation.
	Elapsed time.Duration
	Queued  bool
}

// A Saved says what became of an answer. It cannot hold a key.
type Saved struct {
	Accepted bool // in time and not empty
	Spent    time.Duration
	Late     time.Duration // after the limit
	Sequence int64
	SavedAt  time.Time
}

// A Feedback is the result of a practice question, with its key.
type Feedback struct {
	Saved
	Correct bool
	Mark    int // in thousandths
	Key     question.Key
}

// Present shows a question and starts its clock. In forward navigation it is the current question
// or the next one; showing the current question again does not change its clock.
func (s *Service) Present(ctx context.Context, candidate exambuddy.Candidate, id, writer string, position int) (Question, State, error) {
	session, err := s.writable(ctx, candidate, id, writer)
	if err != nil {
		return Question{}, State{}, err
	}
	if position < 1 || position > int(session.QuestionCount) {
		return Question{}, State{}, refusal.OutOfRange("position", "range", 1, int(session.QuestionCount), "The session has questions 1 to %d.", session.QuestionCount)
	}
	free := session.Navigation == exambuddydb.ExamSessionNavigationFree
	if !free && int64(position) != session.CurrentPosition {
		if int64(position) != session.CurrentPosition+1 {
			return Question{}, State{}, exambuddy.ErrNotCurrent
		}
		now := s.env.Now()
		session, err = s.env.DB.PresentQuestion(ctx, session.Key(), exambuddydb.PresentQuestionParams{
			CurrentPosition: int64(position), PreviousPosition: session.CurrentPosition, PresentedAt: &now, LastSeenAt: now, Writer: writer,
		})
		if err != nil {
			return Question{}, State{}, s.refuse(err, writer)
		}
	}
	view, err := s.env.DB.GetPaperView(ctx, id, int64(position))
	if err != nil {
		return Question{}, State{}, fmt.Errorf("read question %d of session %s: %w", position, id, err)
	}
	shown, err := questionOf(view)
	return shown, s.state(session), err
}

func questionOf(view exambuddydb.PaperQuestionPaperView) (Question, error) {
	q, err := exambuddy.Content{Text: view.QuestionText, Type: view.QuestionType, Options: view.Options, Metadata: view.Metadata, Limit: view.TimeLimitSeconds}.Question()
	return Question{Position: int(view.Position), ID: view.QuestionID, Question: q}, err
}

// refuse turns the failed condition of a write to a session into a refusal. Writer is that of the
// caller; "" if the write does not depend on it.
func (s *Service) refuse(err error, writer string) error {
	var unmet *access.ConditionError[exambuddydb.ExamSession]
	switch {
	case errors.As(err, &unmet) && unmet.Current != nil && unmet.Current.Status != exambuddydb.ExamSessionStatusStarted:
		return exambuddy.ErrOver
	case errors.As(err, &unmet) && unmet.Current != nil && writer != "" && unmet.Current.Writer != writer:
		return exambuddy.ErrWriter
	case errors.As(err, &unmet):
		return exambuddy.ErrNotCurrent
	case errors.Is(err, access.ErrExists):
		return exambuddy.ErrAnswered
	case exambuddy.Changed[exambuddydb.AnswerSelection](err):
		return exambuddy.ErrOldAnswer
	case errors.Is(err, access.ErrNotFound):
		return exambuddy.ErrNoSession
	}
	return fmt.Errorf("change a session: %w", err)
}

// Practise stores the answer to the current question of a practice session, and returns the right
// one. The answer is final.
func (s *Service) Practise(ctx context.Context, candidate exambuddy.Candidate, id, writer string, in Input) (Feedback, error) {
	session, paper, err := s.open(ctx, candidate, id, writer, in, exambuddydb.ExamSessionModeTest)
	if err != nil {
		return Feedback{}, err
	}
	answer, err := s.judge(session, paper, in)
	if err != nil {
		return Feedback{}, err
	}
	if err := s.give(ctx, answer, writer); err != nil {
		return Feedback{}, s.refuse(err, writer)
	}
	key, err := exambuddy.DecodeKey(paper.Solution, paper.Explanation)
	if err != nil {
		return Feedback{}, err
	}
	return Feedback{Saved: saved(answer), Correct: answer.IsCorrect, Mark: int(answer.Mark), Key: key}, nil
}

// Answer stores the answer to an open question of an exam. It can be changed until the question is
// over. A late answer is stored, but never counts, and never replaces one that was in time.
func (s *Service) Answer(ctx context.Context, candidate exambuddy.Candidate, id, writer string, in Input) (Saved, error) {
	session, paper, err := s.open(ctx, candidate, id, writer, in, exambuddydb.ExamSessionModeExam)
	if err != nil {
		return Saved{}, err
	}
	answer, err := s.judge(session, paper, in)
	if err != nil {
		return Saved{}, err
	}
	if answer.LateMs > 0 {
		return s.late(ctx, session, answer, writer)
	}
	least, most := int64(in.Position), int64(in.Position)
	if session.Navigation == exambuddydb.ExamSessionNavigationFree || session.Offline == exambuddydb.ExamSessionOfflineTolerant {
		least, most = 0, session.QuestionCount
	}
	params := exambuddydb.ReviseAnswerParams{
		AttemptID: answer.AttemptID, QuestionID: answer.QuestionID, Position: answer.Position, Reply: answer.Reply, Seq: answer.Seq, Accepted: answer.Accepted, Queued: answer.Queued,
		IsCorrect: answer.IsCorrect, Mark: answer.Mark, TimeSpentMs: answer.TimeSpentMs, AnsweredAt: answer.AnsweredAt, LastSeenAt: answer.AnsweredAt, Writer: writer,
		LeastPosition: least, MostPosition: most,
	}
	err = access.RetryOnConflict(ctx, func() (bool, error) { return false, s.env.DB.ReviseAnswer(ctx, params) })
	if err != nil {
		return Saved{}, s.refuse(err, writer)
	}
	return saved(answer), nil
}

// late stores an answer that came too late, if there is none.
func (s *Service) late(ctx context.Context, session exambuddydb.ExamSession, answer exambuddydb.AnswerSelection, writer string) (Saved, error) {
	if session.Navigation == exambuddydb.ExamSessionNavigationFree {
		return Saved{}, exambuddy.ErrOver
	}
	err := s.give(ctx, answer, writer)
	if err != nil && !errors.Is(err, access.ErrExists) {
		return Saved{}, s.refuse(err, writer)
	}
	return saved(answer), nil
}

// give stores an answer that must be the first one to its question.
func (s *Service) give(ctx context.Context, answer exambuddydb.AnswerSelection, writer string) error {
	return access.RetryOnConflict(ctx, func() (bool, error) {
		return false, s.env.DB.GiveAnswer(ctx, exambuddydb.GiveAnswerParams{AnswerSelection: answer, LastSeenAt: answer.AnsweredAt, Writer: writer})
	})
}

func saved(a exambuddydb.AnswerSelection) Saved {
	return Saved{
		Accepted: a.Accepted, Spent: time.Duration(a.TimeSpentMs) * time.Millisecond, Late: time.Duration(a.LateMs) * time.Millisecond, Sequence: a.Seq, SavedAt: a.AnsweredAt,
	}
}

// open returns the session and the question of an answer, if the question can be answered.
func (s *Service) open(ctx context.Context, candidate exambuddy.Candidate, id, writer string, in Input, mode exambuddydb.ExamSessionMode) (exambuddydb.ExamSession, exambuddydb.PaperQuestion, error) {
	session, err := s.writable(ctx, candidate, id, writer)
	if err != nil {
		return exambuddydb.ExamSession{}, exambuddydb.PaperQuestion{}, err
	}
	tolerant := session.Offline == exambuddydb.ExamSessionOfflineTolerant
	free := session.Navigation == exambuddydb.ExamSessionNavigationFree
	switch {
	case session.Mode != mode:
		err = refusal.New(refusal.Conflict, exambuddy.CodeState, "This session has another mode.")
	case in.Position < 1 || in.Position > int(session.QuestionCount):
		err = refusal.OutOfRange("position", "range", 1, int(session.QuestionCount), "The session has questions 1 to %d.", session.QuestionCount)
	case in.Sequence < 1:
		err = refusal.OfField(refusal.Field{Name: "sequence", Constraint: "range", Min: new(1)}, "The sequence number of an answer is 1 or more.")
	case !free && !tolerant && int64(in.Position) != session.CurrentPosition:
		err = exambuddy.ErrNotCurrent
	}
	if err != nil {
		return exambuddydb.ExamSession{}, exambuddydb.PaperQuestion{}, err
	}
	paper, err := s.env.DB.GetPaperQuestion(ctx, id, int64(in.Position))
	if err != nil {
		return exambuddydb.ExamSession{}, exambuddydb.PaperQuestion{}, fmt.Errorf("read question %d of session %s: %w", in.Position, id, err)
	}
	return session, paper, nil
}

// judge decides by the clock whether an answer counts, and marks it.
func (s *Service) judge(session exambuddydb.ExamSession, paper exambuddydb.PaperQuestion, in Input) (exambuddydb.AnswerSelection, error) {
	q, err := exambuddy.PaperQuestion(paper)
	if err != nil {
		return exambuddydb.AnswerSelection{}, err
	}
	if err := question.CheckAnswer(q, in.Answer); err != nil {
		return exambuddydb.AnswerSelection{}, err
	}
	key, err := exambuddy.DecodeKey(paper.Solution, paper.Explanation)
	if err != nil {
		return exambuddydb.AnswerSelection{}, err
	}
	reply, err := exambuddy.EncodeAnswer(in.Answer)
	if err != nil {
		return exambuddydb.AnswerSelection{}, err
	}
	spent, late, queued := s.clock(session, in)
	answer := exambuddydb.AnswerSelection{
		AttemptID: session.AttemptID, QuestionID: paper.QuestionID, Position: paper.Position, Reply: reply, Seq: in.Sequence, Queued: queued,
		Accepted: late == 0 && !in.Answer.Empty(), LateMs: late.Milliseconds(), TimeSpentMs: spent.Milliseconds(), AnsweredAt: s.env.Now(),
	}
	if answer.Accepted {
		result := question.Grade(q, key, in.Answer)
		answer.Mark, answer.IsCorrect = int64(result.Mark), result.Correct
	}
	return answer, nil
}

// clock returns the time spent on a question, how late its answer is, and whether the client's
// clock counted.
func (s *Service) clock(session exambuddydb.ExamSession, in Input) (spent, late time.Duration, queued bool) {
	now := s.env.Now()
	free := session.Navigation == exambuddydb.ExamSessionNavigationFree
	if in.Queued && session.Offline == exambuddydb.ExamSessionOfflineTolerant && !free {
		spent = max(0, min(in.Elapsed, now.Sub(session.StartedAt)))
		if per := PerQuestion(int(session.BaseSeconds), int(session.FactorPercent)); per > 0 {
			late = spent - time.Duration(per+int(session.ExtraSeconds))*time.Second
		}
		if session.ClosesAt != nil {
			late = max(late, now.Sub(*session.ClosesAt))
		}
		return spent, beyondGrace(late), true
	}
	switch {
	case free:
		spent = max(0, min(in.Elapsed, now.Sub(session.StartedAt)))
	case session.PresentedAt != nil:
		spent = max(0, now.Sub(*session.PresentedAt))
	}
	if deadline, ok := Deadline(session); ok {
		late = now.Sub(deadline)
	}
	return spent, beyondGrace(late), false
}

// beyondGrace returns zero for a delay within the grace.
func beyondGrace(late time.Duration) time.Duration {
	if late <= exambuddy.Grace {
		return 0
	}
	return late
}
