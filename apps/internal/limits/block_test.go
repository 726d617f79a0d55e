package limits_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/limits"
	"sortkey.dev/apps/internal/platform/platformtest"
	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/effort"
)

// large is a limit of which six uses are counted at once.
var large = limits.Limit{Name: "large", Most: 600, Window: time.Hour}

// TestALargeLimitIsExact compares the only process that uses a large limit with a list of all uses.
func TestALargeLimitIsExact(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for range effort.Rounds(3) {
		limit := limits.Limit{Name: "try", Most: 100 + random.IntN(900), Window: time.Hour}
		w := platformtest.Open(t)
		l := limits.New(w.Platform)
		const slot = int64(time.Hour/time.Millisecond) / 12
		var uses []int64 // their slots
		for range 1500 {
			if random.IntN(60) == 0 {
				w.Clock.Advance(time.Duration(random.Int64N(int64(10 * time.Minute))).Truncate(time.Millisecond))
			}
			now, counted := w.Now().UnixMilli()/slot, 0
			for _, use := range uses {
				if now-use <= 12 {
					counted++
				}
			}
			allowed := counted < limit.Most
			if random.IntN(10) == 0 {
				got, err := l.Allows(t.Context(), limit, "a")
				if (refused(t, err) == nil) != allowed || got.Remaining != limit.Most-counted {
					t.Fatalf("seed %d: %d of %d uses count, and %d are left before the next (%v)", seed, counted, limit.Most, got.Remaining, err)
				}
			}
			_, err := l.Allow(t.Context(), limit, "a")
			if (refused(t, err) == nil) != allowed {
				t.Fatalf("seed %d: %d of %d uses count, and the next is refused: %v", seed, counted, limit.Most, err)
			}
			if err == nil {
				uses = append(uses, now)
			}
		}
	}
}

// TestALargeLimitWritesSeldom: a hundredth of a limit is one write, and no read after the first.
func TestALargeLimitWritesSeldom(t *testing.T) {
	var meter access.Meter
	w := platformtest.Open(t, access.WithObserver(&meter))
	l := limits.New(w.Platform)
	for i := range large.Most {
		if got, err := l.Allow(t.Context(), large, "a"); err != nil || got.Remaining != large.Most-1-i {
			t.Fatalf("use %d: %d are left (%v)", i, got.Remaining, err)
		}
	}
	if r := refused(t, func() error { _, err := l.Allow(t.Context(), large, "a"); return err }()); r == nil {
		t.Error("one more is allowed")
	}
	calls := map[string]int64{}
	for _, pattern := range meter.Report() {
		calls[pattern.Pattern] += int64(pattern.Calls)
	}
	if writes := calls["OpenRateWindow"] + calls["CountHit"] + calls["MoveWindow"]; writes != 100 || calls["GetRateWindow"] != 2 {
		t.Errorf("%d writes and %d reads, want 100 and 2", writes, calls["GetRateWindow"])
	}
}

// TestALargeLimitHoldsForAllProcesses: it is never exceeded, and what processes have counted and not used is a hundredth each.
func TestALargeLimitHoldsForAllProcesses(t *testing.T) {
	w := platformtest.Open(t)
	processes := []*limits.Limiter{limits.New(w.Platform), limits.New(platformtest.On(t, w.Database, w.Box, w.Clock)), limits.New(platformtest.On(t, w.Database, w.Box, w.Clock))}
	var passed atomic.Int64
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			for range 50 {
				_, err := processes[i%3].Allow(t.Context(), large, "a")
				var r *refusal.Error
				switch {
				case err == nil:
					passed.Add(1)
				case !errors.As(err, &r):
					t.Errorf("allow: %v", err)
				}
			}
		})
	}
	all.Wait()
	if n := int(passed.Load()); n > large.Most || n < large.Most-3*large.Most/100 {
		t.Errorf("%d uses of %d passed", n, large.Most)
	}
}

// TestCountedUsesEndWithTheirSlot: what was counted in a slot and not used is given back when the next begins. It is not
// used in the next, where it would count too short.
func TestCountedUsesEndWithTheirSlot(t *testing.T) {
	w := platformtest.Open(t)
	l := limits.New(w.Platform)
	if got, err := l.Allow(t.Context(), large, "a"); err != nil || got.Remaining != large.Most-1 {
		t.Fatalf("%d are left (%v)", got.Remaining, err)
	}
	w.Clock.Advance(5 * time.Minute)
	if got, err := l.Allow(t.Context(), large, "a"); err != nil || got.Remaining != large.Most-2 {
		t.Errorf("%d are left (%v)", got.Remaining, err)
	}
	for stored, err := range w.DB.ScanRateWindow().All(t.Context()) {
		if err != nil || stored.Hits != 6 || stored.Earlier != 1 {
			t.Errorf("stored: %+v (%v)", stored, err)
		}
	}
}

// broken is a database whose first write fails, after others had time to wait for it.
type broken struct {
	apps.DynamoDB
	writing, fail chan struct{}
	failed        *atomic.Bool
}

var errDown = errors.New("down")

func (b broken) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if b.failed.CompareAndSwap(false, true) {
		close(b.writing)
		<-b.fail
		return nil, errDown
	}
	return b.DynamoDB.PutItem(ctx, in, options...)
}

// failing returns a function that counts a use in the background, after the first caller has begun a write that fails when
// the channel is closed. The first caller's error is in first.
func failing(t *testing.T) (allow func(context.Context) <-chan error, first <-chan error, fail chan<- struct{}) {
	w := platformtest.Open(t)
	database := w.Database
	slow := broken{w.Database.DynamoDB, make(chan struct{}), make(chan struct{}), new(atomic.Bool)}
	database.DynamoDB = slow
	l := limits.New(platformtest.On(t, database, w.Box, w.Clock))
	allow = func(ctx context.Context) <-chan error {
		done := make(chan error, 1)
		go func() {
			_, err := l.Allow(ctx, large, "a")
			done <- err
		}()
		return done
	}
	first = allow(t.Context())
	<-slow.writing
	return allow, first, slow.fail
}

// TestAFailedWriteFailsOneCaller: those who wait for it write themselves.
func TestAFailedWriteFailsOneCaller(t *testing.T) {
	allow, first, fail := failing(t)
	var waiting []<-chan error
	for range 8 {
		waiting = append(waiting, allow(t.Context()))
	}
	close(fail)
	if err := <-first; !errors.Is(err, errDown) {
		t.Errorf("the error of the first is %v", err)
	}
	for _, done := range waiting {
		if err := <-done; err != nil {
			t.Errorf("the error of one who waited is %v", err)
		}
	}
}

// TestACallerWhoLeftCountsNothing: whoever waits for a write of another and leaves gets an error and no use.
func TestACallerWhoLeftCountsNothing(t *testing.T) {
	allow, first, fail := failing(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	left := allow(gone)
	close(fail)
	<-first
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
