package catalog

import (
	"cmp"
	"context"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// UpdateKinesisStreamingDestination changes the precision of the times in the records of a
// destination.
func (c *Catalog) UpdateKinesisStreamingDestination(ctx context.Context, req *request.UpdateKinesisStreamingDestination) (*dynamo.UpdateKinesisStreamingDestinationOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, err := c.find(req.Table)
	if err != nil {
		return nil, err
	}
	i := t.activeDestination(req.StreamARN)
	switch {
	case i < 0:
		return nil, invalidDestination("Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: %s, kdsArn: %s", t.Name(), req.StreamARN)
	case cmp.Or(t.Destinations[i].Precision, dynamo.PrecisionMillisecond) == req.Precision:
		return nil, dynamo.Invalid("Invalid Request: Precision is already set to the desired value of %s for tableId: %s, kdsArn: %s", req.Precision, t.UUID, req.StreamARN)
	}
	sink := c.sinks[t.SinkLog]
	sink.Precision = req.Precision
	rec := t.record
	rec.Destinations = slices.Clone(rec.Destinations)
	rec.Destinations[i].Precision = req.Precision
	if err := c.publishSink(ctx, t, rec, sink); err != nil {
		return nil, err
	}
	return &dynamo.UpdateKinesisStreamingDestinationOutput{
		DestinationStatus: dynamo.DestinationUpdating, StreamArn: &req.StreamARN, TableName: &t.Definition.Name,
		UpdateKinesisStreamingConfiguration: &dynamo.UpdateKinesisStreamingConfiguration{ApproximateCreationDateTimePrecision: req.Precision},
	}, nil
}
