package ecobid

import (
	"context"
	"fmt"

	"sortkey.dev/apps/ecobid/ecobiddb"
)

// Apart reports whether one of two people has blocked the other. It is false if one of the ids is "". It reads the
// keys of both blocks, so that it does not depend on how many others have blocked one of them.
func (e *Env) Apart(ctx context.Context, viewer, other string) (bool, error) {
	if viewer == other || viewer == "" || other == "" {
		return false, nil
	}
	blocks, err := e.DB.GetBlockBatch(ctx, []ecobiddb.BlockKey{{UserID: viewer, BlockedID: other}, {UserID: other, BlockedID: viewer}})
	if err != nil {
		return false, fmt.Errorf("read the blocks between two people: %w", err)
	}
	return len(blocks) > 0, nil
}

// Hidden returns the people whose items a person does not see: those whom the person has blocked, and those
// who have blocked the person. It is empty for visitors who are not signed in.
func (e *Env) Hidden(ctx context.Context, viewer string) (map[string]bool, error) {
	hidden := map[string]bool{}
	if viewer == "" {
		return hidden, nil
	}
	for block, err := range e.DB.ListBlocks(viewer).Limit(0).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list blocked people: %w", err)
		}
		hidden[block.BlockedID] = true
	}
	for block, err := range e.DB.ListBlockers(viewer).Limit(0).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list people who have blocked a person: %w", err)
		}
		hidden[block.UserID] = true
	}
	return hidden, nil
}
