package call

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"sortkey.dev/access"
)

// TestRetryWaitsGrowToTheLongest looks how long pauses are at most, also where doubling the
// first one would overflow.
func TestRetryWaitsGrowToTheLongest(t *testing.T) {
	for _, test := range []struct {
		first, longest time.Duration
		attempt        int
		most           time.Duration
	}{
		{time.Second, time.Minute, 0, time.Second},
		{time.Second, time.Minute, 5, 32 * time.Second},
		{time.Second, time.Minute, 6, time.Minute},
		{time.Hour, 2 * time.Hour, 25, 2 * time.Hour},
		{time.Hour, 2 * time.Hour, 1000, 2 * time.Hour},
		{time.Hour, time.Minute, 0, time.Minute},
		{0, time.Minute, 1000, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := access.NewClient(nil, access.Design{}, access.WithRetries(2000, test.first, test.longest))
			var longest time.Duration
			for range 200 {
				start := time.Now()
				if err := pause(context.Background(), c, test.attempt); err != nil {
					t.Fatal(err)
				}
				longest = max(longest, time.Since(start))
			}
			if longest > test.most || longest < test.most/2 {
				t.Errorf("%v up to %v, after attempt %d: the longest of 200 pauses is %v, want up to %v", test.first, test.longest, test.attempt, longest, test.most)
			}
		})
	}
}
