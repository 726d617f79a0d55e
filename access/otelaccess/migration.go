package otelaccess

import (
	"context"
	"errors"
	"fmt"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"sortkey.dev/access/migrate"
)

// A Migration reports how far a migration is to OpenTelemetry, as gauges with the attributes sortkey.migration, sortkey.step and
// sortkey.part:
//
//	sortkey.migration.items       items of the step up to now
//	sortkey.migration.expected    and as many as the plan expects
//	sortkey.migration.conflicts   items that cannot get their part
//	sortkey.migration.differing   items whose part is not right
//	sortkey.migration.units       read or write units of the whole migration
//	sortkey.migration.rate        read or write units a second, now
//	sortkey.migration.spent       dollars
//	sortkey.migration.left        seconds until the step ends
//	sortkey.migration.paused      1 while the run is paused
type Migration struct {
	items, expected, conflicts, differing, paused metric.Int64Gauge
	units, rate, spent, left                      metric.Float64Gauge
}

// NewMigration makes an observer of migrations. Give its method Observe to the runner as migrate.Options.Progress.
func NewMigration(options ...Option) (*Migration, error) {
	p := providers{meters: otel.GetMeterProvider()}
	for _, option := range options {
		option(&p)
	}
	meter := p.meters.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL))
	var m Migration
	var errs []error
	count := func(name, unit, description string) metric.Int64Gauge {
		g, err := meter.Int64Gauge("sortkey.migration."+name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		return g
	}
	amount := func(name, unit, description string) metric.Float64Gauge {
		g, err := meter.Float64Gauge("sortkey.migration."+name, metric.WithUnit(unit), metric.WithDescription(description))
		errs = append(errs, err)
		return g
	}
	m.items = count("items", "{item}", "Items that the step has looked at.")
	m.expected = count("expected", "{item}", "Items that the plan expects.")
	m.conflicts = count("conflicts", "{item}", "Items that cannot get their part.")
	m.differing = count("differing", "{item}", "Items whose part is not right.")
	m.paused = count("paused", "{run}", "1 while the run is paused.")
	m.units = amount("units", "{unit}", "Read or write units of the migration.")
	m.rate = amount("rate", "{unit}/s", "Read or write units a second.")
	m.spent = amount("spent", "USD", "Dollars that the units cost.")
	m.left = amount("left", "s", "Seconds until the step ends.")
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("otelaccess: %w", err)
	}
	return &m, nil
}

// Observe reports a status.
func (m *Migration) Observe(s migrate.Status) {
	ctx := context.Background()
	about := []attribute.KeyValue{attribute.String("sortkey.migration", s.Migration), attribute.String("sortkey.step", s.Step), attribute.String("sortkey.part", s.Part)}
	of := func(more ...attribute.KeyValue) metric.MeasurementOption {
		return metric.WithAttributeSet(attribute.NewSet(append(about[:len(about):len(about)], more...)...))
	}
	step, whole := of(), metric.WithAttributeSet(attribute.NewSet(about[0]))
	m.items.Record(ctx, s.Seen, step)
	m.expected.Record(ctx, s.Items, step)
	m.conflicts.Record(ctx, s.Conflicts, step)
	m.differing.Record(ctx, s.Differing, step)
	m.left.Record(ctx, s.Left.Seconds(), step)
	m.spent.Record(ctx, s.Spent, whole)
	paused := int64(0)
	if s.Paused != "" {
		paused = 1
	}
	m.paused.Record(ctx, paused, whole)
	for kind, is := range map[string]struct{ units, rate float64 }{"read": {s.Reads, s.ReadsNow}, "write": {s.Writes, s.WritesNow}} {
		set := metric.WithAttributeSet(attribute.NewSet(about[0], attribute.String("sortkey.unit", kind)))
		m.units.Record(ctx, is.units, set)
		m.rate.Record(ctx, is.rate, set)
	}
}
