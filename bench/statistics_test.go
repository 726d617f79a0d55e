package main

import (
	"math"
	"testing"
	"time"

	"sortkey.dev/bench/internal/httpload"
)

func TestPairedRatioOutlivesDrift(t *testing.T) {
	a, b := []float64{50, 50, 100, 100, 100}, []float64{100, 100, 200, 200, 200}
	if got := httpload.Median(pairedRatios(a, b)); got != 0.5 {
		t.Errorf("ratio is %v, want 0.5", got)
	}
	if got := httpload.Median(pairedRatios(a, []float64{0, 100, 200})); got != 0.5 {
		t.Errorf("ratio without the round that measured nothing is %v, want 0.5", got)
	}
	if got := httpload.Median(pairedRatios(nil, b)); got != 0 {
		t.Errorf("ratio of nothing is %v, want 0", got)
	}
}

func TestQuantile(t *testing.T) {
	var h histogram
	if h.quantile(0.5) != 0 {
		t.Error("an empty histogram has a median")
	}
	for i := 1; i <= 1000; i++ {
		h.add(time.Duration(i) * time.Microsecond)
	}
	for _, c := range []struct {
		q    float64
		want time.Duration
	}{{0, time.Microsecond}, {0.5, 501 * time.Microsecond}, {0.99, 991 * time.Microsecond}, {1, 1000 * time.Microsecond}} {
		got := h.quantile(c.q)
		if got < c.want || float64(got) > float64(c.want)*1.04 {
			t.Errorf("quantile %v is %v, want %v or up to 4 %% more", c.q, got, c.want)
		}
	}
}

func TestHistogramMerge(t *testing.T) {
	var a, b histogram
	for range 10 {
		a.add(10)
		b.add(30)
	}
	a.merge(&b)
	if a.total != 20 || a.quantile(0.49) != 10 || a.quantile(0.51) != 30 {
		t.Errorf("merged: %d durations, %v and %v around the middle", a.total, a.quantile(0.49), a.quantile(0.51))
	}
}

// TestBuckets checks that buckets cover everything without gaps.
func TestBuckets(t *testing.T) {
	for i := range octaves*subBuckets - 1 {
		end := bucketEnd(i)
		if bucketOf(end) != i || bucketOf(end+1) != i+1 {
			t.Fatalf("bucket %d ends at %d, but that is in %d and the next in %d", i, end, bucketOf(end), bucketOf(end+1))
		}
	}
	if got := bucketOf(math.MaxInt64); got != octaves*subBuckets-1 {
		t.Errorf("the longest time is in bucket %d", got)
	}
	if got := bucketOf(-1); got != 0 {
		t.Errorf("a clock that went back is in bucket %d", got)
	}
}

func TestQuartiles(t *testing.T) {
	for _, c := range []struct {
		values       []float64
		lower, upper float64
	}{
		{nil, 0, 0},
		{[]float64{3}, 3, 3},
		{[]float64{9, 1, 5}, 1, 9},
		{[]float64{5, 1, 4, 2, 3}, 2, 4},
		{[]float64{8, 7, 6, 5, 4, 3, 2, 1}, 3, 6},
	} {
		if lower, upper := quartiles(c.values); lower != c.lower || upper != c.upper {
			t.Errorf("quartiles of %v: %v and %v, want %v and %v", c.values, lower, upper, c.lower, c.upper)
		}
	}
}
