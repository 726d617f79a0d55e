package table

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// DeleteItem deletes an item. Deleting what is not there succeeds.
func (s *Tables) DeleteItem(ctx context.Context, req *request.DeleteItem) (*dynamo.DeleteItemOutput, error) {
	t, err := s.lookup(req.Table)
	if err != nil {
		return nil, err
	}
	if err := checkKey(t, req.Key); err != nil {
		return nil, err
	}
	g := guard{req.Condition, req.ReturnOnFailure}
	if err := g.bind(t); err != nil {
		return nil, err
	}
	m := &mutation{
		table:   t,
		key:     rowKey(t, req.Key),
		next:    func(old dynamo.Item) (dynamo.Item, error) { return nil, g.check(old) },
		blind:   req.Condition == nil && req.Return == request.ReturnNone,
		keepOld: req.Return == request.ReturnAllOld,
		meter:   req.Capacity != request.CapacityNone,
	}
	if err := s.writeOne(ctx, m); err != nil {
		return nil, err
	}
	return &dynamo.DeleteItemOutput{
		Attributes:            m.old,
		ConsumedCapacity:      m.consumed(req.Table, req.Capacity),
		ItemCollectionMetrics: collectionMetrics(t, req.Key, req.Metrics),
	}, nil
}
