package dynamo

import (
	"context"
	"time"
)

type untilKey struct{}

// WithUntil returns a context whose requests are not carried out at until or later: not begun, and not committed.
func WithUntil(ctx context.Context, until time.Time) context.Context {
	return context.WithValue(ctx, untilKey{}, until)
}

// HasUntil reports whether the requests of a context may come too late.
func HasUntil(ctx context.Context) bool { return ctx.Value(untilKey{}) != nil }

// CheckUntil returns an error if a request comes too late to be carried out now. It is called when the request arrives, and again
// before it commits.
func CheckUntil(ctx context.Context, now func() time.Time) error {
	until, limited := ctx.Value(untilKey{}).(time.Time)
	if !limited {
		return nil
	}
	if late := now().Sub(until); late >= 0 {
		return Errorf(LateRequest, "The request was to be carried out before %s, which is %s ago; nothing was done", until.UTC().Format(time.RFC3339Nano), late)
	}
	return nil
}
