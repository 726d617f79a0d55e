package otelaccess_test

import (
	"context"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"sortkey.dev/access/migrate"
	"sortkey.dev/access/otelaccess"
)

// TestMigration reports a status as gauges.
func TestMigration(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	observer, err := otelaccess.NewMigration(otelaccess.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))))
	if err != nil {
		t.Fatal(err)
	}
	observer.Observe(migrate.Status{
		Migration: "0002-titles", Step: "fill", Part: "Task", Seen: 61, Items: 100, Conflicts: 2, Differing: 1, Paused: "lunch",
		Reads: 5, Writes: 300, WritesNow: 42, Spent: 1.5, Left: 3 * time.Minute,
	})
	var data metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &data); err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	put := func(name string, set attribute.Set, v float64) {
		got[name+" "+set.Encoded(attribute.DefaultEncoder())] = v
	}
	for _, scope := range data.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch gauge := m.Data.(type) {
			case metricdata.Gauge[int64]:
				for _, p := range gauge.DataPoints {
					put(m.Name, p.Attributes, float64(p.Value))
				}
			case metricdata.Gauge[float64]:
				for _, p := range gauge.DataPoints {
					put(m.Name, p.Attributes, p.Value)
				}
			}
		}
	}
	const step = "sortkey.migration=0002-titles,sortkey.part=Task,sortkey.step=fill"
	for name, want := range map[string]float64{
		"sortkey.migration.items " + step: 61, "sortkey.migration.expected " + step: 100, "sortkey.migration.conflicts " + step: 2,
		"sortkey.migration.differing " + step: 1, "sortkey.migration.left " + step: 180,
		"sortkey.migration.spent sortkey.migration=0002-titles": 1.5, "sortkey.migration.paused sortkey.migration=0002-titles": 1,
		"sortkey.migration.units sortkey.migration=0002-titles,sortkey.unit=write": 300,
		"sortkey.migration.rate sortkey.migration=0002-titles,sortkey.unit=write":  42,
		"sortkey.migration.units sortkey.migration=0002-titles,sortkey.unit=read":  5,
	} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}
