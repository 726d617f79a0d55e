package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/askahuman/notify"
)

const (
	// jobLease is the time after which another worker may take over a job. The worker that
	// claimed it stops before.
	jobLease = 2 * time.Minute
	// jobRounds bounds how often one step reads the list of due jobs.
	jobRounds = 20
	// maxErrorLength is the maximum length of an error that is stored with a job.
	maxErrorLength = 500
)

// A schedule is the retry policy of a kind of job.
type schedule struct {
	tries   int
	backoff func(tried int64) time.Duration
}

func scheduleOf(kind askahumandb.JobKind) schedule {
	if kind == askahumandb.JobKindWebhook {
		return schedule{tries: webhookTries, backoff: webhookBackoff}
	}
	return schedule{tries: 6, backoff: func(tried int64) time.Duration {
		return min(15*time.Second<<min(tried-1, 10), 10*time.Minute)
	}}
}

// A nextJob is the outcome of a job that succeeded and queues a following job.
type nextJob struct{ job askahumandb.Job }

func (e *nextJob) Error() string { return "goes on as job " + e.job.JobID }

// A finalError is an outcome that a retry cannot change.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// errLeaseLost reports that another worker has claimed the job.
var errLeaseLost = errors.New("worker: the job was given to another worker")

// A lane is a set of job kinds that is processed independently of other lanes. Webhooks have
// their own lane, because external hosts can make each of them slow.
type lane struct {
	kinds   []askahumandb.JobLane
	atOnce  int // jobs that run in parallel
	most    int // maximum jobs of one round
	perHost int // maximum jobs of one round for one host
	looked  int // maximum jobs of a kind that are read for a round
}

var (
	internalLane = lane{
		kinds:  []askahumandb.JobLane{askahumandb.JobLaneDispatch, askahumandb.JobLaneCatchUp, askahumandb.JobLaneErase},
		atOnce: 4, most: 25, looked: 25,
	}
	externalLane = lane{kinds: []askahumandb.JobLane{askahumandb.JobLaneWebhook}, atOnce: 16, most: 64, perHost: 4, looked: 500}
)

// StepJobs runs the jobs that are due, and returns how many it has begun.
func (w *Worker) StepJobs(ctx context.Context) (begun int, err error) {
	for _, l := range []lane{internalLane, externalLane} {
		n, err := w.stepLane(ctx, l)
		begun += n
		if err != nil || ctx.Err() != nil {
			return begun, err
		}
	}
	return begun, nil
}

// stepLane runs the due jobs of a lane.
func (w *Worker) stepLane(ctx context.Context, l lane) (begun int, err error) {
	for range jobRounds {
		due, err := w.dueJobs(ctx, l)
		if err != nil {
			return begun, fmt.Errorf("list due jobs: %w", err)
		}
		n, err := w.doJobs(ctx, l, due)
		begun += n
		if err != nil || n == 0 || ctx.Err() != nil { // none are due, or other workers have them all
			return begun, err
		}
	}
	return begun, nil
}

// doJobs runs the jobs of a list in parallel.
func (w *Worker) doJobs(ctx context.Context, l lane, due []askahumandb.Job) (int, error) {
	var begun atomic.Int64
	err := inParallel(l.atOnce, due, func(job askahumandb.Job) error {
		ours, err := w.doJob(ctx, job)
		if ours {
			begun.Add(1)
		}
		return err
	})
	return int(begun.Load()), err
}

// doJob claims a job and runs it. It reports whether the claim succeeded. The error reports a
// failure to access the queue; a failure of the job is stored with the job.
func (w *Worker) doJob(ctx context.Context, seen askahumandb.Job) (ours bool, err error) {
	if ctx.Err() != nil {
		return false, nil
	}
	now := w.now()
	job, err := w.db.ClaimJob(ctx, seen.Key(), now.Add(jobLease), askahumandb.ClaimJobParams{OldDueAt: seen.DueAt, Now: now})
	switch {
	case access.Refused(err): // another worker was faster
		return false, nil
	case err != nil:
		return false, fmt.Errorf("claim job %s: %w", seen.JobID, err)
	}
	outcome := w.handle(ctx, job)
	if ctx.Err() != nil && outcome != nil {
		return true, nil // shutting down; another worker takes the job over when the lease expires
	}
	err = w.finish(context.WithoutCancel(ctx), job, outcome)
	if errors.Is(err, errLeaseLost) {
		w.Log.Warn("job took longer than its lease", slog.String("job", job.JobID))
		return true, nil
	}
	return true, err
}

// handle runs a job, and stops before its lease expires.
func (w *Worker) handle(ctx context.Context, job askahumandb.Job) (err error) {
	ctx, cancel := context.WithTimeout(ctx, jobLease-10*time.Second)
	defer cancel()
	defer recovered(&err)
	if int(job.Tries) > scheduleOf(job.Kind).tries {
		// Every worker that claimed it crashed.
		return finalError{fmt.Errorf("%d attempts ended without a result", job.Tries-1)}
	}
	var payload askahuman.JobPayload
	if err := json.Unmarshal(job.Payload, &payload); err != nil {
		return finalError{fmt.Errorf("read the payload: %w", err)}
	}
	switch {
	case job.Kind == askahumandb.JobKindDispatch && payload.SubscriptionID != "":
		return w.retrySend(ctx, payload)
	case job.Kind == askahumandb.JobKindDispatch:
		return w.dispatch(ctx, payload, job.Tries > 1)
	case job.Kind == askahumandb.JobKindCatchUp:
		return w.catchUp(ctx, payload)
	case job.Kind == askahumandb.JobKindWebhook && payload.Watch:
		return w.watch(ctx, payload)
	case job.Kind == askahumandb.JobKindWebhook:
		return w.webhook(ctx, payload)
	case job.Kind == askahumandb.JobKindErase && payload.PersonHash != "":
		return w.domain.People.Forget(ctx, askahuman.Person{Hash: payload.PersonHash})
	}
	return finalError{fmt.Errorf("unknown job kind %s with payload %s", job.Kind, job.Payload)}
}

// finish records the outcome of a job. The error is errLeaseLost if another worker has
// claimed it.
func (w *Worker) finish(ctx context.Context, job askahumandb.Job, outcome error) error {
	finish := askahumandb.FinishJobParams{Lease: job.DueAt}
	var next *nextJob
	var err error
	switch {
	case outcome == nil:
		err = w.db.FinishJob(ctx, job.Key(), finish)
	case errors.As(outcome, &next):
		tx := w.db.Tx()
		tx.FinishJob(job.Key(), finish)
		tx.QueueJob(next.job)
		if err = tx.Commit(ctx); errors.Is(err, access.ErrExists) {
			err = w.db.FinishJob(ctx, job.Key(), finish)
		}
	default:
		err = w.recordFailure(ctx, job, outcome)
	}
	switch {
	case access.Refused(err):
		return errLeaseLost
	case err != nil:
		return fmt.Errorf("finish job %s: %w", job.JobID, err)
	}
	return nil
}

// recordFailure schedules a retry of a failed job, or marks it as dead.
func (w *Worker) recordFailure(ctx context.Context, job askahumandb.Job, outcome error) error {
	text := errorText(outcome)
	log := w.Log.With(slog.String("job", job.JobID), slog.Int64("tries", job.Tries), slog.String("error", text))
	now := w.now()
	if final := (finalError{}); errors.As(outcome, &final) || int(job.Tries) >= scheduleOf(job.Kind).tries {
		log.Error("job is dead")
		_, err := w.db.BuryJob(ctx, job.Key(), now, askahumandb.BuryJobParams{
			LastError: &text, TTL: now.Add(askahuman.KeepDeadJob), Lease: job.DueAt,
		})
		return err
	}
	backoff := w.backoff(job.Kind, job.Tries, outcome)
	log.Warn("job failed, will be retried", slog.Duration("backoff", backoff))
	_, err := w.db.RetryJob(ctx, job.Key(), now.Add(backoff), askahumandb.RetryJobParams{LastError: &text, Lease: job.DueAt})
	return err
}

// errorText returns an error as stored text. It may contain text of external hosts, so
// control characters are removed.
func errorText(err error) string {
	plain := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsPrint(c):
			return c
		}
		return -1
	}, strings.ToValidUTF8(err.Error(), ""))
	runes := []rune(plain)
	return string(runes[:min(maxErrorLength, len(runes))])
}

// maxRetryAfter bounds the delay that another host can request.
const maxRetryAfter = time.Hour

// backoff returns the delay after a failure: that of the schedule with jitter, or the delay
// the other host asks for if that is longer.
func (w *Worker) backoff(kind askahumandb.JobKind, tried int64, outcome error) time.Duration {
	backoff := scheduleOf(kind).backoff(tried)
	backoff += time.Duration(float64(backoff) * w.Random() / 5)
	if again := (*notify.RetryError)(nil); errors.As(outcome, &again) {
		backoff = max(backoff, min(again.After, maxRetryAfter))
	}
	return backoff
}

// inParallel calls do for all elements, at most most at a time, and joins the errors.
func inParallel[T any](most int, all []T, do func(T) error) error {
	slots := make(chan struct{}, most)
	errs := make([]error, len(all))
	var running sync.WaitGroup
	for i, one := range all {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			defer recovered(&errs[i])
			errs[i] = do(one)
		})
	}
	running.Wait()
	return errors.Join(errs...)
}

// recovered turns a panic into an error, so that one bad job does not end the process.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}
