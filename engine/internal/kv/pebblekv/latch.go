package pebblekv

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
)

// stripes is the number of latches. Keys with the same stripe exclude each other
// unnecessarily, which is rare enough and keeps the table small.
const stripes = 4096

// beingApplied stands for the sequence of a commit that is being applied: it may
// be visible already, but its sequence is not known yet.
const beingApplied = math.MaxUint64

// stripe is one latch and the sequence of the last commit made under it. A reader loads
// applied after it has read a value: that value comes from this commit or an earlier
// one, because applied is set to beingApplied before the commit can become visible.
type stripe struct {
	mu      sync.Mutex
	applied atomic.Uint64
}

type latches [stripes]stripe

// index returns the stripe of a key.
func (l *latches) index(key []byte) uint16 { return uint16(xxhash.Sum64(key) % stripes) }

// plan appends to buf the stripes of keys, in locking order and without duplicates.
func (l *latches) plan(buf []uint16, keys [][]byte) []uint16 {
	for _, key := range keys {
		buf = append(buf, l.index(key))
	}
	if len(buf) > 1 {
		slices.Sort(buf)
		buf = slices.Compact(buf)
	}
	return buf
}

func (l *latches) lock(plan []uint16) {
	for _, i := range plan {
		l[i].mu.Lock()
	}
}

func (l *latches) unlock(plan []uint16) {
	for _, i := range plan {
		l[i].mu.Unlock()
	}
}

// setApplied records the sequence of the commit made under the latches of plan.
func (l *latches) setApplied(plan []uint16, seq uint64) {
	for _, i := range plan {
		l[i].applied.Store(seq)
	}
}

// maxApplied returns the newest commit made under the latches of plan.
func (l *latches) maxApplied(plan []uint16) uint64 {
	var newest uint64
	for _, i := range plan {
		newest = max(newest, l[i].applied.Load())
	}
	return newest
}
