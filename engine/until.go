package engine

import (
	"context"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

// WithUntil returns a context whose operations on items are not carried out at until or later, by the clock of the database: they
// fail with the code LateRequestException when they begin, and again when they would commit. Over HTTP the header X-Sortkey-Until says
// the same, in milliseconds of Unix time.
func WithUntil(ctx context.Context, until time.Time) context.Context {
	return dynamo.WithUntil(ctx, until)
}
