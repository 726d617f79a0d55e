package marshal_test

import (
	"testing"
	"time"

	"sortkey.dev/access/marshal"
)

// The text of an instant is worked out without package time, which takes longer.
func TestEveryDayIsWrittenAsPackageTimeDoes(t *testing.T) {
	const form = "2006-01-02T15:04:05.000Z"
	end := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	step := 24*time.Hour + 61*time.Minute + 7*time.Second + 13*time.Millisecond
	for at := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC); at.Before(end); at = at.Add(step) {
		if got := marshal.FormatTime(at.In(time.FixedZone("", 5400))); got != at.Format(form) {
			t.Fatalf("%s, not %s", got, at.Format(form))
		}
	}
	for _, at := range []time.Time{end.Add(-time.Nanosecond), time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1969, 12, 31, 23, 59, 59, 999e6, time.UTC)} {
		if got := marshal.FormatTime(at); got != at.Format(form) {
			t.Errorf("%s, not %s", got, at.Format(form))
		}
	}
	for _, at := range []time.Time{end, time.Date(0, 1, 1, 0, 0, 0, -1, time.UTC), time.Unix(1<<62, 0), time.Unix(-1<<62, 0)} {
		if got := marshal.FormatTime(at); got != "" {
			t.Errorf("%s, not nothing", got)
		}
	}
}

// Rounded up, an instant is before the same stored ones as it was.
func TestCeil(t *testing.T) {
	at := func(ns int64) time.Time { return time.Unix(0, ns) }
	last := time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	if got := marshal.CeilMilli(last); !got.Equal(last) || marshal.FormatTime(got) == "" {
		t.Errorf("after the last instant comes %v", got)
	}
	for _, test := range []struct{ ns, milli, second int64 }{
		{0, 0, 0},
		{1, 1e6, 1e9},
		{1e6, 1e6, 1e9},
		{1e6 + 1, 2e6, 1e9},
		{1e9 - 1, 1e9, 1e9},
		{1e9, 1e9, 1e9},
		{-1, 0, 0},
		{-1e6, -1e6, 0},
		{-1e9 - 1, -1e9, -1e9},
	} {
		if got := marshal.CeilMilli(at(test.ns)); !got.Equal(at(test.milli)) {
			t.Errorf("%d ns: the next millisecond is %d", test.ns, got.UnixNano())
		}
		if got := marshal.CeilSecond(at(test.ns)); !got.Equal(at(test.second)) {
			t.Errorf("%d ns: the next second is %d", test.ns, got.UnixNano())
		}
	}
}
