package main

import (
	"context"
	"fmt"
	"time"

	"github.com/guregu/dynamo/v2"
	"github.com/guregu/dynamo/v2/dynamodbiface"

	"sortkey.dev/bench/internal/exams/examsdb"
)

// gureguWay makes the calls with guregu/dynamo.
type gureguWay struct {
	db    *dynamo.DB
	table dynamo.Table
}

var _ way = gureguWay{}

func newGureguWay(api dynamodbiface.DynamoDBAPI) gureguWay {
	db := dynamo.NewFromIface(api)
	return gureguWay{db: db, table: db.Table(examTable)}
}

func (w gureguWay) get(ctx context.Context, candidateID, attemptID string, look func(examsdb.Attempt) error) error {
	var row attemptRow
	err := w.table.Get("PK", "CANDIDATE#"+candidateID).Range("SK", dynamo.Equal, "ATTEMPT#"+attemptID).Consistent(true).One(ctx, &row)
	if err != nil || look == nil {
		return err
	}
	return look(examsdb.Attempt(row))
}

// newest returns the query of a list and of a page.
func (w gureguWay) newest(candidateID string) *dynamo.Query {
	return w.table.Get("PK", "CANDIDATE#"+candidateID).Range("SK", dynamo.BeginsWith, "ATTEMPT#").Order(dynamo.Descending).Limit(callPage)
}

func (w gureguWay) list(ctx context.Context, candidateID string, look func([]examsdb.Attempt) error) error {
	var rows []attemptRow
	if err := w.newest(candidateID).All(ctx, &rows); err != nil || look == nil {
		return err
	}
	return look(attemptsOf(rows))
}

func (w gureguWay) page(ctx context.Context, candidateID string, look func([]examsdb.Attempt) error) (string, error) {
	var rows []attemptRow
	last, err := w.newest(candidateID).AllWithLastEvaluatedKey(ctx, &rows)
	if err != nil {
		return "", err
	}
	next, err := keyCursor(last)
	if err != nil || look == nil {
		return next, err
	}
	return next, look(attemptsOf(rows))
}

func attemptsOf(rows []attemptRow) []examsdb.Attempt {
	var all []examsdb.Attempt
	for _, row := range rows {
		all = append(all, examsdb.Attempt(row))
	}
	return all
}

func (w gureguWay) create(ctx context.Context, token examsdb.RefreshToken) error {
	return w.table.Put(struct {
		PK, SK, GSI1PK, GSI1SK, EntityType string
		tokenRow
	}{
		PK: "TOKEN#" + token.TokenHash, SK: "TOKEN", GSI1PK: "USER#" + token.UserID, GSI1SK: "TOKEN#" + token.TokenHash,
		EntityType: "RefreshToken", tokenRow: tokenRow(token),
	}).If("attribute_not_exists(PK)").Run(ctx)
}

func (w gureguWay) put(ctx context.Context, question examsdb.PaperQuestion) error {
	return w.table.Put(struct {
		PK, SK, EntityType string
		paperRow
	}{
		PK: "ATTEMPT#" + question.AttemptID, SK: fmt.Sprintf("PAPER#%03d", question.Position),
		EntityType: "PaperQuestion", paperRow: newPaperRow(question),
	}).Run(ctx)
}

func (w gureguWay) present(ctx context.Context, attemptID string, p examsdb.PresentQuestionParams, look func(examsdb.ExamSession) error) error {
	var row sessionRow
	err := w.table.Update("PK", "ATTEMPT#"+attemptID).Range("SK", "SESSION").
		Set("current_position", p.CurrentPosition).Set("presented_at", p.PresentedAt).Set("last_seen_at", p.LastSeenAt).
		If("attribute_exists(PK) AND $ = ? AND current_position = ?", "status", examsdb.ExamSessionStatusStarted, p.PreviousPosition).
		Value(ctx, &row)
	if err != nil || look == nil {
		return err
	}
	return look(examsdb.ExamSession(row))
}

func (w gureguWay) answer(ctx context.Context, answer examsdb.AnswerSelection, at time.Time) error {
	put := w.table.Put(struct {
		PK, SK, EntityType string
		answerRow
	}{
		PK: "ATTEMPT#" + answer.AttemptID, SK: "ANSWER#" + answer.QuestionID, EntityType: "ANSWER", answerRow: newAnswerRow(answer),
	}).If("attribute_not_exists(PK)")
	update := w.table.Update("PK", "ATTEMPT#"+answer.AttemptID).Range("SK", "SESSION").
		Set("last_seen_at", at).Add("answered_count", 1).
		If("attribute_exists(PK) AND $ = ? AND current_position = ?", "status", examsdb.ExamSessionStatusStarted, answer.Position)
	return w.db.WriteTx().Put(put).Update(update).Idempotent(true).Run(ctx)
}
