package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// settleTimeout bounds the writes that record an outcome. They are finished when the worker
// stops.
const settleTimeout = 10 * time.Second

// work claims a job and runs it. It reports whether the claim succeeded. The error reports a
// failure to access the queue; a failure of the job is stored with the job.
func (q *Queue) work(ctx context.Context, seen platformdb.Job) (ours bool, err error) {
	if ctx.Err() != nil {
		return false, nil
	}
	k := q.kind(seen.Kind)
	now := q.p.Now()
	stored, err := q.p.DB.ClaimJob(ctx, seen.Key(), now.Add(k.policy.Lease), platformdb.ClaimJobParams{OldDueAt: seen.DueAt, Now: now})
	switch {
	case access.Refused(err), err != nil && ctx.Err() != nil: // another worker was faster, or this one stops
		return false, nil
	case err != nil:
		return false, fmt.Errorf("claim job %s: %w", seen.JobID, err)
	}
	held := &lease{q: q, key: stored.Key(), length: k.policy.Lease, end: stored.DueAt}
	job := view(stored)
	began := q.p.Now()
	outcome, lost := q.run(ctx, k, job, held)
	attempt := Attempt{Job: job, Result: k.result(ctx, job, outcome), Took: q.p.Now().Sub(began)}
	if !lost {
		settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
		defer cancel()
		err = q.settle(settle, k, job, held, attempt.Result, outcome)
		lost = access.Refused(err)
	}
	switch {
	case lost:
		q.p.Log.Warn("the lease of a job was lost", slog.String("job", job.ID))
		attempt.Result = Lost
	case err != nil:
		return true, fmt.Errorf("finish job %s: %w", job.ID, err)
	}
	if q.o.Observe != nil {
		q.o.Observe(attempt)
	}
	return true, nil
}

// run calls the handler of a job while the lease is kept.
func (q *Queue) run(ctx context.Context, k *kind, job Job, held *lease) (outcome error, lost bool) {
	if job.Tries > k.policy.Tries { // every worker that claimed it crashed
		return Final(fmt.Errorf("%d attempts ended without a result", job.Tries-1)), false
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := held.keep(ctx, func() { cancel(ErrLeaseLost) })
	tooLong := fmt.Errorf("the attempt took longer than %s", k.policy.Timeout)
	attempt, cancelAttempt := context.WithTimeoutCause(ctx, k.policy.Timeout, tooLong)
	defer cancelAttempt()
	outcome = call(attempt, k.handle, job)
	stop()
	if outcome != nil && context.Cause(attempt) == tooLong {
		outcome = fmt.Errorf("%w: %w", tooLong, outcome)
	}
	return outcome, context.Cause(ctx) == ErrLeaseLost
}

// call calls a handler and turns a panic into an error.
func call(ctx context.Context, handle Handler, job Job) (err error) {
	defer recovered(&err)
	return handle(ctx, job)
}

// release gives a job back that the stopping worker has not done. The attempt does not count.
func (q *Queue) release(ctx context.Context, held *lease) error {
	return held.write(func(end time.Time) error {
		_, err := q.p.DB.ReleaseJob(ctx, held.key, q.p.Now(), platformdb.ReleaseJobParams{Lease: end})
		return err
	})
}

// settle records the outcome of a job.
func (q *Queue) settle(ctx context.Context, k *kind, job Job, held *lease, result Result, outcome error) error {
	next, follows := errors.AsType[nextJob](outcome)
	switch {
	case result == Released:
		return q.release(ctx, held)
	case outcome == nil:
		return q.finish(ctx, held)
	case follows && next.job.ID == job.ID:
		return q.reschedule(ctx, k, job, held, next.job)
	case follows:
		return q.follow(ctx, k, job, held, next.job)
	}
	return q.fail(ctx, k, job, held, outcome)
}

func (q *Queue) finish(ctx context.Context, held *lease) error {
	return held.write(func(end time.Time) error {
		return q.p.DB.FinishJob(ctx, held.key, platformdb.FinishJobParams{Lease: end})
	})
}

// follow finishes a job and queues the one that follows it.
func (q *Queue) follow(ctx context.Context, k *kind, job Job, held *lease, next Job) error {
	stored, nextKind, err := q.stored(next)
	if err != nil {
		return q.fail(ctx, k, job, held, Final(err))
	}
	err = held.write(func(end time.Time) error {
		tx := q.p.DB.Tx()
		tx.FinishJob(held.key, platformdb.FinishJobParams{Lease: end})
		tx.QueueJob(stored)
		return tx.Commit(ctx)
	})
	if errors.Is(err, access.ErrExists) {
		return q.finish(ctx, held)
	}
	if err == nil {
		q.wake(nextKind, stored.DueAt)
	}
	return err
}

// reschedule queues the same job again.
func (q *Queue) reschedule(ctx context.Context, k *kind, job Job, held *lease, next Job) error {
	payload, err := encode(next.Payload)
	if err != nil {
		return q.fail(ctx, k, job, held, Final(fmt.Errorf("encode the payload: %w", err)))
	}
	due := next.Due
	if due.IsZero() {
		due = q.p.Now()
	}
	err = held.write(func(end time.Time) error {
		_, err := q.p.DB.RescheduleJob(ctx, held.key, due, platformdb.RescheduleJobParams{Payload: payload, TTL: due.Add(keepPending), Lease: end})
		return err
	})
	if err == nil && k.lane != nil {
		q.wake(k, due)
	}
	return err
}

// fail schedules a retry of a failed job, or marks it as dead.
func (q *Queue) fail(ctx context.Context, k *kind, job Job, held *lease, outcome error) error {
	text := ErrorText(outcome)
	log := q.p.Log.With(slog.String("job", job.ID), slog.String("kind", job.Kind), slog.Int("tries", job.Tries), slog.String("error", text))
	if panicked, ok := errors.AsType[*panicError](outcome); ok {
		log = log.With(slog.String("stack", string(panicked.stack)))
	}
	now := q.p.Now()
	if k.isFinal(job, outcome) {
		log.Error("a job is dead")
		return held.write(func(end time.Time) error {
			_, err := q.p.DB.BuryJob(ctx, held.key, now, platformdb.BuryJobParams{LastError: &text, TTL: now.Add(q.o.KeepDead), Lease: end})
			return err
		})
	}
	backoff := q.backoff(k, job.Tries, outcome)
	log.Warn("a job failed and is retried", slog.Duration("backoff", backoff))
	return held.write(func(end time.Time) error {
		_, err := q.p.DB.RetryJob(ctx, held.key, now.Add(backoff), platformdb.RetryJobParams{LastError: &text, Lease: end})
		return err
	})
}
