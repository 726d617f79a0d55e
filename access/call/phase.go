package call

import (
	"context"
	"errors"

	"sortkey.dev/access"
)

// InPhase calls a function with a client of the present phase of the migration, for a pattern that the migration
// affects. If the phase changes before the function has changed anything, InPhase calls it again.
func InPhase[T any](ctx context.Context, c *access.Client, do func(c *access.Client) (T, error)) (T, error) {
	for {
		begun, err := c.Begin(ctx)
		if err != nil {
			var none T
			return none, err
		}
		result, err := do(begun)
		if !mayBeginAgain(err) {
			return result, err
		}
	}
}

// DoInPhase is InPhase for a function without a result.
func DoInPhase(ctx context.Context, c *access.Client, do func(c *access.Client) error) error {
	_, err := InPhase(ctx, c, func(c *access.Client) (struct{}, error) { return struct{}{}, do(c) })
	return err
}

// mayBeginAgain reports whether a call failed only because the phase has changed, and has changed nothing.
func mayBeginAgain(err error) bool {
	if !access.Overtaken(err) {
		return false
	}
	batch, ok := errors.AsType[*access.BatchError](err)
	return !ok || len(batch.Left) == batch.Of
}
