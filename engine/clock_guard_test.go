package engine

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/engine/internal/rowformat"
)

// openAt opens a database in memory.
func openAt(t *testing.T, o Options) *DB {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	db, err := Open("", &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func putEvent(t *testing.T, db *DB, id string) {
	t.Helper()
	_, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: new("events"), Item: map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: id}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// newestRecord returns the time of the newest record of the events' stream.
func newestRecord(t *testing.T, db *DB) (newest time.Time) {
	t.Helper()
	for _, shard := range db.api.ops.catalog.Lookup("events").Stream.Shards {
		err := db.store.ReadLog(t.Context(), shard.Log, 0, func(_ uint64, raw []byte) bool {
			change, err := rowformat.ParseChange(raw)
			if err != nil {
				t.Error(err)
			}
			if change.Time.After(newest) {
				newest = change.Time
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return newest
}

// TestOneWrongReadingOfTheClockDatesNothing lets Options.Now be a year ahead for one call, for each
// of the calls of a test.
func TestOneWrongReadingOfTheClockDatesNothing(t *testing.T) {
	for wrong, reading := 0, 1; wrong < reading; wrong++ {
		reading = 0
		db := openAt(t, Options{ExpiryInterval: time.Hour, Now: func() time.Time {
			now := newYear.Add(time.Duration(reading) * time.Millisecond)
			if reading++; reading == wrong+1 {
				now = now.AddDate(1, 0, 0)
			}
			return now
		}})
		createEvents(t, db)
		for _, id := range []string{"a", "b", "c"} {
			putEvent(t, db, id)
		}
		if got := newestRecord(t, db).Sub(newYear); got < 0 || got > time.Minute {
			t.Fatalf("reading %d of %d is wrong: a record is dated %v after the start", wrong, reading, got)
		}
		if got := db.ClockState().Newest.Sub(newYear); got < 0 || got > time.Minute {
			t.Fatalf("reading %d of %d is wrong: the newest time is %v after the start", wrong, reading, got)
		}
	}
}

func TestAManualClockIsFollowedAtOnce(t *testing.T) {
	clock := NewClock(newYear)
	db := openAt(t, Options{Clock: clock})
	createEvents(t, db)
	for _, d := range []time.Duration{0, time.Millisecond, time.Hour, 365 * 24 * time.Hour} {
		clock.Set(newYear.Add(d))
		putEvent(t, db, "a "+d.String())
		if got := newestRecord(t, db).Sub(newYear); got != d {
			t.Errorf("a record is dated %v after the start, want %v", got, d)
		}
	}
}

// TestTimesAheadOfTheClockAreReported sets the clock back by a year, and opens the database again.
func TestTimesAheadOfTheClockAreReported(t *testing.T) {
	clock, disk := NewClock(newYear.AddDate(1, 0, 0)), vfs.NewMem()
	var log strings.Builder
	start := func() *DB {
		store, err := pebblekv.Open("db", &pebblekv.Options{FS: disk, CacheBytes: 1 << 20, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		o := &Options{Clock: clock, Logger: slog.New(slog.NewTextHandler(&log, nil))}
		db, err := open(store, o.withDefaults())
		if err != nil {
			t.Fatal(err)
		}
		return db
	}
	health := func(db *DB) string {
		answer := httptest.NewRecorder()
		db.ServeHTTP(answer, httptest.NewRequest("GET", "/", nil))
		body, err := io.ReadAll(answer.Result().Body)
		if err != nil || answer.Code != 200 || !strings.HasPrefix(string(body), "healthy: dynamodb.us-east-1.amazonaws.com ") {
			t.Errorf("a health check: status %d, %q, error %v", answer.Code, body, err)
		}
		return string(body)
	}
	const warning = "\nwarning: the newest time in the database, 2027-01-01T00:00:00Z, is ahead of the clock by 8760h0m0s: if the date of the machine is wrong, set it; "
	db := start()
	createEvents(t, db)
	putEvent(t, db, "a")
	if got := health(db); strings.Contains(got, "warning") || log.Len() > 0 {
		t.Errorf("while the clock is right: %q, log %s", got, &log)
	}
	clock.Set(newYear)
	if got := health(db); !strings.Contains(got, warning) {
		t.Errorf("when the clock was set back: %q", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = start()
	defer db.Close()
	if got := health(db); !strings.Contains(got, warning) || !strings.Contains(log.String(), "the newest time in the database is ahead of the clock") {
		t.Errorf("after a start: %q, log %s", got, &log)
	}
	clock.Set(newYear.AddDate(1, 0, 0))
	if got := health(db); strings.Contains(got, "warning") {
		t.Errorf("when the clock has caught up: %q", got)
	}
}

// A countedClock counts the readings of a clock.
type countedClock struct {
	Clock
	readings atomic.Int64
}

func (c *countedClock) Now() time.Time {
	c.readings.Add(1)
	return c.Clock.Now()
}

// TestRequestsHardlyReadTheClock keeps the cost of the clock away from requests: only the date of a
// stream record needs it.
func TestRequestsHardlyReadTheClock(t *testing.T) {
	for _, withStream := range []bool{false, true} {
		clock := &countedClock{Clock: NewClock(newYear)}
		db := openAt(t, Options{Clock: clock})
		createEvents(t, db)
		if !withStream {
			_, err := db.API().UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
				TableName: new("events"), StreamSpecification: &types.StreamSpecification{StreamEnabled: new(false)},
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		before := clock.readings.Load()
		putEvent(t, db, "a")
		puts := clock.readings.Load() - before
		_, err := db.API().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: new("events"), Key: map[string]types.AttributeValue{"id": str("a")}})
		if err != nil {
			t.Fatal(err)
		}
		gets := clock.readings.Load() - before - puts
		if puts > 1 || puts == 1 && !withStream || gets > 0 {
			t.Errorf("with a stream: %v: the clock was read %d times by a put and %d times by a get", withStream, puts, gets)
		}
	}
}
