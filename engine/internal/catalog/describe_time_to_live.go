package catalog

import (
	"context"

	"sortkey.dev/engine/internal/dynamo"
)

// DescribeTimeToLive reports whether the items of a table expire, and by which attribute.
func (c *Catalog) DescribeTimeToLive(_ context.Context, table string) (*dynamo.DescribeTimeToLiveOutput, error) {
	t, err := c.find(table)
	if err != nil {
		return nil, err
	}
	d := &dynamo.TimeToLiveDescription{TimeToLiveStatus: dynamo.ExpiryDisabled}
	if t.Expiry != nil {
		d.TimeToLiveStatus, d.AttributeName = dynamo.ExpiryEnabled, &t.Expiry.Attribute
	}
	return &dynamo.DescribeTimeToLiveOutput{TimeToLiveDescription: d}, nil
}
