package output

import (
	"strings"
	"testing"
	"unicode/utf8"

	"sortkey.dev/design/internal/verify"
)

// The report fits the width of the terminal: less important columns are removed.
func TestVerificationFits(t *testing.T) {
	v := Verification{Report: &verify.Report{
		Design: "Shop", Seed: 1, Items: 1200,
		Patterns: []*verify.PatternReport{
			{Name: "ListOrdersOfStore", Calls: 33, Found: 30, Items: 200, Measured: 45.5, Expected: 45.5, PerCall: 1.38, Design: 2, Typical: 2, HasTypical: true},
			{Name: "PlaceOrder", Calls: 24, Found: 16, Refused: 8, Measured: 96, Expected: 94, PerCall: 6, Design: 6, Differences: []verify.Difference{
				{Kind: "content", Detail: strings.Repeat("one word after the other ", 10)},
			}},
		},
		Heat: []verify.PathHeat{{Path: "shop.by_store", Partitions: 12, RCU: 1.5, WCU: 2, Share: 0.5, Use: 0.002, Hottest: `"` + strings.Repeat("STORE#", 20) + `"`}},
	}}
	for _, c := range []struct {
		width      int
		has, lacks []string
	}{
		{0, []string{"should be", "a call", "typical", "estimate", "partitions", strings.Repeat("STORE#", 20)}, nil},
		{120, []string{"should be", "a call", "typical", "estimate", "partitions", "…"}, nil},
		{104, []string{"typical", "should be", "estimate", "refused"}, []string{"a call"}},
		{90, []string{"should be", "estimate", "refused"}, []string{"a call", "typical"}},
		{50, []string{"calls", "units"}, []string{"should be", "a call", "typical"}},
		{40, []string{"calls", "1 difference"}, []string{"should be", "a call", "typical"}},
	} {
		var b strings.Builder
		if err := v.Text(&b, Style{Width: c.width}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); c.width > 0 && n > c.width {
				t.Errorf("%d columns, and this takes %d: %s", c.width, n, line)
			}
		}
		table, _, _ := strings.Cut(text, "Hottest")
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%d columns: no %q in\n%s", c.width, want, text)
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(table, "  "+not+" ") || strings.Contains(table, not+":") {
				t.Errorf("%d columns: %q in\n%s", c.width, not, table)
			}
		}
	}
}

// Counted units are shown once; the expected number is shown only if it differs.
func TestVerificationShowsExpectedUnitsIfDifferent(t *testing.T) {
	report := &verify.Report{Design: "Shop", Patterns: []*verify.PatternReport{{Name: "GetOrder", Calls: 2, Measured: 4, Expected: 4}, {Name: "PlaceOrder", Calls: 2, Measured: 96, Expected: 96}}}
	shown := func() string {
		var b strings.Builder
		if err := (Verification{Report: report}).Text(&b, Style{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if text := shown(); strings.Contains(text, "should be  ") || strings.Count(text, "96") != 1 {
		t.Errorf("96 units, which is right:\n%s", text)
	}
	report.Patterns[1].Expected = 94
	if text := shown(); !strings.Contains(text, "units  should be") || !strings.Contains(text, "96         94") || strings.Count(text, "  4  ") != 1 {
		t.Errorf("96 units instead of 94:\n%s", text)
	}
}
