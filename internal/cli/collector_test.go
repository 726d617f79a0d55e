package cli

import "testing"

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
