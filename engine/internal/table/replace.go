package table

import (
	"context"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// replace executes a put or a delete: it replaces the item with the checked key, which
// may have other attributes too, with item, of the given size; nil deletes it.
func (s *Tables) replace(ctx context.Context, t *catalog.Table, req *request.Write, key, item dynamo.Item, size int) (*dynamo.WriteOutput, error) {
	if err := checkCondition(t, req.Condition); err != nil {
		return nil, err
	}
	m := &mutation{
		table:   t,
		key:     rowKey(t, key),
		next:    func(old dynamo.Item) (dynamo.Item, int, error) { return item, size, checkHolds(req, old) },
		keepOld: req.Return == request.ReturnAllOld,
	}
	if err := s.writeOne(ctx, m); err != nil {
		return nil, err
	}
	return m.output(req, key, m.old), nil
}
