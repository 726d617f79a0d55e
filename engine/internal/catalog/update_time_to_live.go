package catalog

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
)

// UpdateTimeToLive enables or disables the expiry of a table's items. After it was enabled,
// the expiry rows of existing items must still be built: see [Catalog.ExpiryBuilt].
func (c *Catalog) UpdateTimeToLive(ctx context.Context, req *request.UpdateTimeToLive) (*dynamo.UpdateTimeToLiveOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old, err := c.find(req.Table)
	if err != nil {
		return nil, err
	}
	if err := checkExpiryChange(old, req); err != nil {
		return nil, err
	}
	if req.Enabled {
		err = c.enableExpiry(ctx, old, req.Attribute)
	} else {
		err = c.disableExpiry(ctx, old)
	}
	if err != nil {
		return nil, err
	}
	return &dynamo.UpdateTimeToLiveOutput{
		TimeToLiveSpecification: &dynamo.TimeToLiveSpecification{AttributeName: &req.Attribute, Enabled: &req.Enabled},
	}, nil
}

func checkExpiryChange(t *Table, req *request.UpdateTimeToLive) error {
	switch {
	case t.Expiry == nil && !req.Enabled:
		return dynamo.Invalid("TimeToLive is already disabled")
	case t.Expiry == nil:
		return nil
	case t.Expiry.Attribute != req.Attribute:
		return dynamo.Invalid("TimeToLive is active on a different AttributeName: current AttributeName is %s", t.Expiry.Attribute)
	case req.Enabled:
		return dynamo.Invalid("TimeToLive is already enabled")
	}
	return nil
}

func (c *Catalog) enableExpiry(ctx context.Context, old *Table, attribute string) error {
	rec := old.record
	rec.Expiry = expiry{Attribute: attribute, PathID: rec.takePathID(), Building: true}
	_, err := c.publish(ctx, old, rec, nil)
	return err
}

func (c *Catalog) disableExpiry(ctx context.Context, old *Table) error {
	rec := old.record
	rec.Expiry = expiry{}
	path := old.Expiry.Path
	_, err := c.publish(ctx, old, rec, func(tx kv.Txn) error { return endBuild(tx, path) })
	if err != nil {
		return err
	}
	return c.finishDrop(ctx, path)
}
