package api

import (
	"context"
	"time"

	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/contract"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/results"
	"sortkey.dev/apps/exambuddy/sitting"
	"sortkey.dev/apps/internal/openapi"
	"sortkey.dev/apps/internal/operation"
)

// sessions serves the operations on sessions.
type sessions struct {
	sitting *sitting.Service
	results *results.Service
}

func (h *sessions) operations(c *callers) []openapi.Operation {
	return []openapi.Operation{
		openapi.Handle(contract.ListExams, c.candidate, h.catalogue),
		openapi.Handle(contract.ListActive, c.candidate, h.active),
		openapi.Handle(contract.StartSession, c.candidate, h.start),
		openapi.Handle(contract.ResumeSession, c.candidate, h.resume),
		openapi.Handle(contract.GetPaper, c.candidate, h.paper),
		openapi.Handle(contract.Present, c.candidate, h.present),
		openapi.Handle(contract.SaveAnswer, c.candidate, h.answer),
		openapi.Handle(contract.Practise, c.candidate, h.practise),
		openapi.Handle(contract.SetFlag, c.candidate, h.flag),
		openapi.Handle(contract.TakeSession, c.candidate, h.take),
		openapi.Handle(contract.Submit, c.candidate, h.submit),
		openapi.Handle(contract.ReviewSession, c.candidate, h.review),
		openapi.Handle(contract.CancelSession, c.candidate, h.cancel),
		openapi.Handle(contract.ListRunning, c.admin, h.running),
		openapi.Handle(contract.ExtendSession, c.admin, h.extend),
	}
}

func examOf(e sitting.Entry) contract.Exam {
	return contract.Exam{ID: e.ID, Title: e.Title, Description: e.Description, QuestionCount: e.Questions, PassMark: e.PassMark, Practice: e.Practice, ExamCount: e.Count, Difficulty: e.Difficulty, MaxAttempts: e.MaxAttempts, Navigation: e.Navigation, OpensAt: e.OpensAt, LastStartAt: e.LastStartAt, ClosesAt: e.ClosesAt}
}

func (h *sessions) catalogue(ctx context.Context, me exambuddy.Candidate, in operation.Page) (contract.List[contract.Exam], error) {
	page, err := h.sitting.Catalogue(ctx, me, in.Limit, in.Cursor)
	return listOf(page, examOf), err
}

func (h *sessions) active(ctx context.Context, me exambuddy.Candidate, _ contract.None) (contract.List[contract.ActiveSession], error) {
	all, err := h.sitting.Active(ctx, me)
	return contract.List[contract.ActiveSession]{Items: each(all, func(e sitting.ActiveExam) contract.ActiveSession {
		return contract.ActiveSession{ID: e.AttemptID, ProjectID: e.ProjectID, Mode: string(e.Mode), StartedAt: e.StartedAt}
	})}, err
}

func sessionOf(s sitting.State) contract.Session {
	out := contract.Session{
		ID: s.ID, ProjectID: s.ProjectID, Mode: s.Mode, Difficulty: s.Difficulty, Status: s.Status, Navigation: s.Navigation, Offline: s.Offline, QuestionCount: s.Questions,
		Position: s.Position, SecondsPerQuestion: s.Seconds, TotalTimeSeconds: s.Total, ReviewSeconds: s.Review, FactorPercent: s.FactorPercent, Flagged: texts(s.Flagged),
		Notice: s.Notice, StartedAt: s.StartedAt, Now: s.Now, Writer: s.Writer,
	}
	if !s.Deadline.IsZero() {
		out.Deadline, out.RemainingMillis = &s.Deadline, new(s.Remaining.Milliseconds())
	}
	if !s.Closes.IsZero() {
		out.ClosesAt = &s.Closes
	}
	return out
}

func (h *sessions) start(ctx context.Context, me exambuddy.Candidate, in operation.Keyed[contract.Start]) (contract.Session, error) {
	b := in.Body
	state, err := h.sitting.Start(ctx, me, sitting.Request{
		ProjectID: b.ProjectID, Mode: b.Mode, Difficulty: question.Difficulty(b.Difficulty), Count: b.QuestionCount, NoLimit: b.NoLimit,
		Only: question.Difficulty(b.OnlyDifficulty), Tags: b.Tags, Questions: b.Questions, Repeat: repeatOf(in.Key, in),
	})
	return sessionOf(state), err
}

func (h *sessions) resume(ctx context.Context, me exambuddy.Candidate, in operation.ByID) (contract.Resumed, error) {
	state, answers, err := h.sitting.Resume(ctx, me, in.ID)
	return contract.Resumed{Session: sessionOf(state), Answers: each(answers, func(s sitting.Answered) contract.SavedAnswer {
		return contract.SavedAnswer{Position: s.Position, QuestionID: s.ID, Answer: contract.Answer(s.Answer), Sequence: s.Sequence, SavedAt: s.SavedAt}
	})}, err
}

func askedOf(q sitting.Question) contract.Asked {
	return contract.Asked{Position: q.Position, QuestionID: q.ID, Question: questionOf(q.Question)}
}

func (h *sessions) paper(ctx context.Context, me exambuddy.Candidate, in operation.ByID) (contract.List[contract.Asked], error) {
	all, err := h.sitting.Paper(ctx, me, in.ID)
	return contract.List[contract.Asked]{Items: each(all, askedOf)}, err
}

func (h *sessions) present(ctx context.Context, me exambuddy.Candidate, in operation.ByIDWith[contract.Presentation]) (contract.Presented, error) {
	q, state, err := h.sitting.Present(ctx, me, in.ID, in.Body.Writer, in.Body.Position)
	return contract.Presented{Asked: askedOf(q), Session: sessionOf(state)}, err
}

func inputOf(in contract.NewAnswer) sitting.Input {
	return sitting.Input{
		Position: in.Position, Answer: question.Answer(in.Answer), Sequence: in.Sequence, Elapsed: time.Duration(in.ElapsedMillis) * time.Millisecond, Queued: in.Queued,
	}
}

func receiptOf(s sitting.Saved) contract.Receipt {
	return contract.Receipt{Accepted: s.Accepted, TimeSpentMillis: s.Spent.Milliseconds(), LateMillis: s.Late.Milliseconds(), Sequence: s.Sequence, SavedAt: s.SavedAt}
}

func (h *sessions) answer(ctx context.Context, me exambuddy.Candidate, in operation.ByIDWith[contract.NewAnswer]) (contract.Receipt, error) {
	saved, err := h.sitting.Answer(ctx, me, in.ID, in.Body.Writer, inputOf(in.Body))
	return receiptOf(saved), err
}

func (h *sessions) practise(ctx context.Context, me exambuddy.Candidate, in operation.ByIDWith[contract.NewAnswer]) (contract.Feedback, error) {
	f, err := h.sitting.Practise(ctx, me, in.ID, in.Body.Writer, inputOf(in.Body))
	return contract.Feedback{Receipt: receiptOf(f.Saved), Correct: f.Correct, Mark: f.Mark, CorrectAnswer: keyOf(f.Key)}, err
}

func (h *sessions) flag(ctx context.Context, me exambuddy.Candidate, in operation.ByIDWith[contract.Flag]) (contract.Session, error) {
	state, err := h.sitting.Flag(ctx, me, in.ID, in.Body.Writer, in.Body.QuestionID, in.Body.Flagged)
	return sessionOf(state), err
}

func (h *sessions) take(ctx context.Context, me exambuddy.Candidate, in operation.ByID) (contract.Session, error) {
	state, err := h.sitting.Take(ctx, me, in.ID)
	return sessionOf(state), err
}

func (h *sessions) submit(ctx context.Context, me exambuddy.Candidate, in operation.ByIDWith[contract.Submission]) (contract.Attempt, error) {
	attempt, err := h.sitting.Submit(ctx, me, in.ID, in.Body.Writer)
	return attemptOf(attempt), err
}

func (h *sessions) review(ctx context.Context, me exambuddy.Candidate, in operation.ByID) (contract.List[contract.Review], error) {
	_, reviews, err := h.results.Review(ctx, me, in.ID)
	return contract.List[contract.Review]{Items: each(reviews, reviewOf)}, err
}

func (h *sessions) cancel(ctx context.Context, me exambuddy.Candidate, in operation.ByID) (contract.None, error) {
	return contract.None{}, h.sitting.Cancel(ctx, me, in.ID)
}

func (h *sessions) running(ctx context.Context, me exambuddy.Admin, in operation.ByID) (contract.List[contract.RunningSession], error) {
	all, err := h.sitting.Running(ctx, me, in.ID)
	return contract.List[contract.RunningSession]{Items: each(all, func(s sitting.Session) contract.RunningSession {
		return contract.RunningSession{ID: s.AttemptID, CandidateID: s.CandidateID, Mode: string(s.Mode), QuestionCount: s.QuestionCount, Position: s.CurrentPosition, FactorPercent: s.FactorPercent, ExtraSeconds: s.ExtraSeconds, StartedAt: s.StartedAt, LastSeenAt: s.LastSeenAt}
	})}, err
}

func (h *sessions) extend(ctx context.Context, me exambuddy.Admin, in operation.ByIDKeyed[contract.Extension]) (contract.None, error) {
	return contract.None{}, h.sitting.Extend(ctx, me, in.ID, time.Duration(in.Body.Seconds)*time.Second, in.Body.Notice, repeatOf(in.Key, in))
}
