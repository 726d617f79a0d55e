package cli

import (
	"context"
	"math"
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

	// besideStore is the memory of the runtime beside the cache and the memtables of a store on disk:
	// heapRoom, connections, requests and answers, stacks, and gaps between the objects of the heap.
	besideStore = 26 << 20

	// idleTicks is the number of ticks without a collection after which the heap is collected
	// and its free memory returned to the system.
	idleTicks = 5
)

// A collector adapts the limits of the garbage collector to the heap.
type collector struct {
	store   int64 // the memory of a store on disk; 0: the data is part of the heap, which has no limit
	percent int
	limit   int64
	cycles  uint64 // collections up to the last tick
	quiet   int    // ticks since the last collection
}

// collectWithRoom lets the heap grow by heapRoom between collections, or by as much
// as a collection has to scan if that is more, until ctx is done. Beside a store on disk,
// which takes so many bytes, it limits the memory of the runtime. The environment variables GOGC
// and GOMEMLIMIT have precedence.
func collectWithRoom(ctx context.Context, store int64) {
	if os.Getenv("GOGC") != "" {
		return
	}
	if os.Getenv("GOMEMLIMIT") != "" {
		store = 0
	}
	c := collector{store: store, limit: math.MaxInt64}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		c.adapt()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// adapt sets the limits for the live heap of the last collection.
func (c *collector) adapt() {
	heap := [...]metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(heap[:])
	live, scanned, cycles := heap[0].Value.Uint64(), heap[1].Value.Uint64(), heap[2].Value.Uint64()
	if next := collectorPercent(live, scanned); next != c.percent {
		debug.SetGCPercent(next) // pauses the program briefly
		c.percent = next
	}
	if next := memoryLimit(c.store, live); next != c.limit {
		debug.SetMemoryLimit(next) // so does this
		c.limit = next
	}
	if cycles != c.cycles {
		c.cycles, c.quiet = cycles, 0
		return
	}
	if c.quiet++; c.quiet == idleTicks && c.store > 0 {
		debug.FreeOSMemory()
		metrics.Read(heap[:])
		c.cycles = heap[2].Value.Uint64() // this collection is not a sign of load
	}
}

// collectorPercent returns the allowed growth of a live heap, of which some must be
// scanned.
func collectorPercent(live, scanned uint64) int {
	room := max(heapRoom, min(scanned, live)) * 100 / max(live, 1)
	return int(min(max(room, lowestPercent), highestPercent))
}

// memoryLimit returns the limit for the memory of the runtime. A heap that is larger than expected,
// because of large requests, may double what it holds beside the store: near its limit a heap is collected all the time.
func memoryLimit(store int64, live uint64) int64 {
	if store == 0 {
		return math.MaxInt64
	}
	return store + max(besideStore, 2*(int64(live)-store))
}

// settle collects the garbage of large requests that have ended, if the runtime has more memory than its limit without such
// requests. Otherwise the memory would be kept until the next collection.
func settle(store int64) {
	if store == 0 || os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if runtimeMemory() > store+besideStore {
		debug.FreeOSMemory()
	}
}

// runtimeMemory returns the memory that the runtime has from the system, to which the memory limit applies.
func runtimeMemory() int64 {
	memory := [...]metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(memory[:])
	return int64(memory[0].Value.Uint64() - memory[1].Value.Uint64())
}
