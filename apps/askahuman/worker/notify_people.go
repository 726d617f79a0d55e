package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/notify"
)

// maxParallelSends is the maximum number of notifications sent in parallel.
const maxParallelSends = 16

// notifyAll notifies people, and returns how many count towards the target. People with a dead
// token do not count.
func (w *Worker) notifyAll(ctx context.Context, q askahumandb.Question, people []recipient) (taken int, err error) {
	var took, reached atomic.Int64
	err = inParallel(maxParallelSends, people, func(p recipient) error {
		claimed, err := w.claim(ctx, q, p)
		if err != nil || !claimed {
			return err
		}
		outcome := w.send(ctx, q, p.by[0])
		switch {
		case outcome == nil:
			reached.Add(1)
		case isDead(outcome):
			return nil
		case isRetry(outcome):
			err = w.queueRetry(ctx, q, p.by[0], outcome)
		}
		// Other failures count as well: if the fault is ours, it must not use up all eligible
		// people.
		took.Add(1)
		return err
	})
	return int(took.Load()), errors.Join(err, w.countNotified(ctx, q, reached.Load()))
}

// claim reserves a person on all channels and records the notification, in one transaction. It
// reports whether this worker has the claim.
func (w *Worker) claim(ctx context.Context, q askahumandb.Question, p recipient) (bool, error) {
	now := w.now()
	tx := w.db.Tx()
	for _, s := range p.by {
		tx.ClaimSubscription(s.Key(), claimOf(s, now))
	}
	tx.RecordPush(askahumandb.PushSent{
		QuestionID: q.QuestionID, FingerprintHash: p.hash, SubscriptionID: p.by[0].SubscriptionID,
		SentAt: now, TTL: now.Add(askahuman.KeepPush),
	})
	err := tx.Commit(ctx)
	switch {
	case isConflict(err): // another dispatcher has it, or the person was notified of this question before
		return false, nil
	case err != nil:
		return false, fmt.Errorf("claim subscription %s: %w", p.by[0].SubscriptionID, err)
	}
	w.Hub.Tell(personTopic(p.hash))
	return true, nil
}

func claimOf(s askahumandb.Subscription, now time.Time) askahumandb.ClaimSubscriptionParams {
	return askahumandb.ClaimSubscriptionParams{
		LastNotifiedAt: &now, EligibleAt: now.Add(time.Duration(s.MinIntervalMinutes) * time.Minute), Now: now,
	}
}

// isConflict reports whether a transaction failed because another dispatcher or the person wrote
// the same subscription.
func isConflict(err error) bool {
	if access.Refused(err) {
		return true
	}
	var tx *access.TxError
	if !errors.As(err, &tx) {
		return false
	}
	for _, reason := range tx.Reasons {
		if reason.Code == "TransactionConflict" {
			return true
		}
	}
	return false
}

// send sends a notification to a claimed subscription and records a failure. It returns the
// sender's error; a failure to record it is only logged, because the next notification meets the
// same error.
func (w *Worker) send(ctx context.Context, q askahumandb.Question, s askahumandb.Subscription) error {
	sender := w.Senders[s.Channel]
	if sender == nil {
		sender = notify.Inbox{}
	}
	outcome := sender.Send(ctx, targetOf(s), w.messageOf(q))
	if outcome == nil {
		return nil
	}
	w.domain.Count(askahuman.MetricPushFailed, 1)
	log := w.Log.With(slog.String("subscription", s.SubscriptionID), slog.String("channel", string(s.Channel)), slog.Any("error", outcome))
	var err error
	if isDead(outcome) {
		log.Info("subscription token is dead")
		_, err = w.db.EndDeadSubscription(ctx, s.Key(), askahumandb.EndDeadSubscriptionParams{UpdatedAt: w.now(), Seen: s.UpdatedAt})
	} else {
		log.Warn("notification failed")
		_, err = w.db.RecordPushFailure(ctx, s.Key(), askahumandb.RecordPushFailureParams{UpdatedAt: w.now()})
	}
	if err != nil && !access.Refused(err) { // refused: it was changed or deleted meanwhile
		log.Error("subscription could not be updated after a failure", slog.Any("cause", err))
	}
	return outcome
}

func isDead(err error) bool { return errors.As(err, new(*notify.GoneError)) }

func isRetry(err error) bool { return errors.As(err, new(*notify.RetryError)) }

// countNotified records how many people were notified.
func (w *Worker) countNotified(ctx context.Context, q askahumandb.Question, reached int64) error {
	if reached == 0 {
		return nil
	}
	w.domain.Count(askahuman.MetricNotified, reached)
	now := w.now()
	_, err := w.db.CountNotified(ctx, q.Key(), askahumandb.CountNotifiedParams{LastNotifiedAt: &now, Sent: reached})
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("count notifications of question %s: %w", q.QuestionID, err)
	}
	return nil
}

// queueRetry queues a job that retries a failed notification of one person.
func (w *Worker) queueRetry(ctx context.Context, q askahumandb.Question, s askahumandb.Subscription, outcome error) error {
	payload := askahuman.JobPayload{QuestionID: q.QuestionID, SubscriptionID: s.SubscriptionID}
	due := w.now().Add(w.backoff(askahumandb.JobKindDispatch, 1, outcome))
	_, err := w.Env.QueueJob(ctx, "push-"+q.QuestionID+"-"+s.SubscriptionID, askahumandb.JobKindDispatch, payload, due)
	return err
}

// retrySend retries the notification of one person.
func (w *Worker) retrySend(ctx context.Context, payload askahuman.JobPayload) error {
	q, err := w.openQuestion(ctx, payload.QuestionID)
	if err != nil || q == nil {
		return err
	}
	s, err := w.db.GetSubscription(ctx, payload.SubscriptionID)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("read subscription %s: %w", payload.SubscriptionID, err)
	case s.Status != askahumandb.SubscriptionStatusActive:
		return nil
	}
	// The person may have answered already, or have been banned.
	still, err := w.withoutIneligible(ctx, *q, []recipient{{hash: s.FingerprintHash}})
	if err != nil || len(still) == 0 {
		return err
	}
	switch outcome := w.send(ctx, *q, s); {
	case outcome == nil:
		return w.countNotified(ctx, *q, 1)
	case isRetry(outcome):
		return outcome
	}
	return nil // send has recorded it
}

func targetOf(s askahumandb.Subscription) notify.Target {
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	return notify.Target{Token: text(s.FCMToken), Endpoint: text(s.Endpoint), P256DH: text(s.P256dh), Auth: text(s.Auth)}
}

// messageOf returns the notification for a question. It does not show the question, because other
// people may see the notification.
func (w *Worker) messageOf(q askahumandb.Question) notify.Message {
	body := "Somebody's software has a question. An answer takes about 30 seconds."
	if q.Type == askahumandb.QuestionTypeMultipleChoice {
		body = "Somebody's software has to choose. Your vote takes about 30 seconds."
	}
	return notify.Message{
		Title: "Help an AI decide", Body: body, URL: w.PublicURL + "/q/" + q.QuestionID, QuestionID: q.QuestionID,
		Type: string(q.Type), TTL: q.ExpiresAt.Sub(w.now()),
	}
}
