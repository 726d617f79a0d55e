package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// fakeBuilder builds its index when a writer has written.
type fakeBuilder struct {
	writes  atomic.Int64
	wrote   chan struct{}
	builds  int
	closed  int
	failure error
}

func (f *fakeBuilder) name() string                            { return "fake" }
func (f *fakeBuilder) caller(workload, uint64) (caller, error) { return f, nil }
func (f *fakeBuilder) close() error                            { f.closed++; return nil }
func (f *fakeBuilder) drop() error                             { return nil }
func (f *fakeBuilder) check() error                            { return f.failure }

func (f *fakeBuilder) do(bool) error {
	f.writes.Add(1)
	select {
	case f.wrote <- struct{}{}:
	default:
	}
	return nil
}

func (f *fakeBuilder) build() error {
	f.builds++
	for range 3 {
		<-f.wrote
	}
	return nil
}

func TestBackfillIsMeasuredWithAWriter(t *testing.T) {
	f := &fakeBuilder{wrote: make(chan struct{})}
	built, written, err := measureBackfill(context.Background(), []indexBuilder{f}, backfillWorkloads[1], 1000, 2)
	if err != nil {
		t.Fatal(err)
	}
	if b := built[0]; f.builds != 2 || b.ops != 2000 || len(b.rates) != 2 || b.rates[0] <= 0 || b.lat.total != 2 {
		t.Errorf("built %d times: %d items, rates %v", f.builds, b.ops, b.rates)
	}
	if w := written[0]; w.ops < 6 || int64(w.ops) != f.writes.Load() || int(w.lat.total) != w.ops || len(w.rates) != 2 || f.closed != 2 {
		t.Errorf("%d writes counted of %d, rates %v, %d writers closed", w.ops, f.writes.Load(), w.rates, f.closed)
	}
	f.failure = errors.New("an entry is missing")
	if _, _, err := measureBackfill(context.Background(), []indexBuilder{f}, backfillWorkloads[1], 1000, 1); !errors.Is(err, f.failure) {
		t.Errorf("got %v", err)
	}
}

// quickBuilder is done before anybody can write.
type quickBuilder struct{ *fakeBuilder }

func (quickBuilder) build() error { return nil }

func TestWriterOfAQuickBackfillHasARate(t *testing.T) {
	const rounds = 100
	f := quickBuilder{&fakeBuilder{}}
	_, written, err := measureBackfill(context.Background(), []indexBuilder{f}, backfillWorkloads[1], 1000, rounds)
	if err != nil {
		t.Fatal(err)
	}
	w := written[0]
	if len(w.rates) != rounds || slices.Min(w.rates) <= 0 || w.ops < rounds || int64(w.ops) != f.writes.Load() || int(w.lat.total) != w.ops {
		t.Errorf("%d writes counted of %d, rates %v", w.ops, f.writes.Load(), w.rates)
	}
}

// TestEngineBuildsTheIndex adds the index, drops it and adds it again.
func TestEngineBuildsTheIndex(t *testing.T) {
	db := loadedEngine(t)
	b := &engineBuilder{jsonDoor: jsonDoor{&engines{synced: db, run: testRun}}, dataset: lateIndex, poster: &handlerPoster{handler: db}}
	for range 2 {
		if err := errors.Join(b.build(), b.check()); err != nil {
			t.Fatal(err)
		}
		short := *b
		short.engines = &engines{synced: db, run: testRun}
		short.run.items++
		if err := short.check(); err == nil || !strings.Contains(err.Error(), "200 entries for 201 items") {
			t.Errorf("a missing entry: %v", err)
		}
		if err := b.drop(); err != nil {
			t.Fatal(err)
		}
	}
}
