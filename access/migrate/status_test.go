package migrate

import (
	"testing"
	"time"

	"sortkey.dev/access"
)

// TestStatusLine prints what a run says of itself.
func TestStatusLine(t *testing.T) {
	filling := Status{
		Phase: access.PhaseWrite, Epoch: 4, Settled: true, Step: stepFill, Part: "Task.GSI2", Segments: 64, Done: 30,
		Seen: 1_464_000, Items: 2_400_000, WriteRate: 1000, Writes: 2_928_000, Spent: 1.87, Price: 3.07, Hold: "read", Watch: "on",
	}
	earlier := filling
	earlier.Writes, earlier.Seen = earlier.Writes-9800, earlier.Seen-5033
	for _, test := range []struct {
		status Status
		want   string
	}{
		{filling.Since(earlier, 10*time.Second), "fill Task.GSI2  61 %  1.46M of 2.40M  980 WRU/s of 1,000  $1.87 of $3.07  left 30m  conflicts 0  hold before read"},
		{Status{Epoch: 3, Phase: access.PhasePrepare}, "phase prepare: waits until no request of epoch 2 is under way"},
		{Status{Epoch: 3, Settled: true, Phase: access.PhaseRead, Hold: "after", Watch: "off: table t has no stream"}, "phase read  hold before after  watch off: table t has no stream"},
		{Status{Settled: true, Step: stepVerify, Part: "T", Segments: 4, Done: 1, Seen: 12_345, Differing: 2, Conflicts: 3, Paused: "lunch"},
			"verify T  25 %  12.3k items  0 RRU/s  2 differ  conflicts 3  paused: lunch"},
		{Status{Settled: true, Step: stepClean, Part: "T", Segments: 4, Done: 4, Spent: 0.001, Most: 2000, Back: true, Left: 3 * time.Hour},
			"clean T  100 %  0 items  0 WRU/s  <$0.01 of $2000.00  left 3h0m  conflicts 0  on the way back"},
	} {
		if got := test.status.String(); got != test.want {
			t.Errorf("%s\nwant\n%s", got, test.want)
		}
	}
}
