package model

import (
	"strings"
	"testing"
	"time"

	"sortkey.dev/design/internal/exact"
)

func TestRates(t *testing.T) {
	for text, perMonth := range map[string]exact.Number{
		"1/s":       exact.Int(2_628_000),
		"0.5/s":     exact.Int(1_314_000),
		"1/minute":  exact.Int(43_800),
		"1/hour":    exact.Int(730),
		"24/day":    exact.Int(730),
		"50/day":    exact.Ratio(50*730, 24),
		"168/week":  exact.Int(730),
		"7/month":   exact.Int(7),
		"1M/month":  exact.Int(1_000_000),
		"100k/year": exact.Ratio(100_000, 12),
		"0/day":     exact.Zero,
	} {
		got, err := ParseRate(text)
		if err != nil || got.Text != text || !got.PerMonth.Equal(perMonth) {
			t.Errorf("ParseRate(%q) = %v a month, %v; want %v", text, got.PerMonth, err, perMonth)
		}
	}
	if rate, _ := ParseRate("3/s"); !rate.PerSecond().Equal(exact.Int(3)) {
		t.Errorf("3/s is %v a second", rate.PerSecond())
	}
}

func TestInvalidQuantities(t *testing.T) {
	rate := func(s string) *SyntaxError { _, err := ParseRate(s); return err }
	size := func(s string) *SyntaxError { _, err := ParseBytes(s); return err }
	span := func(s string) *SyntaxError { _, err := ParseDuration(s); return err }
	for _, test := range []struct {
		parse          func(string) *SyntaxError
		text           string
		offset, length int
		message        string
	}{
		{rate, "", 0, 1, "write it as 50/day, 3/s or 1M/month"},
		{rate, "often", 0, 5, `"often" is not a rate`},
		{rate, "-1/day", 0, 6, "is not a rate"},
		{rate, "1.2.3/day", 0, 9, "is not a rate"},
		{rate, "50", 0, 2, "does not say per what"},
		{rate, "50/", 0, 3, "has no unit"},
		{rate, "50/dy", 3, 2, "did you mean day?"},
		{rate, "50/sec", 3, 3, "did you mean s?"},
		{rate, "50/Day", 3, 3, "did you mean day?"},
		{rate, "50K/day", 2, 1, "k and M are thousands and millions"},
		{rate, "1,000/day", 1, 4, "is not part of a rate"},
		{rate, "50 /day", 2, 1, "is not part of a rate"},
		{rate, strings.Repeat("9", 61) + "/day", 0, 65, "is not a rate"},
		{size, "", 0, 1, "write it as 400B, 3.5KB, 2MB or 1GB"},
		{size, "400", 0, 3, "has no unit"},
		{size, "KB", 0, 2, "is not a size"},
		{size, "-1B", 0, 3, "is not a size"},
		{size, "4kb", 1, 2, "did you mean KB?"},
		{size, "4KiB", 1, 3, "did you mean KB?"},
		{size, "4XB", 1, 2, "write it as"},
		{size, "1048577GB", 0, 9, "sizes go up to 1048576GB"},
		{span, "", 0, 1, "write it as 30m, 24h, 90d, 4w or 2y"},
		{span, "90", 0, 2, "has no unit"},
		{span, "90 days", 2, 5, "write it as"},
		{span, "90days", 2, 4, "did you mean d?"},
		{span, "3months", 1, 6, "did you mean 30d?"},
		{span, "0d", 0, 2, "must be positive"},
		{span, "0.001m", 0, 6, "whole number of seconds"},
		{span, "101y", 0, 4, "go up to 100y"},
		{span, "36501d", 0, 6, "go up to 100y"},
		{span, "forever", 0, 7, "is not a duration"},
	} {
		checkError(t, test.text, test.parse(test.text), test.offset, test.length, false, test.message)
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{
		"0B": 0, "400B": 400, "3.5KB": 3584, "1KB": 1024, "2MB": 2 << 20, "1GB": 1 << 30, "0.3KB": 308, "25GB": 25 << 30,
		"1048576GB": 1 << 50,
	} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestDurations(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{
		"30m": 30 * time.Minute, "24h": day, "90d": 90 * day, "4w": 28 * day, "2y": 730 * day, "1.5h": 90 * time.Minute, "100y": 36500 * day,
	} {
		if got, err := ParseDuration(text); err != nil || time.Duration(got) != want {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v", text, time.Duration(got), err, want)
		}
	}
	if d, _ := ParseDuration("730h"); !d.Months().Equal(exact.One) {
		t.Errorf("730h are %v months", d.Months())
	}
	if d, _ := ParseDuration("36h"); !d.Days().Equal(exact.Ratio(3, 2)) {
		t.Errorf("36h are %v days", d.Days())
	}
}

func TestStated(t *testing.T) {
	for _, test := range []struct {
		text, value string
		decimals    int
		unit        string
	}{
		{"$1.75", "1.75", 2, "$"},
		{"~$0.01", "0.01", 2, "$"},
		{"9", "9", 0, ""},
		{"~9", "9", 0, ""},
		{"2.16M", "2160000", 2, ""},
		{"100k", "100000", 0, ""},
		{"$1.2k", "1200", 1, "$"},
		{"25%", "0.25", 0, "%"},
		{"12.5%", "0.125", 1, "%"},
		{"0.002", "0.002", 3, ""},
		{"1,000", "1000", 0, ""},
		{"$1,234,567.89", "1234567.89", 2, "$"},
		{"-3.5", "-3.5", 1, ""},
		{"-$5", "-5", 0, "$"},
		{" 7 ", "7", 0, ""},
	} {
		got, err := ParseStated(test.text)
		if err != nil {
			t.Errorf("ParseStated(%q): %v", test.text, err)
			continue
		}
		if !got.IsNumber || !got.Value.Equal(exact.MustParse(test.value)) || got.Decimals != test.decimals || got.Unit != test.unit {
			t.Errorf("ParseStated(%q) = %+v, value %v", test.text, got, got.Value)
		}
	}
	for _, text := range []string{"u3qcnm", "1,00", "10,0000", "1e5", ".5", "5.", "$", "$5%", "5 MB", "three", "$1.75/month", "1.2.3", strings.Repeat("9", 41)} {
		if got, err := ParseStated(text); err != nil || got.IsNumber || got.Text != text {
			t.Errorf("ParseStated(%q) = %+v, %v; want the text", text, got, err)
		}
	}
	if _, err := ParseStated(" "); err == nil {
		t.Error("nothing was read as a stated value")
	}
}

func TestRoundedToTheDigitsStated(t *testing.T) {
	for _, test := range []struct{ says, is, want string }{
		{"$1.75", "1.7498", "1.75"},
		{"$1.75", "1.745", "1.75"},
		{"$1.75", "1.7449", "1.74"},
		{"2.16M", "2163000", "2160000"},
		{"2.16M", "2165000", "2170000"},
		{"25%", "0.2549", "0.25"},
		{"9", "9.5", "10"},
	} {
		stated, _ := ParseStated(test.says)
		if got := stated.Rounded(exact.MustParse(test.is)); !got.Equal(exact.MustParse(test.want)) {
			t.Errorf("%s to the digits of %s is %v, want %s", test.is, test.says, got, test.want)
		}
	}
}

func FuzzParseRate(f *testing.F) {
	for _, seed := range []string{"50/day", "1M/month", "0.5/s", "1/", "/s", "é/day"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rate, err := ParseRate(text)
		if err != nil {
			checkBounds(t, text, err)
		} else if rate.PerMonth.Sign() < 0 {
			t.Errorf("%q happens %v times a month", text, rate.PerMonth)
		}
	})
}

func FuzzParseBytes(f *testing.F) {
	for _, seed := range []string{"400B", "3.5KB", "1GB", "9999999999999999999GB", "é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		size, err := ParseBytes(text)
		if err != nil {
			checkBounds(t, text, err)
		} else if size < 0 || size > mostBytes {
			t.Errorf("%q is %d bytes", text, size)
		}
	})
}

func FuzzParseDuration(f *testing.F) {
	for _, seed := range []string{"30m", "90d", "2y", "99999999999999y", "é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		span, err := ParseDuration(text)
		if err != nil {
			checkBounds(t, text, err)
		} else if span <= 0 || time.Duration(span) > mostSeconds*time.Second {
			t.Errorf("%q is %v", text, time.Duration(span))
		}
	})
}

func FuzzParseStated(f *testing.F) {
	for _, seed := range []string{"$1.75", "~$0.01", "2.16M", "25%", "1,000", "u3qcnm", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		stated, err := ParseStated(text)
		if err != nil {
			checkBounds(t, text, err)
		} else if stated.IsNumber && !stated.Rounded(stated.Value).Equal(stated.Value) {
			t.Errorf("%q does not agree with itself: %v", text, stated.Value)
		}
	})
}
