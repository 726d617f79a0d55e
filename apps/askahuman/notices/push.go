package notices

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/notify"
)

// maxParallelSends is the maximum number of notifications sent in parallel.
const maxParallelSends = 16

// notifyAll notifies people, and returns how many count towards the target. People with a dead
// token do not count.
func (n *Service) notifyAll(ctx context.Context, q askahumandb.Question, people []recipient) (taken int, err error) {
	var took, reached atomic.Int64
	err = inParallel(maxParallelSends, people, func(p recipient) error {
		claimed, err := n.claim(ctx, q, p)
		if err != nil || !claimed {
			return err
		}
		outcome := n.send(ctx, q, p.by[0])
		switch {
		case outcome == nil:
			reached.Add(1)
		case isDead(outcome):
			return nil
		default:
			err = n.queueRetry(ctx, q, p.by[0], outcome)
		}
		// Failures count as well: if the fault is ours, it must not use up all eligible people.
		took.Add(1)
		return err
	})
	return int(took.Load()), errors.Join(err, n.countNotified(ctx, q, reached.Load()))
}

// claim reserves a person on all channels and records the notification, in one transaction. It
// reports whether this worker has the claim.
func (n *Service) claim(ctx context.Context, q askahumandb.Question, p recipient) (bool, error) {
	now := n.env.Now()
	tx := n.env.DB.Tx()
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
	n.hub.Tell(askahuman.PersonTopic(p.hash))
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
func (n *Service) send(ctx context.Context, q askahumandb.Question, s askahumandb.Subscription) error {
	sender := n.senders[s.Channel]
	if sender == nil { // the record of the notification is the message
		return nil
	}
	outcome := sender.Send(ctx, targetOf(s), n.messageOf(q))
	if outcome == nil {
		return nil
	}
	n.env.Count(askahuman.MetricPushFailed, 1)
	log := n.env.Log.With(slog.String("subscription", s.SubscriptionID), slog.String("channel", string(s.Channel)), slog.Any("error", outcome))
	var err error
	if isDead(outcome) {
		log.Info("subscription token is dead")
		_, err = n.env.DB.EndDeadSubscription(ctx, s.Key(), askahumandb.EndDeadSubscriptionParams{UpdatedAt: n.env.Now(), Seen: s.UpdatedAt})
	} else {
		log.Warn("notification failed")
		_, err = n.env.DB.RecordPushFailure(ctx, s.Key(), askahumandb.RecordPushFailureParams{UpdatedAt: n.env.Now()})
	}
	if err != nil && !access.Refused(err) { // refused: it was changed or deleted meanwhile
		log.Error("subscription could not be updated after a failure", slog.Any("cause", err))
	}
	return outcome
}

func isDead(err error) bool { return errors.As(err, new(*notify.GoneError)) }

// countNotified records how many people were notified.
func (n *Service) countNotified(ctx context.Context, q askahumandb.Question, reached int64) error {
	if reached == 0 {
		return nil
	}
	n.env.Count(askahuman.MetricNotified, reached)
	now := n.env.Now()
	_, err := n.env.DB.CountNotified(ctx, q.Key(), askahumandb.CountNotifiedParams{LastNotifiedAt: &now, Sent: reached})
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("count notifications of question %s: %w", q.QuestionID, err)
	}
	return nil
}

// queueRetry queues a job that retries a failed notification of one person, unless a retry
// cannot help.
func (n *Service) queueRetry(ctx context.Context, q askahumandb.Question, s askahumandb.Subscription, outcome error) error {
	delay, retried := n.env.Jobs.Backoff(askahuman.JobPush, 1, outcome)
	if !retried {
		return nil
	}
	_, err := n.env.Jobs.Add(ctx, jobs.Job{
		ID: "push-" + q.QuestionID + "-" + s.SubscriptionID, Kind: askahuman.JobPush, Due: n.env.Now().Add(delay),
		Payload: askahuman.JobPayload{QuestionID: q.QuestionID, SubscriptionID: s.SubscriptionID},
	})
	return err
}

// push runs a job: it retries the notification of one person.
func (n *Service) push(ctx context.Context, job jobs.Job) error {
	q, err := n.openQuestion(ctx, job)
	if err != nil || q == nil {
		return err
	}
	payload, err := jobs.Payload[askahuman.JobPayload](job)
	if err != nil {
		return err
	}
	s, err := n.env.DB.GetSubscription(ctx, payload.SubscriptionID)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("read subscription %s: %w", payload.SubscriptionID, err)
	case !s.Active:
		return nil
	}
	// The person may have answered already, or have been banned.
	still, err := n.withoutIneligible(ctx, *q, []recipient{{hash: s.FingerprintHash}})
	if err != nil || len(still) == 0 {
		return err
	}
	outcome := n.send(ctx, *q, s)
	switch _, retried := n.env.Jobs.Backoff(askahuman.JobPush, 1, outcome); {
	case outcome == nil:
		return n.countNotified(ctx, *q, 1)
	case retried && !isDead(outcome):
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
func (n *Service) messageOf(q askahumandb.Question) notify.Message {
	body := "Somebody's software has a question. An answer takes about 30 seconds."
	if q.Type == askahumandb.QuestionTypeMultipleChoice {
		body = "Somebody's software has to choose. Your vote takes about 30 seconds."
	}
	return notify.Message{
		ID: q.QuestionID, Kind: "question", Title: "Help an AI decide", Body: body, URL: n.publicURL + "/q/" + q.QuestionID,
		TTL: q.ExpiresAt.Sub(n.env.Now()), Data: map[string]string{"question_id": q.QuestionID, "type": string(q.Type)},
	}
}

// inParallel calls do for all elements, at most most at a time, and joins the errors. A panic is
// an error of its element.
func inParallel[T any](most int, all []T, do func(T) error) error {
	slots := make(chan struct{}, most)
	errs := make([]error, len(all))
	var running sync.WaitGroup
	for i, one := range all {
		slots <- struct{}{}
		running.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					errs[i] = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
				}
				<-slots
			}()
			errs[i] = do(one)
		})
	}
	running.Wait()
	return errors.Join(errs...)
}
