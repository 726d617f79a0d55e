package cli

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The garbage collector runs when the heap has grown by a percentage of the live
// heap. That suits a heap of objects that point to each other, because a
// collection costs as much as there is to scan. A server whose data is on disk
// has few of them. Its heap is small, or most of it is blocks of data, which cost
// nothing to scan: by the percentage it would be collected many times a second
// or grow to twice the size of its cache.
const (
	lowestPercent  = 10
	highestPercent = 400      // beyond it the collector's cost is negligible
	heapRoom       = 12 << 20 // the growth of any heap before it is collected
)

// collectWithRoom lets the heap grow by heapRoom between collections, or by as much
// as a collection has to scan if that is more, until ctx is done. The
// environment variable GOGC has precedence.
func collectWithRoom(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	percent := 0
	for {
		metrics.Read(heap)
		if next := collectorPercent(heap[0].Value.Uint64(), heap[1].Value.Uint64()); next != percent {
			debug.SetGCPercent(next) // pauses the program briefly
			percent = next
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// collectorPercent returns the allowed growth of a live heap, of which some must be
// scanned.
func collectorPercent(live, scanned uint64) int {
	room := max(heapRoom, min(scanned, live)) * 100 / max(live, 1)
	return int(min(max(room, lowestPercent), highestPercent))
}
