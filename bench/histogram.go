package main

import (
	"math/bits"
	"time"
)

// The shape of a histogram: every power of two is cut into subBuckets equal
// parts, so a value is known to about 3 %.
const (
	subBits    = 5
	subBuckets = 1 << subBits
	octaves    = 38 // up to 2^42 ns, more than an hour
)

// A histogram counts durations. The zero value is empty and ready to use.
type histogram struct {
	counts [octaves * subBuckets]uint32
	total  uint64
}

// add counts one duration.
func (h *histogram) add(d time.Duration) {
	h.counts[bucketOf(d)]++
	h.total++
}

// merge adds what other has counted.
func (h *histogram) merge(other *histogram) {
	for i, n := range other.counts {
		h.counts[i] += n
	}
	h.total += other.total
}

// quantile returns the duration that the share q of all durations does not exceed,
// rounded up to the end of its bucket; 0 if nothing was counted.
func (h *histogram) quantile(q float64) time.Duration {
	if h.total == 0 {
		return 0
	}
	rank := min(uint64(q*float64(h.total)), h.total-1)
	var seen uint64
	for i, n := range h.counts {
		if seen += uint64(n); seen > rank {
			return bucketEnd(i)
		}
	}
	return bucketEnd(len(h.counts) - 1)
}

// bucketOf returns the bucket of a duration. The first octave is exact, as its buckets
// are one nanosecond wide.
func bucketOf(d time.Duration) int {
	v := uint64(max(d, 0))
	if v < subBuckets {
		return int(v)
	}
	octave := bits.Len64(v) - subBits // 1 for values from subBuckets on
	sub := v>>(octave-1) - subBuckets
	return min(octave*subBuckets+int(sub), octaves*subBuckets-1)
}

// bucketEnd returns the largest duration of a bucket.
func bucketEnd(i int) time.Duration {
	if i < subBuckets {
		return time.Duration(i)
	}
	octave, sub := i/subBuckets, i%subBuckets
	return time.Duration((subBuckets+sub+1)<<(octave-1) - 1)
}
