package catalog

import (
	"context"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// DisableKinesisStreamingDestination disables a destination. Earlier changes are still delivered.
func (c *Catalog) DisableKinesisStreamingDestination(ctx context.Context, req *request.DisableKinesisStreamingDestination) (*dynamo.DisableKinesisStreamingDestinationOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, err := c.find(req.Table)
	if err != nil {
		return nil, err
	}
	i := t.activeDestination(req.StreamARN)
	if i < 0 {
		return nil, invalidDestination("KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.")
	}
	sink := c.sinks[t.SinkLog]
	sink.Closed = true
	rec := t.record
	rec.Destinations = slices.Clone(rec.Destinations)
	rec.Destinations[i] = destination{StreamARN: req.StreamARN, Status: dynamo.DestinationDisabled}
	if err := c.publishSink(ctx, t, rec, sink); err != nil {
		return nil, err
	}
	return &dynamo.DisableKinesisStreamingDestinationOutput{
		DestinationStatus: dynamo.DestinationDisabling, StreamArn: &req.StreamARN, TableName: &t.Definition.Name,
	}, nil
}
