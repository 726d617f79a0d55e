package call

import (
	"context"

	"sortkey.dev/access"
)

// InPhase runs a call that a migration affects: do gets a client that Begin returned, whose phase chooses the statements. If another
// epoch begins before do has sent anything, it is run again in the new one.
func InPhase(ctx context.Context, c *access.Client, do func(*access.Client) error) error {
	for {
		begun, err := c.Begin(ctx)
		if err != nil {
			return err
		}
		if err := do(begun); !access.Overtaken(err) || ctx.Err() != nil {
			return err
		}
	}
}
