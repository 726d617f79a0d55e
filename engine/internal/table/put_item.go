package table

import (
	"context"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// PutItem creates or replaces an item.
func (s *Tables) PutItem(ctx context.Context, req *request.PutItem) (*dynamo.PutItemOutput, error) {
	t, err := s.catalog.Enter(req.Table)
	if err != nil {
		return nil, err
	}
	defer t.Leave()
	if err := checkPut(t, req.Item); err != nil {
		return nil, err
	}
	return s.replace(ctx, t, &req.Write, req.Item, req.Item, req.Size)
}

// checkPut checks an item to put.
func checkPut(t *catalog.Table, item dynamo.Item) error {
	if err := checkItemKey(t, item); err != nil {
		return err
	}
	return checkIndexKeys(t, item, nil)
}
