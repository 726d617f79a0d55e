package catalog

import (
	"context"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
)

// A destination is the stored state of a Kinesis destination of a table.
type destination struct {
	StreamARN   string
	Status      string // ACTIVE, DISABLED or ENABLE_FAILED
	Description string `json:",omitempty"` // why it failed
	Precision   string `json:",omitempty"` // empty: never set
	Log         uint32 `json:",omitempty"` // of the sink, if it is active
}

// EnableKinesisStreamingDestination starts the delivery of the changes of a table to a Kinesis
// stream, or records the reason why it cannot. The change is effective when it returns; the
// response says ENABLING, like DynamoDB's.
func (c *Catalog) EnableKinesisStreamingDestination(ctx context.Context, req *request.EnableKinesisStreamingDestination, reason string) (*dynamo.EnableKinesisStreamingDestinationOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, err := c.find(req.Table)
	if err != nil {
		return nil, err
	}
	if t.SinkLog != 0 {
		return nil, invalidDestination("EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.")
	}
	next := destination{StreamARN: req.StreamARN, Status: dynamo.DestinationEnableFailed, Description: reason, Precision: req.Precision}
	if reason == "" {
		next.Status, next.Log = dynamo.DestinationActive, c.nextLog
		c.nextLog++
	}
	rec := t.record
	rec.Destinations = slices.DeleteFunc(slices.Clone(rec.Destinations), func(d destination) bool { return d.StreamARN == req.StreamARN })
	rec.Destinations = slices.Insert(rec.Destinations, 0, next)
	if err := c.publishSink(ctx, t, rec, Sink{Log: next.Log, Table: t.Name(), StreamARN: req.StreamARN, Precision: req.Precision}); err != nil {
		return nil, err
	}
	return &dynamo.EnableKinesisStreamingDestinationOutput{
		DestinationStatus:                   dynamo.DestinationEnabling,
		EnableKinesisStreamingConfiguration: &dynamo.EnableKinesisStreamingConfiguration{ApproximateCreationDateTimePrecision: req.Precision},
		StreamArn:                           &req.StreamARN, TableName: &t.Definition.Name,
	}, nil
}

func invalidDestination(format string, args ...any) error {
	return dynamo.Invalid("Table is not in a valid state to enable Kinesis Streaming Destination: "+format, args...)
}

// publishSink is publish for a table together with its sink, whose log is 0 if there is
// none. The caller holds mu.
func (c *Catalog) publishSink(ctx context.Context, t *Table, rec record, sink Sink) error {
	_, err := c.publish(ctx, t, rec, func(tx kv.Txn) error {
		if sink.Log == 0 {
			return nil
		}
		if err := setRow(tx, nextLogRow, c.nextLog); err != nil {
			return err
		}
		return setRow(tx, sinkRow(sink.Log), sink)
	})
	if err == nil && sink.Log != 0 {
		c.keepSink(sink)
	}
	return err
}

// activeDestination returns the index of the active destination for a stream, or -1.
func (t *Table) activeDestination(streamARN string) int {
	return slices.IndexFunc(t.Destinations, func(d destination) bool {
		return d.StreamARN == streamARN && d.Status == dynamo.DestinationActive
	})
}
