package engine

import (
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/clock"
)

// A computer is a clock of a machine that a test sets. Its jobs run when the test calls sweep.
type computer struct {
	*clock.Machine
	wall   time.Time
	passed time.Duration
}

func (c *computer) AfterFunc(time.Duration, func()) (stop func() bool) {
	return func() bool { return true }
}

func newComputer() *computer {
	c := &computer{wall: newYear}
	c.Machine = clock.NewMachineOf(clock.Source{
		Now:  func() (time.Time, time.Duration) { return c.wall, c.passed },
		Boot: func() time.Duration { return c.passed },
	}, slog.New(slog.DiscardHandler))
	return c
}

func (c *computer) run(d time.Duration) { c.wall, c.passed = c.wall.Add(d), c.passed+d }

// putExpiring writes an item that expires at a time.
func putExpiring(t *testing.T, db *DB, id string, at time.Time) {
	t.Helper()
	_, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("events"), Item: map[string]types.AttributeValue{
		"id": str(id), "until": &types.AttributeValueMemberN{Value: strconv.FormatInt(at.Unix(), 10)},
	}})
	if err != nil {
		t.Fatal(err)
	}
}

// createExpiring creates the table of events with a time to live.
func createExpiring(t *testing.T, db *DB) {
	t.Helper()
	createEvents(t, db)
	_, err := db.API().UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: new("events"), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: new("until"), Enabled: new(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// ids returns the ids of all events.
func ids(t *testing.T, db *DB) string {
	t.Helper()
	out, err := db.API().Scan(t.Context(), &dynamodb.ScanInput{TableName: new("events")})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, item := range out.Items {
		all[item["id"].(*types.AttributeValueMemberS).Value] = true
	}
	var sorted []string
	for _, id := range []string{"a", "b", "c"} {
		if all[id] {
			sorted = append(sorted, id)
		}
	}
	return strings.Join(sorted, " ")
}

// TestAJumpOfTheMachinesClockExpiresNothing sets the clock of a machine ahead by a year for half
// a minute, and then for longer.
func TestAJumpOfTheMachinesClockExpiresNothing(t *testing.T) {
	machine := newComputer()
	db := openAt(t, Options{Clock: machine})
	createExpiring(t, db)
	putExpiring(t, db, "a", newYear.AddDate(0, 1, 0))
	sweep := func() {
		t.Helper()
		if _, err := db.api.ops.tables.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	machine.wall = machine.wall.AddDate(1, 0, 0)
	for range 3 {
		sweep()
		putEvent(t, db, "b")
		putEvent(t, db, "c")
		machine.run(10 * time.Second)
	}
	if got := ids(t, db); got != "a b c" {
		t.Errorf("after half a minute a year ahead there are %q, want a b c", got)
	}
	if got := newestRecord(t, db).Sub(newYear); got > time.Minute {
		t.Errorf("after half a minute a year ahead a record is dated %v after the start", got)
	}
	if state := db.ClockState(); state.Steps != 1 || state.Pending != 365*24*time.Hour || len(db.Warnings()) != 1 || !strings.Contains(db.Warnings()[0], "jumped by 8760h0m0s") {
		t.Errorf("while the jump is not followed: %+v, warnings %q", state, db.Warnings())
	}
	machine.wall = machine.wall.AddDate(-1, 0, 0)
	sweep()
	if state := db.ClockState(); state.Steps != 1 || state.Pending != 0 || len(db.Warnings()) > 0 || ids(t, db) != "a b c" {
		t.Errorf("when the clock is right again: %+v, warnings %q, items %q", state, db.Warnings(), ids(t, db))
	}
	machine.wall = machine.wall.AddDate(1, 0, 0)
	sweep()
	machine.run(time.Minute)
	sweep()
	if got := ids(t, db); got != "b c" {
		t.Errorf("after a minute a year ahead there are %q, want b c", got)
	}
}

// TestAClockThatIsSetBackExpiresNothingEarlyAndBringsNothingBack moves the clock to and fro around
// the times at which items expire.
func TestAClockThatIsSetBackExpiresNothingEarlyAndBringsNothingBack(t *testing.T) {
	manual := NewClock(newYear)
	db := openAt(t, Options{Clock: manual})
	createExpiring(t, db)
	putExpiring(t, db, "a", newYear.Add(time.Hour))
	putExpiring(t, db, "b", newYear.Add(2*time.Hour))
	putExpiring(t, db, "c", newYear.Add(3*time.Hour))
	last := newestRecord(t, db)
	for _, step := range []struct {
		set, pass time.Duration
		want      string
	}{
		{0, 59 * time.Minute, "a b c"},
		{-24 * time.Hour, 24 * time.Hour, "a b c"},
		{time.Hour, 2 * time.Second, "b c"},
		{-time.Hour, time.Hour, "b c"},
		{0, 2 * time.Hour, "b c"},
		{2 * time.Hour, 2 * time.Second, "c"},
		{0, time.Hour, "c"},
		{-24 * time.Hour, 27*time.Hour + 2*time.Second, ""},
		{0, time.Hour, ""},
	} {
		manual.Set(newYear.Add(step.set))
		manual.Advance(step.pass)
		if got := ids(t, db); got != step.want {
			t.Errorf("set to the start %+v, %v later there are %q, want %q", step.set, step.pass, got, step.want)
		}
		now := newestRecord(t, db)
		if now.Before(last) {
			t.Errorf("set to the start %+v, %v later a record is dated %v after one of %v", step.set, step.pass, now, last)
		}
		last = now
	}
}
