package ecobid

import (
	"context"
	"fmt"
)

// Apart reports whether one of two people has blocked the other. It is false if one of the ids is "". It asks
// the keys of the viewer only, because many people may look at the items of one seller at a time.
func (e *Env) Apart(ctx context.Context, viewer, other string) (bool, error) {
	if viewer == other || other == "" {
		return false, nil
	}
	hidden, err := e.Hidden(ctx, viewer)
	return hidden[other], err
}

// Hidden returns the people whose items a person does not see: those whom the person has blocked, and those
// who have blocked the person. It is empty for visitors who are not signed in.
func (e *Env) Hidden(ctx context.Context, viewer string) (map[string]bool, error) {
	hidden := map[string]bool{}
	if viewer == "" {
		return hidden, nil
	}
	for block, err := range e.DB.ListBlocks(viewer).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list blocked people: %w", err)
		}
		hidden[block.BlockedID] = true
	}
	for block, err := range e.DB.ListBlockers(viewer).All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list people who have blocked a person: %w", err)
		}
		hidden[block.UserID] = true
	}
	return hidden, nil
}
