package otelaccess

import (
	"context"
	"errors"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"sortkey.dev/access"
)

// instruments are the metrics of an observer.
type instruments struct {
	duration                         metric.Float64Histogram
	units, estimated                 metric.Float64Counter
	requests, items, retries, errors metric.Int64Counter
}

func newInstruments(m metric.Meter) (*instruments, error) {
	var all instruments
	var errs [7]error
	all.duration, errs[0] = m.Float64Histogram("db.client.operation.duration",
		metric.WithDescription("Duration of database client operations."), metric.WithUnit("s"),
		// These are the bounds the conventions recommend.
		metric.WithExplicitBucketBoundaries(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10))
	all.units, errs[1] = m.Float64Counter("sortkey.client.units",
		metric.WithDescription("Read or write units that calls took."), metric.WithUnit("{unit}"))
	all.estimated, errs[2] = m.Float64Counter("sortkey.client.estimated_units",
		metric.WithDescription("Read or write units that the design says calls take."), metric.WithUnit("{unit}"))
	all.requests, errs[3] = m.Int64Counter("sortkey.client.requests",
		metric.WithDescription("Requests sent to DynamoDB."), metric.WithUnit("{request}"))
	all.items, errs[4] = m.Int64Counter("sortkey.client.items",
		metric.WithDescription("Items read or written."), metric.WithUnit("{item}"))
	all.retries, errs[5] = m.Int64Counter("sortkey.client.retries",
		metric.WithDescription("Requests sent again because DynamoDB was busy."), metric.WithUnit("{request}"))
	all.errors, errs[6] = m.Int64Counter("sortkey.client.errors",
		metric.WithDescription("Calls that failed."), metric.WithUnit("{call}"))
	return &all, errors.Join(errs[:]...)
}

func (i *instruments) record(ctx context.Context, call access.Call, about, outcome []attribute.KeyValue) {
	same := metric.WithAttributeSet(attribute.NewSet(about...))
	whole := same
	if len(outcome) > 0 {
		whole = metric.WithAttributeSet(attribute.NewSet(slices.Concat(about, outcome)...))
	}
	i.duration.Record(ctx, call.Duration.Seconds(), whole)
	i.requests.Add(ctx, int64(call.Requests), same)
	i.items.Add(ctx, int64(call.Items), same)
	i.retries.Add(ctx, int64(call.Retries), same)
	// A call that DynamoDB did not tell the units of would pull the ratio of both down.
	if call.Units > 0 {
		i.units.Add(ctx, call.Units, same)
		i.estimated.Add(ctx, call.Estimated, same)
	}
	if call.Err != nil && !access.Refused(call.Err) {
		i.errors.Add(ctx, 1, whole)
	}
}
