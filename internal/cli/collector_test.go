package cli

import "testing"

func TestCollectorPercent(t *testing.T) {
	for _, test := range []struct {
		live uint64
		want int
	}{
		{0, 400},
		{4 << 20, 400},
		{64 << 20, 200},
		{128 << 20, 100},
		{8 << 30, 100},
	} {
		if got := collectorPercent(test.live); got != test.want {
			t.Errorf("with %d bytes live the heap may grow by %d %%, want %d", test.live, got, test.want)
		}
	}
}
