package worker

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/apps/askahuman/askahumandb"
)

// sweepMost bounds one sweep. What is left comes with the next one; until then every read
// shows it as expired anyway.
const sweepMost = 2000

// sweepFailures end a sweep. A few questions that cannot be written must not keep all behind
// them open; many are no matter of questions.
const sweepFailures = 10

// StepSweep writes down that questions are over whose time is up, and reports how many.
func (w *Worker) StepSweep(ctx context.Context) (expired int, err error) {
	// They are collected first: expiring them takes them out of the index that is read.
	overdue, err := w.db.ListOverdueQuestions(w.now()).Limit(sweepMost).Slice(ctx)
	if err != nil {
		return 0, fmt.Errorf("list overdue questions: %w", err)
	}
	var failures []error
	for _, row := range overdue {
		did, err := w.expire(ctx, row)
		if did {
			expired++
		}
		if err != nil {
			failures = append(failures, err)
		}
		if len(failures) == sweepFailures || ctx.Err() != nil {
			break
		}
	}
	return expired, errors.Join(failures...)
}

// expire writes down that a question is over, and reports whether nobody had before.
func (w *Worker) expire(ctx context.Context, row askahumandb.ListOverdueQuestionsRow) (bool, error) {
	did, err := w.Service.Expire(ctx, row.QuestionID, row.AgentID)
	if err != nil {
		return false, fmt.Errorf("expire question %s: %w", row.QuestionID, err)
	}
	if !did {
		return false, nil
	}
	w.Hub.Tell(questionTopic(row.QuestionID), feedTopic)
	if row.CallbackURL != nil && !w.following.Load() {
		return true, w.queueWebhook(ctx, row.QuestionID, row.CallbackURL, row.ExpiresAt)
	}
	return true, nil
}
