package main

import (
	"context"
	"time"

	"sortkey.dev/bench/internal/exams/examsdb"
)

// generatedWay calls the methods of a generated package.
type generatedWay struct{ db *examsdb.DB }

var _ way = generatedWay{}

func (w generatedWay) get(ctx context.Context, candidateID, attemptID string, look func(examsdb.Attempt) error) error {
	attempt, err := w.db.GetAttempt(ctx, candidateID, attemptID)
	if err != nil || look == nil {
		return err
	}
	return look(attempt)
}

func (w generatedWay) list(ctx context.Context, candidateID string, look func([]examsdb.Attempt) error) error {
	attempts, err := w.db.ListAttemptsByCandidate(candidateID).Limit(callPage).Slice(ctx)
	if err != nil || look == nil {
		return err
	}
	return look(attempts)
}

func (w generatedWay) page(ctx context.Context, candidateID string, look func([]examsdb.Attempt) error) (string, error) {
	page, err := w.db.ListAttemptsByCandidate(candidateID).PageSize(callPage).Page(ctx, "")
	if err != nil || look == nil {
		return page.Next, err
	}
	return page.Next, look(page.Items)
}

func (w generatedWay) create(ctx context.Context, token examsdb.RefreshToken) error {
	_, err := w.db.CreateRefreshToken(ctx, token)
	return err
}

func (w generatedWay) put(ctx context.Context, question examsdb.PaperQuestion) error {
	_, err := w.db.SavePaperQuestion(ctx, question)
	return err
}

func (w generatedWay) present(ctx context.Context, attemptID string, p examsdb.PresentQuestionParams, look func(examsdb.ExamSession) error) error {
	session, err := w.db.PresentQuestion(ctx, examsdb.ExamSessionKey{AttemptID: attemptID}, p)
	if err != nil || look == nil {
		return err
	}
	return look(session)
}

func (w generatedWay) answer(ctx context.Context, answer examsdb.AnswerSelection, at time.Time) error {
	return w.db.SubmitAnswer(ctx, examsdb.SubmitAnswerParams{AnswerSelection: answer, LastSeenAt: at})
}
