package marshal_test

import (
	"math"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// The resolver of designs makes the same texts: bounds in reports and bounds in
// requests are the same.
func TestBeforeMatchesDesigns(t *testing.T) {
	for _, pair := range [][2]string{
		{"", ""},
		{"a", "`\U0010ffff"},
		{"b0", "b/\U0010ffff"},
		{"2026-01-10", "2026-01-1/\U0010ffff"},
		{"2026-02-17T10:30:00.000Z", "2026-02-17T10:30:00.000Y\U0010ffff"},
		{"00000042", "00000041\U0010ffff"},
		{"\u00e9", "\u00e8\U0010ffff"},
		{"\ue000", "\xed\x9f\xbf\U0010ffff"},
		{"x\x00", "x"},
		{"\x00", ""},
		{"\x01", "\x00\U0010ffff"},
		{"$", "#\U0010ffff"},
		{"A", "@\U0010ffff"},
		{"\U0010ffff", "\U0010fffe\U0010ffff"},
		{"\U00010000", "\uffff\U0010ffff"},
		{"\ufffd", "\ufffc\U0010ffff"},
		{"\u65e5\u672c", "\u65e5\u672b\U0010ffff"},
		{"x\xff", "x\ufffc\U0010ffff"},
	} {
		if got := marshal.Before(pair[0]); got != pair[1] {
			t.Errorf("Before(%+q) = %+q, want %+q", pair[0], got, pair[1])
		}
	}
}

// Samples of a design have the same texts.
func TestFiltersWriteWhatDesignsShow(t *testing.T) {
	for _, test := range []struct {
		text       string
		n          int
		shard, cut string
	}{
		{"", 0, "0", ""},
		{"", 2, "1", ""},
		{"", 1000, "261", ""},
		{"a", 0, "0", ""},
		{"a", 1, "0", "a"},
		{"a", 1000, "220", "a"},
		{"u-17", 2, "1", "u-"},
		{"u-17", 10, "3", "u-17"},
		{"u-17", 1000, "623", "u-17"},
		{"alice@example.com", 10, "8", "alice@exam"},
		{"01ARZ3NDEKTSV4RRFFQ69G5FAV", 10, "2", "01ARZ3NDEK"},
		{"\u00e9\u65e5", 1, "0", "\u00e9"},
		{"\u00e9\u65e5", 2, "1", "\u00e9\u65e5"},
		{"\u00e9\u65e5", 1000, "513", "\u00e9\u65e5"},
		{"x\xff", 0, "0", ""},
		{"x\xff", 2, "0", "x\ufffd"},
		{"x\xff", 10, "2", "x\ufffd"},
	} {
		if got := marshal.ShardOf(test.text, test.n); got != test.shard {
			t.Errorf("ShardOf(%+q, %d) = %s, want %s", test.text, test.n, got, test.shard)
		}
		if got := marshal.Cut(test.text, test.n); got != test.cut {
			t.Errorf("Cut(%+q, %d) = %+q, want %+q", test.text, test.n, got, test.cut)
		}
	}
	for _, test := range [][3]string{
		{"Alice \u00c9", "alice \u00e9", "ALICE \u00c9"},
		{"\u0130stanbul", "istanbul", "\u0130STANBUL"},
		{"stra\u00dfe", "stra\u00dfe", "STRA\u00dfE"},
		{"\u01c5", "\u01c6", "\u01c4"},
	} {
		if low, up := marshal.Lower(test[0]), marshal.Upper(test[0]); low != test[1] || up != test[2] {
			t.Errorf("%+q is %+q and %+q, want %+q and %+q", test[0], low, up, test[1], test[2])
		}
	}
	if got := marshal.Cut("abc", -1) + marshal.Cut("\xff", -1); got != "" {
		t.Errorf("the first -1 characters are %q", got)
	}
}

func TestAnyShardIsEveryShard(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		seen[marshal.AnyShard(3)] = true
	}
	if len(seen) != 3 || !seen["0"] || !seen["1"] || !seen["2"] {
		t.Errorf("of 3 shards came %v", seen)
	}
	if got := marshal.AnyShard(0); got != "0" {
		t.Errorf("AnyShard(0) = %s", got)
	}
}

func TestNumbersAreShortTexts(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", -1.5: "-1.5", 0.1: "0.1", 1e20: "100000000000000000000", 1e21: "1e+21",
		0.000001: "0.000001", 1e-7: "1e-07", math.Inf(1): "", math.Inf(-1): "",
	} {
		if got := marshal.FormatFloat(f); got != want {
			t.Errorf("FormatFloat(%v) = %q, want %q", f, got, want)
		}
	}
	if got := marshal.FormatFloat(math.NaN()); got != "" {
		t.Errorf("NaN is %q", got)
	}
	if got := marshal.FormatInt(math.MinInt64) + marshal.FormatBool(true); got != "-9223372036854775808true" {
		t.Error(got)
	}
}

func TestTimesHaveOneWidthAndAreCutOff(t *testing.T) {
	berlin := time.FixedZone("", 2*3600)
	for _, test := range []struct {
		at                            time.Time
		stamp, day, year, month, hour string
	}{
		{time.Date(2026, 2, 17, 0, 30, 5, 123_999_999, berlin), "2026-02-16T22:30:05.123Z", "2026-02-16", "2026", "2026-02", "2026-02-16T22"},
		{time.Time{}, "0001-01-01T00:00:00.000Z", "0001-01-01", "0001", "0001-01", "0001-01-01T00"},
		{time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), "9999-12-31T23:59:59.999Z", "9999-12-31", "9999", "9999-12", "9999-12-31T23"},
		{time.Date(1969, 12, 31, 23, 59, 59, 999_999_999, time.UTC), "1969-12-31T23:59:59.999Z", "1969-12-31", "1969", "1969-12", "1969-12-31T23"},
		{time.Date(0, 1, 1, 1, 0, 0, 0, berlin), "", "", "", "", ""},
		{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), "", "", "", "", ""},
	} {
		got := [5]string{marshal.FormatTime(test.at), marshal.DayOf(test.at), marshal.YearOf(test.at), marshal.MonthOf(test.at), marshal.HourOf(test.at)}
		if got != [5]string{test.stamp, test.day, test.year, test.month, test.hour} {
			t.Errorf("%v is %q", test.at, got)
		}
	}
	if got := marshal.FormatUnix(time.Unix(-1, 999)); got != "-1" {
		t.Errorf("FormatUnix = %s", got)
	}
}

func TestParseTimeReadsRFC3339(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-02-17T10:30:05.123Z":       time.Date(2026, 2, 17, 10, 30, 5, 123e6, time.UTC),
		"2026-02-17T10:30:05Z":           time.Date(2026, 2, 17, 10, 30, 5, 0, time.UTC),
		"2026-02-17T10:30:05.123456789Z": time.Date(2026, 2, 17, 10, 30, 5, 123456789, time.UTC),
		"2026-02-17T10:30:05+02:00":      time.Date(2026, 2, 17, 8, 30, 5, 0, time.UTC),
		"2024-02-29T00:00:00.000Z":       time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
		"2000-02-29T00:00:00.000Z":       time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC),
	} {
		if got, err := marshal.ParseTime(text); err != nil || got != want {
			t.Errorf("ParseTime(%s) = %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "today", "2026-02-17", "2026-02-29T00:00:00.000Z", "1900-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z",
		"2026-00-01T00:00:00.000Z", "2026-04-31T00:00:00.000Z", "2026-01-00T00:00:00.000Z", "2026-01-01T24:00:00.000Z",
		"2026-01-01T00:60:00.000Z", "2026-01-01T00:00:60.000Z", "2026-01-01T00:00:00.00xZ", "2026-01-01 00:00:00.000Z"} {
		if got, err := marshal.ParseTime(text); err == nil {
			t.Errorf("ParseTime(%s) = %v", text, got)
		}
	}
}

func TestTimeOfIDReadsTheTimeInAnID(t *testing.T) {
	for id, want := range map[string]string{
		"01ARZ3NDEKTSV4RRFFQ69G5FAV":           "2016-07-30T23:54:10.259Z",
		"7ZZZZZZZZZTSV4RRFFQ69G5FAV":           "", // the year 10889
		"017f22e2-79b0-7cc3-98c4-dc0c0c07398f": "2022-02-22T19:22:22.000Z",
	} {
		if got, err := access.TimeOfID(id); err != nil || marshal.FormatTime(got) != want {
			t.Errorf("TimeOfID(%s) = %v, %v, want %s", id, got, err, want)
		}
	}
	for _, id := range []string{"", "u1", "81ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDUKTSV4RRFFQ69G5FAV", "017f22e2-79b0-4cc3-98c4-dc0c0c07398f", "+17f22e2-79b0-7cc3-98c4-dc0c0c07398f"} {
		if got, err := access.TimeOfID(id); err == nil {
			t.Errorf("TimeOfID(%s) = %v", id, got)
		}
	}
}

// What a time is written as reads as that time, and quick and thorough reading agree.
func FuzzTime(f *testing.F) {
	f.Add(int64(1771324205), int64(123_456_789), "2026-02-17T10:30:05.123Z")
	f.Add(int64(-62167219201), int64(0), "0000-01-01T00:00:00+01:00")
	f.Add(int64(253402300800), int64(999), "2026-02-29T00:00:00.000Z")
	f.Add(int64(0), int64(0), "2026-01-01T00:00:00,000Z")
	f.Fuzz(func(t *testing.T, seconds, nanos int64, text string) {
		at := time.Unix(seconds%400_000_000_000, nanos%1e9)
		if written := marshal.FormatTime(at); written != "" {
			if len(written) != 24 {
				t.Errorf("%v is %q, which has not 24 characters", at, written)
			}
			// Truncate counts from the year 1, as the milliseconds of a time do.
			if got, err := marshal.ParseTime(written); err != nil || !got.Equal(at.Truncate(time.Millisecond)) {
				t.Errorf("%v was written as %s and reads %v, %v", at, written, got, err)
			}
		} else if year := at.UTC().Year(); year >= 0 && year <= 9999 {
			t.Errorf("%v has no text", at)
		}
		got, err := marshal.ParseTime(text)
		want, wantErr := time.Parse(time.RFC3339Nano, text)
		if (err == nil) != (wantErr == nil) || err == nil && !got.Equal(want) {
			t.Errorf("ParseTime(%q) = %v, %v; time.Parse says %v, %v", text, got, err, want, wantErr)
		}
	})
}

func FuzzCutAndShard(f *testing.F) {
	f.Add("é日x", 2)
	f.Add("x\xff", 1)
	f.Fuzz(func(t *testing.T, s string, n int) {
		cut := marshal.Cut(s, n)
		if got, want := utf8.RuneCountInString(cut), min(max(n, 0), utf8.RuneCountInString(s)); got != want {
			t.Errorf("Cut(%q, %d) has %d characters, want %d", s, n, got, want)
		}
		if shard, err := strconv.Atoi(marshal.ShardOf(s, n)); err != nil || shard < 0 || shard > 0 && shard >= n {
			t.Errorf("ShardOf(%q, %d) = %d, %v", s, n, shard, err)
		}
	})
}
