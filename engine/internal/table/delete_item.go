package table

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// DeleteItem deletes an item. Deleting a missing item succeeds.
func (s *Tables) DeleteItem(ctx context.Context, req *request.DeleteItem) (*dynamo.DeleteItemOutput, error) {
	t, err := s.catalog.Enter(req.Table)
	if err != nil {
		return nil, err
	}
	defer t.Leave()
	if err := checkKey(t, req.Key); err != nil {
		return nil, err
	}
	return s.replace(ctx, t, &req.Write, req.Key, nil, 0)
}
