package askahuman

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/apps/askahuman/askahumandb"
	"sortkey.dev/apps/internal/refusal"
)

// Allow counts one use of a rate limit by a subject, and returns an error with
// CodeRateLimited when the window is full. The allowance is returned with the error, too.
// Windows are fixed: an hourly window begins on the hour.
func (e *Env) Allow(ctx context.Context, limit Limit, subject string) (Allowance, error) {
	now := e.Now()
	start := now.Truncate(limit.Window)
	hits, allowed, err := e.Hit(ctx, limit, subject, start)
	if err != nil {
		return Allowance{}, fmt.Errorf("count a use of the limit %s: %w", limit.Name, err)
	}
	return e.allowance(limit, now, hits, allowed)
}

// Allows checks a rate limit as Allow does, without counting a use. Callers count later,
// only if the action fails.
func (e *Env) Allows(ctx context.Context, limit Limit, subject string) error {
	now := e.Now()
	window := e.rateWindow(limit, subject, now.Truncate(limit.Window))
	counted, err := e.DB.GetRateWindow(ctx, window.Scope, window.Window)
	if err != nil && !errors.Is(err, access.ErrNotFound) {
		return fmt.Errorf("look at the limit %s: %w", limit.Name, err)
	}
	_, err = e.allowance(limit, now, counted.Hits, counted.Hits < int64(limit.Most))
	return err
}

// allowance returns what is left of a limit, and the error if nothing is left.
func (e *Env) allowance(limit Limit, now time.Time, hits int64, allowed bool) (Allowance, error) {
	allowance := Allowance{Limit: limit, Reset: now.Truncate(limit.Window).Add(limit.Window)}
	allowance.Remaining = max(limit.Most-int(hits), 0)
	if allowance.Remaining == 0 {
		allowance.Wait = allowance.Reset.Sub(now)
	}
	if allowed {
		return allowance, nil
	}
	e.Count(MetricRateLimited, 1)
	return allowance, TooMany(limit, allowance.Reset, allowance.Wait,
		"This can be done %d times in %s. Try again in %s.", limit.Most, durationText(limit.Window), durationText(allowance.Wait))
}

// TooMany returns the refusal of a use that exceeds a limit.
func TooMany(limit Limit, reset time.Time, wait time.Duration, format string, args ...any) *refusal.Error {
	refused := refusal.New(refusal.TooMany, "", format, args...)
	refused.Wait = wait
	refused.Limit = &refusal.Limit{Name: limit.Name, Most: limit.Most, Window: limit.Window, Reset: reset}
	return refused
}

// rateWindow returns the counter of a limit for a subject. The subject is hashed because
// it may be an IP address, which is not stored.
func (e *Env) rateWindow(limit Limit, subject string, start time.Time) askahumandb.RateWindow {
	return askahumandb.RateWindow{
		Scope:  limit.Name + ":" + e.Box.Hash("limit", subject),
		Window: start.Format(time.RFC3339),
		TTL:    start.Add(limit.Window + time.Hour),
	}
}

// Hit counts a use in a window and returns the new count. A full window is not changed.
func (e *Env) Hit(ctx context.Context, limit Limit, subject string, start time.Time) (hits int64, allowed bool, err error) {
	window := e.rateWindow(limit, subject, start)
	counted, err := e.DB.CountHit(ctx, window.Key(), askahumandb.CountHitParams{Limit: int64(limit.Most), TTL: window.TTL})
	if Changed[askahumandb.RateWindow](err) { // the window is full
		return int64(limit.Most), false, nil
	}
	return counted.Hits, err == nil, err
}

// durationText formats a duration for people.
func durationText(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= unit.length {
			return counted((d+unit.length-1)/unit.length, unit.name)
		}
	}
	return counted((d+time.Second-1)/time.Second, "second")
}

func counted(n time.Duration, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}
