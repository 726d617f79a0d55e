package webkit_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/apps/internal/webkit"
)

func TestNumbersAreReadable(t *testing.T) {
	got := []string{
		webkit.Number(0), webkit.Number(999), webkit.Number(1000), webkit.Number(-1234567), webkit.Number(int64(math.MinInt64)),
		webkit.Decimal(1234.5, 2), webkit.Decimal(2, 2), webkit.Decimal(-0.001, 1), webkit.Decimal(math.NaN(), 1),
		webkit.Percent(0.42), webkit.Percent(0.001), webkit.Percent(0), webkit.Percent(1),
		webkit.Money(1250, "EUR"), webkit.Money(-5, "USD"), webkit.Money(123456700, "SEK"), webkit.Money(math.MinInt64, ""),
		webkit.Bytes(999), webkit.Bytes(1500), webkit.Bytes(250_000_000),
	}
	want := []string{
		"0", "999", "1,000", "−1,234,567", "−9,223,372,036,854,775,808",
		"1,234.5", "2", "0", "–",
		"42 %", "< 1 %", "0 %", "100 %",
		"€12.50", "−$0.05", "1,234,567.00\u00a0SEK", "−92,233,720,368,547,758.08",
		"999 B", "1.5 KB", "250 MB",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTimesAreReadable(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var got []string
	for _, d := range []time.Duration{0, 10 * time.Second, 50 * time.Second, 5 * time.Minute, 59*time.Minute + 40*time.Second, 25 * time.Hour, 40 * 24 * time.Hour, 800 * 24 * time.Hour, -90 * time.Minute, -3 * time.Second} {
		got = append(got, webkit.Relative(now.Add(-d), now))
	}
	want := []string{"just now", "just now", "1 minute ago", "5 minutes ago", "1 hour ago", "1 day ago", "1 month ago", "2 years ago", "in 2 hours", "in a moment"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("relative (-want +got):\n%s", diff)
	}
	got = nil
	for _, d := range []time.Duration{30 * time.Millisecond, 45 * time.Second, 65 * time.Second, 2 * time.Hour, 26 * time.Hour, 30 * 24 * time.Hour, -time.Minute} {
		got = append(got, webkit.Duration(d)+" = "+webkit.Clock(d))
	}
	want = []string{"30 ms = 0:00", "45 s = 0:45", "1 min 5 s = 1:05", "2 h = 2:00:00", "1 day 2 h = 26:00:00", "30 days = 720:00:00", "−1 min = 0:00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("durations (-want +got):\n%s", diff)
	}
}

func TestInitialsAndCut(t *testing.T) {
	got := []string{
		webkit.Initials("Ana María de la Fuente"), webkit.Initials("quiet-fox"), webkit.Initials("östen"), webkit.Initials(" "), webkit.Initials("ann@example.org"),
		webkit.Cut("short", 10), webkit.Cut("a sentence that is too long", 14), webkit.Cut("Donaudampfschifffahrt", 8),
	}
	if diff := cmp.Diff([]string{"AF", "QF", "Ö", "?", "AO", "short", "a sentence…", "Donauda…"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCountsHaveNoHalves: the middle of the axis of what is counted is a whole number.
func TestCountsHaveNoHalves(t *testing.T) {
	for name, test := range map[string]struct {
		values []float64
		format string
		want   []string
	}{
		"nothing yet": {[]float64{0, 0}, "", []string{"0", "1", "2"}},
		"one":         {[]float64{0, 1}, "", []string{"0", "1", "2"}},
		"five":        {[]float64{5, 3}, "", []string{"0", "3", "6"}},
		"six":         {[]float64{6}, "", []string{"0", "3", "6"}},
		"thirty":      {[]float64{27}, "", []string{"0", "15", "30"}},
		"no counts":   {[]float64{0.5, 1}, "", []string{"0", "0.5", "1"}},
		"shares":      {[]float64{1}, "share", []string{"0 %", "50 %", "100 %"}},
	} {
		series, labels := []webkit.Series{{Values: test.values}}, []string{"a", "b"}[:len(test.values)]
		var line, stacked []string
		for _, label := range (webkit.LineChart{Labels: labels, Series: series, Format: test.format}).ValueAxis() {
			line = append(line, label.Text)
		}
		for _, label := range (webkit.StackedChart{Labels: labels, Series: series, Format: test.format}).ValueAxis() {
			stacked = append(stacked, label.Text)
		}
		if diff := cmp.Diff([][]string{test.want, test.want}, [][]string{line, stacked}); diff != "" {
			t.Errorf("%s: the axes of a line and of columns (-want +got):\n%s", name, diff)
		}
	}
}

func TestChartsBeginAtZeroAndNeverBreak(t *testing.T) {
	bars := webkit.BarChart{Bars: []webkit.Bar{{Label: "a", Value: 50}, {Label: "b", Value: 25}, {Label: "c", Value: -3}, {Label: "d", Value: math.NaN()}}}
	var widths []string
	for _, row := range bars.Rows() {
		widths = append(widths, row.Width)
	}
	if diff := cmp.Diff([]string{"100", "50", "", ""}, widths); diff != "" {
		t.Errorf("widths of bars (-want +got):\n%s", diff)
	}

	line := webkit.LineChart{Labels: []string{"a", "b", "c"}, Series: []webkit.Series{{Name: "one", Values: []float64{0, 5, 10}}}}
	if got := line.Lines()[0].Points; got != "0,100 50,50 100,0" {
		t.Errorf("the line is %s", got)
	}
	stacked := webkit.StackedChart{Labels: []string{"a"}, Series: []webkit.Series{{Name: "x", Values: []float64{4}}, {Name: "y", Values: []float64{6}}}}
	parts := stacked.Columns()[0].Parts
	if len(parts) != 2 || parts[1].High != "100.8" || parts[0].High != "67.2" || parts[0].Y != "122.8" || parts[1].Y != "22" {
		t.Errorf("the parts of the column are %+v", parts)
	}

	for name, empty := range map[string]func(){
		"line without values": func() { webkit.LineChart{Labels: []string{"a"}, Series: []webkit.Series{{}}}.Lines() },
		"line of one point": func() {
			webkit.LineChart{Labels: []string{"a"}, Series: []webkit.Series{{Values: []float64{1}}}}.Lines()
		},
		"nothing stacked":        func() { webkit.StackedChart{Labels: []string{"a", "b"}}.Columns() },
		"no bars":                func() { webkit.BarChart{}.Rows() },
		"sparkline of nothing":   func() { webkit.Sparkline{}.Points() },
		"sparkline of one point": func() { webkit.Sparkline{Values: []float64{1}}.Points() },
	} {
		t.Run(name, func(t *testing.T) { empty() })
	}
}

func TestChartTablesHoldTheSameNumbers(t *testing.T) {
	chart := webkit.LineChart{Labels: []string{"Mon", "Tue"}, Unit: "answers", Series: []webkit.Series{{Values: []float64{1200, 7.5}}, {Name: "late", Values: []float64{3}}}}
	table := chart.Table()
	if diff := cmp.Diff([][]string{{"Mon", "1,200", "3"}, {"Tue", "7.5", "–"}}, table.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"", "answers", "late"}, table.Head); diff != "" {
		t.Errorf("head (-want +got):\n%s", diff)
	}
}
