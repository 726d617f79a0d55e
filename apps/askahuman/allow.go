package askahuman

import (
	"context"
	"time"

	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/refusal"
)

// A Limit is a rate limit. Its window slides.
type Limit = limits.Limit

// An Allowance says how much of a rate limit a subject has left.
type Allowance = limits.Allowance

// Allow counts one use of a rate limit by a subject, and returns a refusal when the limit is
// exhausted. The allowance is returned with the refusal, too.
func (e *Env) Allow(ctx context.Context, limit Limit, subject string) (Allowance, error) {
	allowance, err := e.Limits.Allow(ctx, limit, subject)
	e.countRefused(err)
	return allowance, err
}

// countRefused counts a refusal of a rate limit.
func (e *Env) countRefused(err error) {
	if _, refused := refusal.As(err, refusal.TooMany); refused {
		e.Count(MetricRateLimited, 1)
	}
}

// TooMany returns the refusal of a use that exceeds a limit that is not counted by Allow.
func TooMany(limit Limit, reset time.Time, wait time.Duration, format string, args ...any) *refusal.Error {
	refused := refusal.New(refusal.TooMany, "", format, args...)
	refused.Wait = wait
	refused.Limit = &refusal.Limit{Name: limit.Name, Most: limit.Most, Window: limit.Window, Reset: reset}
	return refused
}
