package work

import (
	"context"
	"fmt"
)

// sweepMost bounds one sweep. What is left comes with the next one; until then every read
// shows it as expired anyway.
const sweepMost = 2000

// StepSweep writes down that questions are over whose time is up, and reports how many.
func (w *Worker) StepSweep(ctx context.Context) (expired int, err error) {
	// They are collected first: expiring them takes them out of the index that is read.
	overdue, err := w.db.ListOverdueQuestions(w.now()).Limit(sweepMost).Slice(ctx)
	if err != nil {
		return 0, fmt.Errorf("list overdue questions: %w", err)
	}
	for _, row := range overdue {
		did, err := w.Service.Expire(ctx, row.QuestionID, row.AgentID)
		if err != nil {
			return expired, fmt.Errorf("expire question %s: %w", row.QuestionID, err)
		}
		if !did {
			continue
		}
		expired++
		w.Hub.Tell(questionTopic(row.QuestionID), feedTopic)
		if row.CallbackURL != nil && !w.following.Load() {
			if err := w.queueWebhook(ctx, row.QuestionID); err != nil {
				return expired, err
			}
		}
	}
	return expired, nil
}
