package sitting

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/apps/exambuddy"
	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
)

// Submit ends a session, grades it and returns the attempt. A repeated call returns the same
// attempt.
func (s *Service) Submit(ctx context.Context, candidate exambuddy.Candidate, id, writer string) (exambuddydb.Attempt, error) {
	session, err := s.session(ctx, candidate, id)
	switch {
	case err != nil:
		return exambuddydb.Attempt{}, err
	case session.Status == exambuddydb.ExamSessionStatusSubmitted:
		attempt, err := s.env.DB.GetAttempt(ctx, candidate.ID, id)
		return attempt, exambuddy.Missing(err, exambuddy.ErrNoAttempt)
	case session.Status != exambuddydb.ExamSessionStatusStarted:
		return exambuddydb.Attempt{}, exambuddy.ErrOver
	case session.Writer != writer:
		return exambuddydb.Attempt{}, exambuddy.ErrWriter
	}
	return s.finish(ctx, session, exambuddydb.AttemptStatusCompleted)
}

// finish grades a session from exactly the answers that it has, and ends it. An answer that comes
// between the read and the write makes it read again.
func (s *Service) finish(ctx context.Context, session exambuddydb.ExamSession, how exambuddydb.AttemptStatus) (exambuddydb.Attempt, error) {
	project, err := s.env.DB.GetProject(ctx, session.AdminID, session.ProjectID)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return exambuddydb.Attempt{}, err
	}
	user, err := s.env.DB.GetUserByID(ctx, session.CandidateID)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return exambuddydb.Attempt{}, err
	}
	var attempt exambuddydb.Attempt
	err = access.RetryOnConflict(ctx, func() (bool, error) {
		loaded, err := s.env.DB.LoadSession(ctx, session.AttemptID)
		if err != nil {
			return false, err
		}
		if len(loaded.ExamSessions) == 0 || loaded.ExamSessions[0].Status != exambuddydb.ExamSessionStatusStarted {
			attempt, err = s.env.DB.GetAttempt(ctx, session.CandidateID, session.AttemptID)
			return false, exambuddy.Missing(err, exambuddy.ErrOver)
		}
		session := loaded.ExamSessions[0]
		_, totals, err := exambuddy.Grade(loaded.PaperQuestions, loaded.AnswerSelections)
		if err != nil {
			return false, err
		}
		attempt = s.attempt(session, project, user, totals, how)
		err = s.env.DB.SubmitExam(ctx, exambuddydb.SubmitExamParams{
			Attempt: attempt, CompletedAt: &attempt.CompletedAt, Writes: session.Writes, Mode: exambuddydb.TakenMode(session.Mode),
			LastScoreTenths: &attempt.ScoreTenths, LastAt: &attempt.CompletedAt,
		})
		return exambuddy.Changed[exambuddydb.ExamSession](err), err
	})
	if err != nil {
		return exambuddydb.Attempt{}, fmt.Errorf("end session %s: %w", session.AttemptID, err)
	}
	return attempt, nil
}

func (s *Service) attempt(session exambuddydb.ExamSession, project exambuddydb.Project, user exambuddydb.User, totals exambuddy.Totals, how exambuddydb.AttemptStatus) exambuddydb.Attempt {
	now := s.env.Now()
	attempt := exambuddydb.Attempt{
		AttemptID: session.AttemptID, CandidateID: session.CandidateID, CandidateEmail: user.Email, CandidateName: user.Name, AdminID: session.AdminID,
		ProjectID: session.ProjectID, ProjectTitle: project.Title, Mode: exambuddydb.AttemptMode(session.Mode), Difficulty: exambuddydb.AttemptDifficulty(session.Difficulty),
		Status: how, StartedAt: session.StartedAt, CompletedAt: now, Score: int64(totals.Correct), Marks: int64(totals.Marks), ScoreTenths: int64(totals.Tenths),
		PassMark: project.PassMark, Passed: int64(totals.Tenths) >= project.PassMark*10, AnsweredCount: int64(totals.Answered), TotalQuestions: int64(totals.Questions),
		TimeTakenSeconds: int64(totals.Seconds), FactorPercent: session.FactorPercent,
	}
	attempt.RevealAt = bank.RevealAt(project.Rules, now)
	if session.Mode == exambuddydb.ExamSessionModeTest {
		attempt.RevealAt = &now
	}
	return attempt
}

// Cancel discards a session. There is no result. An exam counts as an attempt, because the candidate
// has seen its paper.
func (s *Service) Cancel(ctx context.Context, candidate exambuddy.Candidate, id string) error {
	session, err := s.session(ctx, candidate, id)
	if err != nil {
		return err
	}
	now := s.env.Now()
	tx := s.env.DB.Tx()
	tx.CancelExam(exambuddydb.CancelExamParams{AttemptID: id, CompletedAt: &now, CandidateID: candidate.ID, ProjectID: session.ProjectID})
	countAttempt(tx, session)
	if err := s.env.Jobs.AddTo(tx, s.discardJob("end", session, 0)); err != nil {
		return err
	}
	if err := tx.Commit(ctx); err != nil {
		return s.refuse(err, "")
	}
	return nil
}

// countAttempt counts an exam that ends without a result, in the transaction that ends it. Practice
// does not count.
func countAttempt(tx *exambuddydb.Tx, session exambuddydb.ExamSession) {
	if session.Mode == exambuddydb.ExamSessionModeExam {
		tx.CountAttempt(exambuddydb.CountAttemptParams{CandidateID: session.CandidateID, ProjectID: session.ProjectID, Mode: exambuddydb.TakenModeExam})
	}
}

// Sweep ends the sessions whose time is over, and returns their number. An exam is graded as it is,
// if its rules say so; other sessions are discarded.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	ended := 0
	for row, err := range s.env.DB.ListOverdueSessions(s.env.Now()).All(ctx) {
		if err != nil {
			return ended, err
		}
		session, err := s.env.DB.GetSession(ctx, row.AttemptID)
		if errors.Is(err, access.ErrNotFound) {
			continue
		}
		if err != nil {
			return ended, err
		}
		over, err := s.expire(ctx, session)
		if err != nil {
			return ended, fmt.Errorf("expire session %s: %w", session.AttemptID, err)
		}
		if over {
			ended++
		}
	}
	return ended, nil
}

func (s *Service) expire(ctx context.Context, session exambuddydb.ExamSession) (bool, error) {
	now := s.env.Now()
	if session.Status != exambuddydb.ExamSessionStatusStarted || session.ExpiresAt.After(now) {
		return false, nil // ended or extended since the index was read
	}
	if session.Mode == exambuddydb.ExamSessionModeExam && session.Overdue == exambuddydb.ExamSessionOverdueSubmit {
		_, err := s.finish(ctx, session, exambuddydb.AttemptStatusTimedOut)
		return err == nil, err
	}
	tx := s.env.DB.Tx()
	tx.ExpireExam(exambuddydb.ExpireExamParams{AttemptID: session.AttemptID, CompletedAt: &now, Now: now, CandidateID: session.CandidateID, ProjectID: session.ProjectID})
	countAttempt(tx, session)
	if err := s.env.Jobs.AddTo(tx, s.discardJob("end", session, 0)); err != nil {
		return false, err
	}
	err := tx.Commit(ctx)
	if exambuddy.Changed[exambuddydb.ExamSession](err) || errors.Is(err, access.ErrExists) {
		return false, nil
	}
	return err == nil, err
}

// Discard deletes the paper and the answers of a session that ended without an attempt, or that
// was never started.
func (s *Service) Discard(ctx context.Context, id string) error {
	loaded, err := s.env.DB.LoadSession(ctx, id)
	if err != nil {
		return err
	}
	if len(loaded.ExamSessions) > 0 {
		switch loaded.ExamSessions[0].Status {
		case exambuddydb.ExamSessionStatusStarted, exambuddydb.ExamSessionStatusSubmitted:
			return nil
		}
	} else if at, err := access.TimeOfID(id); err != nil || s.env.Now().Sub(at) < 2*exambuddy.StartWithin || len(loaded.PaperQuestions) == 0 {
		return err
	} else if _, err := s.env.DB.GetAttemptByID(ctx, id); !errors.Is(err, access.ErrNotFound) {
		return err // the session of an attempt is deleted after some days; its paper stays
	}
	var papers []exambuddydb.PaperQuestionKey
	for _, p := range loaded.PaperQuestions {
		papers = append(papers, p.Key())
	}
	var answers []exambuddydb.AnswerSelectionKey
	for _, a := range loaded.AnswerSelections {
		answers = append(answers, a.Key())
	}
	if err := s.env.DB.DeletePaperQuestionBatch(ctx, papers); err != nil {
		return fmt.Errorf("delete the paper of session %s: %w", id, err)
	}
	if err := s.env.DB.DeleteAnswerBatch(ctx, answers); err != nil {
		return fmt.Errorf("delete the answers of session %s: %w", id, err)
	}
	return nil
}
