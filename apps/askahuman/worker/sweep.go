package worker

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/apps/askahuman/askahumandb"
)

// sweepMost bounds one sweep. The next sweep handles the rest; until then reads show it as
// expired anyway.
const sweepMost = 2000

// sweepFailures is the number of failures that ends a sweep. A few questions that cannot be
// written must not block the others; many failures are a problem of the database.
const sweepFailures = 10

// StepSweep marks overdue questions as expired, and returns how many.
func (w *Worker) StepSweep(ctx context.Context) (expired int, err error) {
	// They are collected first, because expiring a question removes it from the index.
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

// expire marks a question as expired, and reports whether this call did it.
func (w *Worker) expire(ctx context.Context, row askahumandb.ListOverdueQuestionsRow) (bool, error) {
	did, err := w.domain.Questions.Expire(ctx, row.QuestionID, row.AgentID)
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
