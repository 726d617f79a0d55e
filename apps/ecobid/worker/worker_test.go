package worker_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"sortkey.dev/apps/ecobid/ecobidtest"
	"sortkey.dev/apps/ecobid/worker"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/live"
)

// TestStreamDeliversEvents runs the loops of a worker on a real stream.
func TestStreamDeliversEvents(t *testing.T) {
	w := ecobidtest.Open(t)
	hub := new(live.Hub)
	background1, err := worker.New(worker.Options{
		Env: w.Env, Domain: w.Domain, Hub: hub, Streams: w.Database.Streams, DB: w.Database.DynamoDB, Poll: 5 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := background1.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	group, err := background.New(w.Env.Log, append(w.Env.Jobs.Loops(), background1.Loops()...)...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); group.Run(ctx) }()
	defer func() { cancel(); <-done }()

	anna, bert := w.Person(t, "Anna"), w.Person(t, "Bert")
	w.Confirmed(t, anna, bert)
	for !slices.Contains(w.Inbox(t, bert), "Confirmed: Oak table") || len(w.Inbox(t, anna)) != 1 {
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
		wait(t)
	}
	if titles := w.Inbox(t, bert); len(titles) != 1 {
		t.Errorf("Bert was told %q", titles)
	}
}

// wait lets other goroutines work for a moment.
func wait(t *testing.T) {
	timer := time.NewTimer(5 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}

func TestNewNeedsItsParts(t *testing.T) {
	if _, err := worker.New(worker.Options{}); err == nil {
		t.Error("a worker without parts")
	}
}
