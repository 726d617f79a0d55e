package catalog

import (
	"sync"
	"testing"
	"time"
)

func TestTheClockNeverRunsBackwards(t *testing.T) {
	at := int64(0)
	c := Clock{now: func() time.Time { return time.UnixMilli(at).Add(999 * time.Microsecond) }}
	for _, step := range []struct{ now, want int64 }{{1000, 1000}, {1001, 1001}, {1001, 1001}, {5, 1001}, {1000, 1001}, {1002, 1002}, {0, 1002}} {
		at = step.now
		if got := c.Tick().UnixMilli(); got != step.want {
			t.Errorf("at %d the clock shows %d, want %d", step.now, got, step.want)
		}
	}
	c.Advance(time.UnixMilli(1001))
	c.Advance(time.UnixMilli(3000))
	if got := c.Tick(); !got.Equal(time.UnixMilli(3000)) {
		t.Errorf("advanced to 3000, the clock shows %d", got.UnixMilli())
	}
}

func TestTheClockIsSafeForConcurrentUse(t *testing.T) {
	var mu sync.Mutex
	at := int64(0)
	c := Clock{now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = (at*7 + 3) % 1009 // forwards and backwards
		return time.UnixMilli(at)
	}}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for last := c.Tick(); last.UnixMilli() < 1000; {
				next := c.Tick()
				if next.Before(last) {
					t.Errorf("%d after %d", next.UnixMilli(), last.UnixMilli())
				}
				last = next
			}
		})
	}
	wait.Wait()
}
