package table

import (
	"context"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// PutItem creates or replaces an item.
func (s *Tables) PutItem(ctx context.Context, req *request.PutItem) (*dynamo.PutItemOutput, error) {
	t, err := s.lookup(req.Table)
	if err != nil {
		return nil, err
	}
	if err := checkPut(t, req.Item); err != nil {
		return nil, err
	}
	g := guard{req.Condition, req.ReturnOnFailure}
	if err := g.bind(t); err != nil {
		return nil, err
	}
	m := &mutation{
		table:   t,
		key:     rowKey(t, req.Item),
		next:    func(old dynamo.Item) (dynamo.Item, error) { return req.Item, g.check(old) },
		blind:   req.Condition == nil && req.Return == request.ReturnNone,
		keepOld: req.Return == request.ReturnAllOld,
		meter:   req.Capacity != request.CapacityNone,
	}
	if err := s.writeOne(ctx, m); err != nil {
		return nil, err
	}
	return &dynamo.PutItemOutput{
		Attributes:            m.old,
		ConsumedCapacity:      m.consumed(req.Table, req.Capacity),
		ItemCollectionMetrics: collectionMetrics(t, req.Item, req.Metrics),
	}, nil
}

// checkPut checks an item that is to be put as it is.
func checkPut(t *catalog.Table, item dynamo.Item) error {
	if err := checkItemKey(t, item); err != nil {
		return err
	}
	return checkIndexKeys(t, item, nil)
}
