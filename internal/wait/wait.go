// Package wait pauses until a time has passed or a context ends. Retries and polls use it; it
// decides neither how long to wait nor how often.
package wait

import (
	"context"
	"time"
)

// For waits for d. If ctx ends first, it returns the error of ctx.
func For(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
