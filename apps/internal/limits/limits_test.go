package limits_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/platform/platformdb"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/effort"
)

var hourly = limits.Limit{Name: "ask", Most: 60, Window: time.Hour}

// refused returns the refusal of an error; nil if there is no error.
func refused(t testing.TB, err error) *refusal.Error {
	t.Helper()
	if err == nil {
		return nil
	}
	var r *refusal.Error
	if !errors.As(err, &r) || r.Kind != refusal.TooMany || r.CodeText() != "RATE_LIMITED" {
		t.Fatalf("error %v, want a refusal of kind TooMany", err)
	}
	return r
}

func TestALimitCountsDown(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	w.Clock.Advance(7 * time.Minute)                                // two minutes into a slot of five
	reset := platformtest.Start.Add(5*time.Minute + 65*time.Minute) // 13 slots after the first use's
	for n := range 60 {
		got, err := l.Allow(t.Context(), hourly, "a")
		want := limits.Allowance{Limit: hourly, Remaining: 59 - n, Reset: reset}
		if n == 59 {
			want.Wait = 63 * time.Minute
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("use %d (%v) (-want +got):\n%s", n, err, diff)
		}
	}
	got, err := l.Allow(t.Context(), hourly, "a")
	r := refused(t, err)
	if r == nil {
		t.Fatal("the 61st use is allowed")
	}
	if diff := cmp.Diff(limits.Allowance{Limit: hourly, Reset: reset, Wait: 63 * time.Minute}, got); diff != "" {
		t.Errorf("the allowance of a refused use (-want +got):\n%s", diff)
	}
	want := refusal.New(refusal.TooMany, "", "This can be done 60 times in 1 hour. Try again in 63 minutes.")
	want.Wait, want.Limit = 63*time.Minute, &refusal.Limit{Name: "ask", Most: 60, Window: time.Hour, Reset: reset}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("the refusal (-want +got):\n%s", diff)
	}
	for name, allow := range map[string]func() (limits.Allowance, error){
		"another subject": func() (limits.Allowance, error) { return l.Allow(t.Context(), hourly, "b") },
		"another limit": func() (limits.Allowance, error) {
			return l.Allow(t.Context(), limits.Limit{Name: "answer", Most: 60, Window: time.Hour}, "a")
		},
		"another window": func() (limits.Allowance, error) {
			return l.Allow(t.Context(), limits.Limit{Name: "ask", Most: 60, Window: time.Minute}, "a")
		},
	} {
		if got, err := allow(); err != nil || got.Remaining != 59 {
			t.Errorf("%s: %d are left (%v), want 59", name, got.Remaining, err)
		}
	}
	w.Clock.Set(reset.Add(-time.Millisecond))
	if got, err := l.Allow(t.Context(), hourly, "a"); refused(t, err) == nil || got.Wait != time.Millisecond {
		t.Errorf("a millisecond before: %+v (%v)", got, err)
	}
	w.Clock.Set(reset)
	if got, err := l.Allow(t.Context(), hourly, "a"); err != nil || got.Remaining != 59 {
		t.Errorf("after the wait %d are left (%v), want 59", got.Remaining, err)
	}
}

// TestABurstOverTheHourIsOneBurst: windows that begin on the hour allow twice as many.
func TestABurstOverTheHourIsOneBurst(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	w.Clock.Advance(59 * time.Minute)
	passed := 0
	for range 120 {
		if _, err := l.Allow(t.Context(), hourly, "a"); refused(t, err) == nil {
			passed++
		}
		w.Clock.Advance(time.Second)
	}
	if passed != 60 {
		t.Errorf("%d uses passed in two minutes, want 60", passed)
	}
}

func TestLookingDoesNotCount(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	limit := limits.Limit{Name: "sign in", Most: 2, Window: time.Minute}
	look := func(remaining int) error {
		t.Helper()
		got, err := l.Allows(t.Context(), limit, "a")
		if got.Remaining != remaining {
			t.Errorf("%d are left, want %d", got.Remaining, remaining)
		}
		return err
	}
	for remaining := 2; remaining > 0; remaining-- {
		for range 3 {
			if err := look(remaining); err != nil {
				t.Error(err)
			}
		}
		if _, err := l.Allow(t.Context(), limit, "a"); err != nil {
			t.Fatal(err)
		}
	}
	if r := refused(t, look(0)); r == nil || r.Message != "This can be done 2 times in 1 minute. Try again in 65 seconds." {
		t.Errorf("the refusal is %v", r)
	}
}

func TestARefusedUseWritesNothing(t *testing.T) {
	var meter access.Meter
	w := platformtest.Open(t, access.WithObserver(&meter))
	l := limits.New(w.Platform)
	once := limits.Limit{Name: "delete", Most: 1, Window: 24 * time.Hour}
	if _, err := l.Allow(t.Context(), once, "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	for range 30 {
		w.Clock.Advance(45 * time.Minute) // also in later slots
		_, err := l.Allow(t.Context(), once, "192.0.2.1")
		r := refused(t, err)
		if r == nil || !strings.HasPrefix(r.Message, "This can be done once in 1 day. Try again in ") {
			t.Fatalf("the refusal is %v", r)
		}
	}
	for _, pattern := range meter.Report() {
		if pattern.Pattern != "GetRateWindow" && (pattern.Pattern != "OpenRateWindow" || pattern.Calls != 1) {
			t.Errorf("%s was called %d times", pattern.Pattern, pattern.Calls)
		}
	}
	for window, err := range w.DB.ScanRateWindow().All(t.Context()) {
		if err != nil || strings.Contains(window.Scope, "192.0.2.1") {
			t.Errorf("the address is stored: %s (%v)", window.Scope, err)
		}
	}
}

// TestLimitsAreExact compares a limiter with a list of all uses.
func TestLimitsAreExact(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for range effort.Rounds(30) {
		limit := limits.Limit{Name: "try", Most: 1 + random.IntN(8), Window: time.Duration(1000+random.IntN(100_000)) * time.Millisecond}
		w := platformtest.Open(t)
		both := []*limits.Limiter{limits.New(w.Platform), limits.New(platformtest.On(t, w.Database, w.Box, w.Clock))}
		slot := (limit.Window.Milliseconds() + 11) / 12
		var uses []time.Time
		for range 100 {
			w.Clock.Advance(time.Duration(random.Int64N(int64(limit.Window) / int64(limit.Most))).Truncate(time.Millisecond))
			if random.IntN(20) == 0 {
				w.Clock.Advance(limit.Window)
			}
			now := w.Now()
			counted := 0
			for _, use := range uses {
				if now.UnixMilli()/slot-use.UnixMilli()/slot <= 12 {
					counted++
				}
			}
			got, err := both[random.IntN(2)].Allow(t.Context(), limit, "a")
			r := refused(t, err)
			if (r == nil) != (counted < limit.Most) {
				t.Fatalf("seed %d: %d of %d uses count, and the next is refused: %v", seed, counted, limit.Most, err)
			}
			if r == nil {
				uses = append(uses, now)
				if got.Remaining != limit.Most-counted-1 {
					t.Fatalf("seed %d: %d are left after %d uses, want %d", seed, got.Remaining, counted+1, limit.Most-counted-1)
				}
				continue
			}
			w.Clock.Set(r.Limit.Reset.Add(-time.Millisecond))
			if _, err := both[0].Allows(t.Context(), limit, "a"); refused(t, err) == nil {
				t.Fatalf("seed %d: allowed before %v", seed, r.Limit.Reset)
			}
			w.Clock.Set(now.Add(r.Wait))
			if _, err := both[1].Allows(t.Context(), limit, "a"); err != nil {
				t.Fatalf("seed %d: not allowed after the wait: %v", seed, err)
			}
			if random.IntN(2) == 0 {
				w.Clock.Set(now)
			}
		}
		if most := busiest(uses, uses, limit.Window); most > limit.Most {
			t.Fatalf("seed %d: %d uses in %v, want at most %d", seed, most, limit.Window, limit.Most)
		}
	}
}

// busiest returns how many uses are in the fullest interval of the length of a window. A use
// happened between its two times.
func busiest(after, before []time.Time, window time.Duration) int {
	most := 0
	for i := range after {
		end, n := after[i].Add(window), 0
		for j := range after {
			if !after[j].Before(after[i]) && !before[j].After(end) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// TestLimitsHoldForManyAtOnce: while the clock runs, many goroutines of two processes use a limit.
func TestLimitsHoldForManyAtOnce(t *testing.T) {
	w := platformtest.Open(t)
	both := []*limits.Limiter{limits.New(w.Platform), limits.New(platformtest.On(t, w.Database, w.Box, w.Clock))}
	limit := limits.Limit{Name: "try", Most: 40, Window: 12 * time.Second}
	var mu sync.Mutex
	var after, before []time.Time
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for range 100 {
				began := w.Now()
				_, err := both[i%2].Allow(t.Context(), limit, "a")
				w.Clock.Advance(7 * time.Millisecond)
				ended := w.Now()
				var r *refusal.Error
				switch {
				case err == nil:
					mu.Lock()
					after, before = append(after, began), append(before, ended)
					mu.Unlock()
				case !errors.As(err, &r):
					t.Errorf("allow: %v", err)
				}
			}
		})
	}
	all.Wait()
	if most := busiest(after, before, limit.Window); most > limit.Most {
		t.Errorf("%d uses in %v, want at most %d", most, limit.Window, limit.Most)
	}
	if len(after) < 40 {
		t.Errorf("%d uses were allowed, want 40 or more", len(after))
	}
}

func TestALimitIsUsedUpByManyAtOnce(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	var all sync.WaitGroup
	var passed atomic.Int64
	for range 100 {
		all.Go(func() {
			_, err := l.Allow(t.Context(), hourly, "a")
			var r *refusal.Error
			switch {
			case err == nil:
				passed.Add(1)
			case !errors.As(err, &r):
				t.Errorf("allow: %v", err)
			}
		})
	}
	all.Wait()
	if passed.Load() != 60 {
		t.Errorf("%d uses passed, want 60", passed.Load())
	}
}

// overtaken is a database where a concurrent use is always counted first.
type overtaken struct {
	apps.DynamoDB
	other func()
}

func (o overtaken) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	o.other()
	return o.DynamoDB.PutItem(ctx, in, options...)
}

func (o overtaken) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	o.other()
	return o.DynamoDB.UpdateItem(ctx, in, options...)
}

func TestConcurrentUsesAreBothCounted(t *testing.T) {
	w := platformtest.Open(t)
	first := limits.New(w.Platform)
	limit := limits.Limit{Name: "try", Most: 3, Window: time.Minute}
	database := w.Database
	left := 0 // uses that come first
	database.DynamoDB = overtaken{w.Database.DynamoDB, func() {
		if left--; left >= 0 {
			if _, err := first.Allow(t.Context(), limit, "a"); err != nil {
				t.Errorf("the first use: %v", err)
			}
		}
	}}
	slower := limits.New(platformtest.On(t, database, w.Box, w.Clock))
	left = 1
	if got, err := slower.Allow(t.Context(), limit, "a"); err != nil || got.Remaining != 1 { // creates the window
		t.Errorf("%d are left (%v), want 1", got.Remaining, err)
	}
	left = 1
	if _, err := slower.Allow(t.Context(), limit, "a"); refused(t, err) == nil { // there was room for one
		t.Error("the fourth use is allowed")
	}
	w.Clock.Advance(65 * time.Second)
	left = 1
	if got, err := slower.Allow(t.Context(), limit, "a"); err != nil || got.Remaining != 1 { // moves the window
		t.Errorf("%d are left (%v), want 1", got.Remaining, err)
	}
	w.Clock.Advance(30 * time.Second)
	left = 1
	if _, err := slower.Allow(t.Context(), limit, "a"); refused(t, err) == nil { // two count from earlier slots
		t.Error("the fourth use is allowed")
	}
	w.Clock.Advance(35 * time.Second) // one counts from an earlier slot
	if _, err := first.Allow(t.Context(), limit, "a"); err != nil {
		t.Fatal(err)
	}
	left = 1
	if _, err := slower.Allow(t.Context(), limit, "a"); refused(t, err) == nil {
		t.Error("the fourth use is allowed")
	}
}

// TestClocksThatDiffer: a process whose clock is behind counts in the newest slot.
func TestClocksThatDiffer(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	limit := limits.Limit{Name: "try", Most: 4, Window: time.Minute}
	for i := range 6 {
		w.Clock.Set(platformtest.Start.Add(time.Duration(i%2) * 20 * time.Second))
		if _, err := l.Allow(t.Context(), limit, "a"); (refused(t, err) == nil) != (i < 4) {
			t.Errorf("use %d: %v", i, err)
		}
	}
}

func TestALoweredLimitWaitsForEnoughRoom(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	limit := limits.Limit{Name: "try", Most: 3, Window: time.Minute}
	for range 3 {
		if _, err := l.Allow(t.Context(), limit, "a"); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(10 * time.Second)
	}
	limit.Most = 2
	_, err := l.Allow(t.Context(), limit, "a")
	if r := refused(t, err); r == nil || r.Wait != 45*time.Second { // 65 seconds after the second use
		t.Errorf("the refusal is %+v", r)
	}
}

func TestLimitsThatCannotBeAreErrors(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	for _, limit := range []limits.Limit{
		{Most: 1, Window: time.Hour}, {Name: "a", Window: time.Hour}, {Name: "a", Most: 1, Window: time.Second - 1},
	} {
		_, allow := l.Allow(t.Context(), limit, "a")
		_, allows := l.Allows(t.Context(), limit, "a")
		var r *refusal.Error
		if allow == nil || allows == nil || errors.As(allow, &r) {
			t.Errorf("%+v: %v and %v", limit, allow, allows)
		}
	}
	if _, err := l.Allow(t.Context(), limits.Limit{Name: "a", Most: 1, Window: time.Second}, ""); err != nil {
		t.Errorf("a second: %v", err)
	}
}

func TestWaitsAreSaidInWords(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	for window, want := range map[time.Duration]string{
		time.Second:             "in 1 second. Try again in 2 seconds.", // 1.092
		1500 * time.Millisecond: "in 1.5s. Try again in 2 seconds.",
		time.Minute:             "in 1 minute. Try again in 65 seconds.",
		90 * time.Second:        "in 90 seconds. Try again in 98 seconds.", // 97.5
		2 * time.Minute:         "in 2 minutes. Try again in 3 minutes.",   // 2:10
		time.Hour:               "in 1 hour. Try again in 65 minutes.",
		36 * time.Hour:          "in 36 hours. Try again in 39 hours.",
		7 * 24 * time.Hour:      "in 7 days. Try again in 8 days.",     // 7 days and 14 hours
		300 * time.Hour:         "in 300 hours. Try again in 14 days.", // 13 days and 13 hours
	} {
		limit := limits.Limit{Name: "try", Most: 1, Window: window}
		slot := (window.Milliseconds() + 11) / 12
		w.Clock.Set(time.UnixMilli((platformtest.Start.UnixMilli()/slot + 1) * slot)) // a slot begins
		if _, err := l.Allow(t.Context(), limit, "a"); err != nil {
			t.Fatal(err)
		}
		_, err := l.Allow(t.Context(), limit, "a")
		if r := refused(t, err); r == nil || !strings.HasSuffix(r.Message, want) {
			t.Errorf("window %v: %v, want %q", window, r, want)
		}
	}
}

// TestRepeatedUsesReadNothing: only the first use of a subject reads its window.
func TestRepeatedUsesReadNothing(t *testing.T) {
	var meter access.Meter
	w := platformtest.Open(t, access.WithObserver(&meter))
	l := limits.New(w.Platform)
	for i := range 20 {
		w.Clock.Advance(time.Minute) // to other slots, too
		if got, err := l.Allow(t.Context(), hourly, "a"); err != nil || got.Remaining != hourly.Most-1-i {
			t.Fatalf("use %d: %d are left (%v)", i, got.Remaining, err)
		}
	}
	for _, pattern := range meter.Report() {
		if pattern.Pattern == "GetRateWindow" && pattern.Calls != 1 {
			t.Errorf("the window was read %d times", pattern.Calls)
		}
	}
}

// TestADeletedWindowIsOpenedAgain: the database deletes windows in which nothing counts.
func TestADeletedWindowIsOpenedAgain(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	for range 2 {
		if got, err := l.Allow(t.Context(), hourly, "a"); err != nil || got.Remaining != hourly.Most-1 {
			t.Fatalf("%d are left (%v)", got.Remaining, err)
		}
		emptyTable(t, w)
	}
}

// emptyTable deletes every item of the table with the limits.
func emptyTable(t *testing.T, w *platformtest.World) {
	t.Helper()
	table := aws.String(w.DB.Client().Table(platformdb.TablePlatformCounters))
	all, err := w.Database.DynamoDB.Scan(t.Context(), &dynamodb.ScanInput{TableName: table})
	if err != nil || len(all.Items) == 0 {
		t.Fatalf("%d items (%v)", len(all.Items), err)
	}
	for _, item := range all.Items {
		key := map[string]types.AttributeValue{"PK": item["PK"], "SK": item["SK"]}
		if _, err := w.Database.DynamoDB.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: table, Key: key}); err != nil {
			t.Fatal(err)
		}
	}
}
