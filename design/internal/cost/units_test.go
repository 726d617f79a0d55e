package cost

import (
	"testing"

	"sortkey.dev/design/internal/exact"
)

func number(s string) exact.Number { return exact.MustParse(s) }

func equal(t *testing.T, what string, got exact.Number, want string) {
	t.Helper()
	if !got.Equal(number(want)) {
		t.Errorf("%s is %s, want %s", what, got, want)
	}
}

func TestReadUnits(t *testing.T) {
	for _, c := range []struct {
		size     int64
		eventual bool
		want     string
	}{
		{0, false, "1"}, {0, true, "0.5"},
		{1, false, "1"}, {4096, false, "1"}, {4097, false, "2"},
		{4096, true, "0.5"}, {4097, true, "1"}, {8192, true, "1"}, {8193, true, "1.5"},
		{400 << 10, false, "100"},
	} {
		if got := ReadUnits(c.size, c.eventual); !got.Equal(number(c.want)) {
			t.Errorf("reading %d bytes (eventually consistent: %v) takes %s units, want %s", c.size, c.eventual, got, c.want)
		}
	}
}

func TestWriteUnits(t *testing.T) {
	for size, want := range map[int64]int64{0: 1, 1: 1, 1024: 1, 1025: 2, 2048: 2, 2049: 3, 3584: 4, 400 << 10: 400} {
		if got := WriteUnits(size); got != want {
			t.Errorf("writing %d bytes takes %d units, want %d", size, got, want)
		}
	}
}

func TestQueryUnits(t *testing.T) {
	for _, c := range []struct {
		name         string
		items, size  string
		eventual     bool
		units, pages string
	}{
		{"nothing", "0", "500", true, "0.5", "1"},
		{"nothing, strongly", "0", "500", false, "1", "1"},
		{"an exam of 50 questions", "50", "6144", true, "37.5", "1"},
		{"sizes are summed before rounding", "4", "1024", false, "1", "1"},
		{"one byte more", "4", "1025", false, "2", "1"},
		{"a page filled exactly", "256", "4096", false, "256", "1"},
		{"one more item starts a page", "257", "4096", false, "257", "2"},
		{"each page is rounded alone", "300", "5000", false, "368", "2"}, // 209 items are 256 units, 91 are 112; together they would be 367
		{"two pages of large items", "4", "409600", false, "400", "2"},
		{"averages", "2.5", "700", false, "1", "1"},
		{"less than one item", "0.25", "8192", true, "0.5", "1"},
		{"averages over pages", "1000.5", "2048", true, "250.5", "2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			units, pages := QueryUnits(number(c.items), number(c.size), c.eventual)
			equal(t, "units", units, c.units)
			equal(t, "pages", pages, c.pages)
		})
	}
}

// wholeQuery and brokenQuery must agree.
func TestQueryUnitsAgree(t *testing.T) {
	for _, size := range []int64{1, 100, 1023, 4096, 4097, 6144, 400 << 10} {
		for _, items := range []int64{0, 1, 3, 170, 171, 255, 256, 257, 5000} {
			units, pages := wholeQuery(items, size)
			u, p := brokenQuery(exact.Int(items), exact.Int(size))
			if !u.Equal(exact.Int(units)) || !p.Equal(exact.Int(pages)) {
				t.Errorf("%d items of %d bytes: %d units in %d pages, but as averages %s in %s", items, size, units, pages, u, p)
			}
		}
	}
}

func TestSizeText(t *testing.T) {
	for size, want := range map[string]string{"0": "0 B", "350": "350 B", "1023": "1023 B", "3584": "3.5 KB", "6144": "6 KB", "1048576": "1 MB", "2684354560": "2.5 GB", "1100": "1.07 KB", "292.325": "292.33 B", "5.999": "6 B", "1.04": "1.04 B"} {
		if got := sizeText(number(size)); got != want {
			t.Errorf("%s bytes read %q, want %q", size, got, want)
		}
	}
}
