package call

import (
	"context"
	"errors"

	"sortkey.dev/access"
)

// InPhase runs a call that a migration affects: do gets a client that Begin returned, whose phase chooses the statements. If another
// epoch begins before do has changed anything, it is run again in the new one.
func InPhase(ctx context.Context, c *access.Client, do func(*access.Client) error) error {
	_, err := ValueInPhase(ctx, c, func(c *access.Client) (struct{}, error) { return struct{}{}, do(c) })
	return err
}

// ValueInPhase is InPhase for a call that returns a value.
func ValueInPhase[T any](ctx context.Context, c *access.Client, do func(*access.Client) (T, error)) (T, error) {
	for {
		begun, err := c.Begin(ctx)
		if err != nil {
			var none T
			return none, err
		}
		if value, err := do(begun); !mayBeginAgain(err) || ctx.Err() != nil {
			return value, err
		}
	}
}

// mayBeginAgain reports whether a call failed only because another epoch has begun, and has changed nothing.
func mayBeginAgain(err error) bool {
	if !access.Overtaken(err) {
		return false
	}
	batch, ok := errors.AsType[*access.BatchError](err)
	return !ok || len(batch.Left) == batch.Of
}

// readInPhase is ValueInPhase for a call that only reads: it may begin again whatever was sent.
func readInPhase[T any](ctx context.Context, c *access.Client, do func(*access.Client) (T, error)) (T, error) {
	for {
		value, err := ValueInPhase(ctx, c, do)
		if !mayReadAgain(err) || ctx.Err() != nil {
			return value, err
		}
	}
}

// mayReadAgain reports whether a read failed only because another epoch has begun.
func mayReadAgain(err error) bool {
	fenced, is := errors.AsType[*access.FencedError](err)
	return is && fenced.Overtaken
}
