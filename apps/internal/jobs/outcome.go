package jobs

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"
	"unicode"
)

const (
	// maxRetryAfter bounds the delay of RetryAfter, which another host may have asked for.
	maxRetryAfter = time.Hour
	// jitter is the random share that is added to a backoff.
	jitter = 0.2
	// maxErrorLength is the maximum length of a stored error, in characters.
	maxErrorLength = 500
)

// ErrLeaseLost is the cause of a handler's context when another worker may have taken over the
// job.
var ErrLeaseLost = errors.New("jobs: the lease of the job is lost")

// finalError is the outcome of Final.
type finalError struct{ error }

func (e finalError) Unwrap() error { return e.error }

// Final returns the outcome of a job that failed in a way that a retry cannot change. The job is
// dead at once.
func Final(err error) error { return finalError{err} }

// retryError is the outcome of RetryAfter.
type retryError struct {
	error
	after time.Duration
}

func (e retryError) Unwrap() error { return e.error }

// RetryAfter returns the outcome of a job that failed and is retried after a delay, such as a
// host asked for, or after the backoff of the policy if that is longer. The delay is at most an
// hour.
func RetryAfter(after time.Duration, err error) error { return retryError{err, after} }

// nextJob is the outcome of Next.
type nextJob struct{ job Job }

func (e nextJob) Error() string { return "jobs: continues as job " + e.job.ID }

// Next returns the outcome of a job that succeeded and is followed by another job. The first is
// deleted and the other one queued in one transaction. If a job with the id of the following job
// exists, it stays as it is. A job may follow itself under its own id, later or with another
// payload; its kind and group stay.
func Next(job Job) error { return nextJob{job} }

// A panicError is the outcome of a handler that panicked.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// recovered turns a panic into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = &panicError{value: p, stack: debug.Stack()}
	}
}

// A Result is the result of an attempt.
type Result string

// The results.
const (
	Succeeded Result = "succeeded"
	Failed    Result = "failed"   // is retried
	Died      Result = "died"     // is not retried
	Released  Result = "released" // by a worker that stops
	Lost      Result = "lost"     // by a worker that lost its lease
)

// An Attempt is an attempt to run a job that has ended.
type Attempt struct {
	Job    Job
	Result Result
	Took   time.Duration
}

// result returns the result of an outcome, unless the lease was lost.
func (k *kind) result(ctx context.Context, job Job, outcome error) Result {
	_, follows := errors.AsType[nextJob](outcome)
	switch {
	case outcome == nil || follows:
		return Succeeded
	case ctx.Err() != nil:
		return Released
	case k.isFinal(job, outcome):
		return Died
	}
	return Failed
}

// isFinal reports whether a job that failed is dead.
func (k *kind) isFinal(job Job, outcome error) bool {
	_, final := errors.AsType[finalError](outcome)
	return final || job.Tries >= k.policy.Tries
}

// Backoff returns the delay after which a job of a kind is retried whose nth attempt had an
// outcome, and false if it is not retried. It is for handlers that retry a part of their work as
// another job.
func (q *Queue) Backoff(kind string, tried int, outcome error) (delay time.Duration, retried bool) {
	k := q.kind(kind)
	if outcome == nil || k.isFinal(Job{Tries: tried}, outcome) {
		return 0, false
	}
	return q.backoff(k, tried, outcome), true
}

// backoff returns the delay before the next attempt.
func (q *Queue) backoff(k *kind, tried int, outcome error) time.Duration {
	delay := k.policy.Backoff(tried)
	delay += time.Duration(float64(delay) * q.o.Random() * jitter)
	if retry, ok := errors.AsType[retryError](outcome); ok {
		delay = max(delay, min(retry.after, maxRetryAfter))
	}
	return delay
}

// ErrorText returns an error as stored text of at most 500 characters. It may contain text of external hosts, so control
// characters are removed.
func ErrorText(err error) string {
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
