package cli

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The garbage collector runs when the heap has grown by a percentage of what is
// live. A server whose data is on disk has little that is live, so it would
// collect many times a second under load to keep a few megabytes small.
const (
	usualPercent   = 100       // the runtime's default
	highestPercent = 400       // beyond it the collector is no cost worth saving
	heapRoom       = 128 << 20 // how far a small heap may grow before it is collected
)

// collectLess lets the heap grow by heapRoom between collections as long as
// little is live, until ctx is done. The GOGC of the environment has precedence.
func collectLess(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		metrics.Read(live)
		debug.SetGCPercent(collectorPercent(live[0].Value.Uint64()))
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// collectorPercent is the growth to allow for a live heap.
func collectorPercent(live uint64) int {
	room := heapRoom * 100 / max(live, 1)
	return int(min(max(room, usualPercent), highestPercent))
}
