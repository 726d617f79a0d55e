package stream

import (
	"testing"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

// TestTheClockIsFoundInTheLogs reopens a store that was not closed cleanly.
func TestTheClockIsFoundInTheLogs(t *testing.T) {
	db := newDatabase(t)
	db.createTable("birds", dynamo.ViewNewImage)
	db.clock.advance(time.Hour)
	db.put("birds", "owl", 1, 1)
	later := db.clock.Now()
	db.clock.advance(-2 * time.Hour)
	again := openDatabase(t, db.store, db.clock)
	if got := again.catalog.Clock.Tick(); got.Before(noon) || !got.Before(later) {
		t.Fatalf("before the logs are read the clock shows %v", got)
	}
	if err := again.RecoverClock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := again.catalog.Clock.Tick(); !got.Equal(later) {
		t.Errorf("the clock shows %v, the newest record is of %v", got, later)
	}
}

// TestTheClockIsFoundBehindAGap recovers from a crash after which no record has the last number.
func TestTheClockIsFoundBehindAGap(t *testing.T) {
	db, store := watch(t)
	db.createTable("birds", dynamo.ViewNewImage)
	db.put("birds", "owl", 1, 5)
	db.clock.advance(time.Hour)
	db.put("birds", "owl", 6, 9)
	later := db.clock.Now()
	db.clock.advance(-2 * time.Hour)
	store.gap = 1000
	again := openDatabase(t, store, db.clock)
	if err := again.RecoverClock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := again.catalog.Clock.Tick(); !got.Equal(later) {
		t.Errorf("the clock shows %v, the newest record is of %v", got, later)
	}
}
