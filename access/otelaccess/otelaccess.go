// Package otelaccess reports the calls of generated code to OpenTelemetry: a span and a
// set of metrics for each. It sees whole calls of access patterns, not single requests;
// instrument the SDK's client for those. Programs call it when they open their database:
//
//	observer, err := otelaccess.New()
//	db := exambuddydb.New(client, access.WithObserver(observer))
//
// Names follow the semantic conventions for databases. The pattern is db.query.summary,
// and so the name of the span; the table is db.collection.name, the index
// aws.dynamodb.index_name, and the operation db.operation.name. These four are on every
// metric; a design has so many patterns, so their number is bounded. A Tx has the names of
// its patterns, each once, in the order they were added: as many as a program puts together
// differently. OpenTelemetry's SDK has a limit for that.
//
//	db.client.operation.duration     seconds of a call
//	sortkey.client.units             read or write units that calls took
//	sortkey.client.estimated_units   and what the design says they take
//	sortkey.client.requests          requests sent
//	sortkey.client.items             items read or written
//	sortkey.client.retries           requests sent again because DynamoDB was busy
//	sortkey.client.errors            calls that failed, by error.type
//
// A condition that did not hold and an item that is not there are answers: they are no
// error of the span and count as none. What DynamoDB called them is
// db.response.status_code, on the span and the duration.
package otelaccess

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"sortkey.dev/access"
)

const scope = "sortkey.dev/access/otelaccess"

// An Observer tells OpenTelemetry about calls. It is safe for use by many goroutines at
// once, and one serves any number of clients.
type Observer struct {
	tracer  trace.Tracer
	metrics *instruments
}

var _ access.Observer = (*Observer)(nil)

// An Option changes where an observer reports to.
type Option func(*providers)

type providers struct {
	meters  metric.MeterProvider
	tracers trace.TracerProvider
}

// WithMeterProvider reports metrics to a provider other than the global one.
func WithMeterProvider(p metric.MeterProvider) Option { return func(o *providers) { o.meters = p } }

// WithTracerProvider reports spans to a provider other than the global one.
func WithTracerProvider(p trace.TracerProvider) Option { return func(o *providers) { o.tracers = p } }

// New makes an observer. Without options it reports to the global providers of
// OpenTelemetry.
func New(options ...Option) (*Observer, error) {
	p := providers{meters: otel.GetMeterProvider(), tracers: otel.GetTracerProvider()}
	for _, option := range options {
		option(&p)
	}
	metrics, err := newInstruments(p.meters.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL)))
	if err != nil {
		return nil, fmt.Errorf("otelaccess: %w", err)
	}
	return &Observer{tracer: p.tracers.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)), metrics: metrics}, nil
}

// Observe reports one call.
func (o *Observer) Observe(ctx context.Context, call access.Call) {
	about := describe(call)
	outcome := outcomeOf(call.Err)
	o.metrics.record(ctx, call, about, outcome)
	o.span(ctx, call, about, outcome)
}

// span makes the span of a call that is over already, with the times it had.
func (o *Observer) span(ctx context.Context, call access.Call, about, outcome []attribute.KeyValue) {
	_, span := o.tracer.Start(ctx, call.Pattern, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithTimestamp(call.Start), trace.WithAttributes(about...))
	if span.IsRecording() {
		span.SetAttributes(outcome...)
		span.SetAttributes(
			attribute.Float64("sortkey.units", call.Units),
			attribute.Float64("sortkey.estimated_units", call.Estimated),
			attribute.Int("sortkey.requests", call.Requests),
			attribute.Int("sortkey.items", call.Items),
			attribute.Int("sortkey.retries", call.Retries),
		)
		if call.Err != nil && !access.Refused(call.Err) {
			span.SetStatus(codes.Error, call.Err.Error())
		}
	}
	span.End(trace.WithTimestamp(call.Start.Add(call.Duration)))
}

// describe says which call it was.
func describe(call access.Call) []attribute.KeyValue {
	about := make([]attribute.KeyValue, 0, 5)
	about = append(about,
		semconv.DBSystemNameAWSDynamoDB,
		semconv.DBQuerySummary(call.Pattern),
		semconv.DBOperationName(call.Operation),
		semconv.DBCollectionName(call.Table),
	)
	if call.Index != "" {
		about = append(about, semconv.AWSDynamoDBIndexName(call.Index))
	}
	return about
}

// outcomeOf says how a call ended, in a few words that come again.
func outcomeOf(err error) []attribute.KeyValue {
	if err == nil {
		return nil
	}
	var outcome []attribute.KeyValue
	var coded interface {
		error
		ErrorCode() string
	}
	code := ""
	if errors.As(err, &coded) {
		code = coded.ErrorCode()
		outcome = append(outcome, semconv.DBResponseStatusCode(code))
	}
	if access.Refused(err) {
		return outcome
	}
	return append(outcome, errorType(err, code))
}

func errorType(err error, code string) attribute.KeyValue {
	switch {
	case errors.Is(err, context.Canceled):
		return semconv.ErrorTypeKey.String("canceled")
	case errors.Is(err, context.DeadlineExceeded):
		return semconv.ErrorTypeKey.String("timeout")
	case code != "":
		return semconv.ErrorTypeKey.String(code)
	case errors.Is(err, access.ErrBadCursor):
		return semconv.ErrorTypeKey.String("bad_cursor")
	case errors.As(err, new(*access.KeyError)):
		return semconv.ErrorTypeKey.String("bad_key")
	case errors.As(err, new(*access.ValueError)), errors.As(err, new(*access.LifecycleError)):
		return semconv.ErrorTypeKey.String("bad_value")
	case errors.As(err, new(*access.DecodeError)), errors.As(err, new(*access.DoneError)):
		return semconv.ErrorTypeKey.String("bad_item")
	}
	return semconv.ErrorTypeOther
}
