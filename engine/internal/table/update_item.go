package table

import (
	"context"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// UpdateItem changes attributes of an item, and creates the item if it is missing, unless
// the update only removes attributes.
func (s *Tables) UpdateItem(ctx context.Context, req *request.UpdateItem) (*dynamo.UpdateItemOutput, error) {
	t, err := s.catalog.Enter(req.Table)
	if err != nil {
		return nil, err
	}
	defer t.Leave()
	if err := checkUpdate(t, req); err != nil {
		return nil, err
	}
	if req.Charge > dynamo.MaxItemSize {
		return nil, errUpdateTooLarge()
	}
	var updated dynamo.Item
	m := &mutation{
		table: t,
		key:   rowKey(t, req.Key),
		next: func(old dynamo.Item) (_ dynamo.Item, size int, err error) {
			updated, size, err = update(t, req, old)
			return updated, size, err
		},
		keepOld: req.Return == request.ReturnAllOld || req.Return == request.ReturnUpdatedOld,
	}
	if err := s.writeOne(ctx, m); err != nil {
		return nil, err
	}
	return m.output(&req.Write, req.Key, updateAttributes(req, m.old, updated)), nil
}

func checkUpdate(t *catalog.Table, req *request.UpdateItem) error {
	if err := checkKey(t, req.Key); err != nil {
		return err
	}
	if err := checkCondition(t, req.Condition); err != nil {
		return err
	}
	if req.Update == nil {
		return nil
	}
	schema := t.Key()
	for _, name := range req.Update.TopLevelNames() {
		if schema.Has(name) {
			return dynamo.Invalid("One or more parameter values were invalid: Cannot update attribute %s. This attribute is part of the key", name)
		}
	}
	return checkScalarKeys(t, req.Update.NestedNames())
}

// update computes the item after the update, and its size. It is nil if there
// is no item and the update creates none.
func update(t *catalog.Table, req *request.UpdateItem, old dynamo.Item) (after dynamo.Item, size int, err error) {
	if err := checkHolds(&req.Write, old); err != nil {
		return nil, 0, err
	}
	if old == nil && req.Update.OnlyRemoves() {
		return nil, 0, nil
	}
	before := old
	if before == nil {
		before = req.Key
	}
	if req.Update == nil {
		return before.Clone(), before.Size(), nil
	}
	if after, err = req.Update.Apply(before); err != nil {
		return nil, 0, err
	}
	if err := checkIndexKeys(t, after, req.Update); err != nil {
		return nil, 0, err
	}
	if after.Depth() > dynamo.MaxNesting {
		return nil, 0, dynamo.Invalid("%s", dynamo.FaultNesting.Text)
	}
	if size = after.Size(); size > dynamo.MaxItemSize {
		return nil, 0, errUpdateTooLarge()
	}
	return after, size, nil
}

func errUpdateTooLarge() error {
	return dynamo.Invalid("Item size to update has exceeded the maximum allowed size")
}

// updateAttributes returns the attributes that the request asks for.
func updateAttributes(req *request.UpdateItem, old, updated dynamo.Item) dynamo.Item {
	switch req.Return {
	case request.ReturnAllOld:
		return old
	case request.ReturnAllNew:
		return updated
	case request.ReturnUpdatedOld:
		return touched(req, old)
	case request.ReturnUpdatedNew:
		return touched(req, updated)
	}
	return nil
}

// touched returns the part of item that the update names, nil if it is empty.
func touched(req *request.UpdateItem, item dynamo.Item) dynamo.Item {
	if req.Update == nil || item == nil {
		return nil
	}
	part := req.Update.Touched(item)
	if part.Len() == 0 {
		return nil
	}
	return part
}
