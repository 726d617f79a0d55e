package cli

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestCollectorPercent(t *testing.T) {
	for _, test := range []struct {
		what          string
		live, scanned uint64
		want          int
	}{
		{"nothing", 0, 0, 400},
		{"a small heap", 2 << 20, 2 << 20, 400},
		{"a small heap", 6 << 20, 3 << 20, 200},
		{"a cache", 48 << 20, 8 << 20, 25},
		{"a large cache", 8 << 30, 16 << 20, 10},
		{"items in memory", 1 << 30, 512 << 20, 50},
		{"pointers only", 1 << 30, 1 << 30, 100},
		{"more to scan than was live", 1 << 30, 3 << 30, 100},
	} {
		if got := collectorPercent(test.live, test.scanned); got != test.want {
			t.Errorf("%s, %d bytes of which %d are scanned: the heap may grow by %d %%, want %d", test.what, test.live, test.scanned, got, test.want)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	for _, test := range []struct {
		what  string
		store int64
		live  uint64
		want  int64
	}{
		{"a store at rest", 64 << 20, 4 << 20, 90 << 20},
		{"a store under load", 64 << 20, 70 << 20, 90 << 20},
		{"large requests", 64 << 20, 200 << 20, 336 << 20},
		{"data in memory", 0, 200 << 20, math.MaxInt64},
	} {
		if got := memoryLimit(test.store, test.live); got != test.want {
			t.Errorf("%s: the limit is %d, want %d", test.what, got, test.want)
		}
	}
}

// TestServeLimitsItsMemory is about the defaults: a process has 3 MB of variables beside what the runtime
// allocates, and must stay below 100 MB.
func TestServeLimitsItsMemory(t *testing.T) {
	store := serveConfig{data: "anywhere"}.storeMemory()
	c := collector{store: store, limit: math.MaxInt64}
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	c.adapt()
	if limit := debug.SetMemoryLimit(-1); limit > 97_000_000 {
		t.Errorf("with a store of %d bytes the runtime may take %d", store, limit)
	}
	if inMemory := (serveConfig{}).storeMemory(); inMemory != 0 {
		t.Errorf("data in memory is limited to %d bytes", inMemory)
	}
}

// TestSettleReturnsTheMemoryOfLargeRequests leaves garbage behind, as large requests do, and expects it to be returned if
// it is above the limit.
func TestSettleReturnsTheMemoryOfLargeRequests(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	const store, garbage = 64 << 20, 256 << 20
	litter(garbage)
	settle(0)
	if used := runtimeMemory(); used < garbage {
		t.Errorf("%d bytes are used: garbage was collected although the data is in memory", used)
	}
	settle(store)
	if used := runtimeMemory(); used > store+besideStore {
		t.Errorf("%d bytes are used after the garbage was collected, want at most %d", used, store+besideStore)
	}
}

// litter allocates bytes and keeps none.
func litter(bytes int) {
	for ; bytes > 0; bytes -= 1 << 20 {
		block := make([]byte, 1<<20)
		block[len(block)-1]++
		litterSink = block
	}
	litterSink = nil
}

var litterSink []byte
