package operator

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/apps/internal/staff"
	"sortkey.dev/apps/internal/webkit"
)

const (
	// clearlyMore is the ratio to the design's estimate above which a pattern is reported.
	clearlyMore = 1.25
	// drawn is the number of patterns in the chart.
	drawn = 12
	// onlyOver selects the patterns clearly above the design's estimate.
	onlyOver = "over"
)

// patternsView holds the data of operator-patterns.html.
type patternsView struct {
	Bar
	Metered  bool
	Chart    webkit.RatioChart
	Columns  []columnView
	Rows     []PatternRow
	Unused   []string
	Used     int
	Calls    int64
	Units    string // of all calls
	Over     int    // patterns clearly above the design's estimate
	OnlyOver bool   // show only those
	Others   string // link that toggles OnlyOver
}

// A columnView is the head of a column that can be sorted by.
type columnView struct {
	Text, Href, Sort string // Sort is ascending, descending or ""
	Number           bool
	by               string // sort order of the link
}

// A PatternRow is one access pattern as it is used, for a table.
type PatternRow struct {
	access.PatternReport
	Path             string
	Units, Ratio     string // of a call; a dash if they are not known
	P50Text, P99Text string
	Over             bool // clearly above the design's estimate
}

// A patternColumn is a column of the table of patterns.
type patternColumn struct {
	name, text string
	compare    func(a, b access.PatternReport) int
}

// patternColumns lists the sortable columns. Numbers sort descending first.
var patternColumns = []patternColumn{
	{"pattern", "Pattern", func(a, b access.PatternReport) int { return strings.Compare(a.Pattern, b.Pattern) }},
	{"calls", "Calls", func(a, b access.PatternReport) int { return cmp.Compare(a.Calls, b.Calls) }},
	{"units", "Units a call", func(a, b access.PatternReport) int { return cmp.Compare(a.UnitsPerCall, b.UnitsPerCall) }},
	{"estimate", "Design", func(a, b access.PatternReport) int { return cmp.Compare(a.Estimated, b.Estimated) }},
	{"ratio", "Ratio", func(a, b access.PatternReport) int { return cmp.Compare(a.Ratio, b.Ratio) }},
	{"p50", "p50", func(a, b access.PatternReport) int { return cmp.Compare(a.P50, b.P50) }},
	{"p99", "p99", func(a, b access.PatternReport) int { return cmp.Compare(a.P99, b.P99) }},
	{"refused", "Refused", func(a, b access.PatternReport) int { return cmp.Compare(a.Refused, b.Refused) }},
	{"errors", "Errors", func(a, b access.PatternReport) int { return cmp.Compare(a.Errors, b.Errors) }},
}

func (f *Frame) patterns(w http.ResponseWriter, r *http.Request, _ staff.Operator) error {
	view := patternsView{Bar: f.machineBar(r, "Access patterns"), Metered: f.o.Meter != nil}
	if view.Metered {
		view.fill(f.o.Meter.Report(), f.o.Patterns, r.URL.Query())
	}
	f.site.Render(w, r, http.StatusOK, "operator-patterns.html", view)
	return nil
}

func (v *patternsView) fill(reports []access.PatternReport, all []*access.Pattern, query url.Values) {
	v.OnlyOver = query.Get("only") == onlyOver
	v.Chart, v.Units = ratioChart(reports)
	v.Columns = sortPatterns(reports, query.Get("sort"))
	v.Unused, v.Used = unusedPatterns(reports, all), len(reports)
	for _, report := range reports {
		row := NewPatternRow(report)
		v.Calls += report.Calls
		if row.Over {
			v.Over++
		}
		if row.Over || !v.OnlyOver {
			v.Rows = append(v.Rows, row)
		}
	}
	for i := range v.Columns {
		v.Columns[i].Href = patternsAddress(v.Columns[i].by, v.OnlyOver)
	}
	v.Others = patternsAddress(query.Get("sort"), !v.OnlyOver)
}

// ratioChart draws the patterns that take most units, beside what the design says.
func ratioChart(reports []access.PatternReport) (chart webkit.RatioChart, units string) {
	most, sum := slices.Clone(reports), 0.0
	slices.SortStableFunc(most, func(a, b access.PatternReport) int { return cmp.Compare(b.Units, a.Units) })
	chart = webkit.RatioChart{
		Title: "Where the units go", Same: "as designed", Most: clearlyMore,
		Desc: "The patterns that take most units. Bars to the right take more units a call than the design says, bars to the left less.",
	}
	for _, report := range most {
		sum += report.Units
	}
	for _, report := range most {
		if len(chart.Rows) == drawn || report.Ratio == 0 || report.Units == 0 {
			continue
		}
		chart.Rows = append(chart.Rows, webkit.Ratio{
			Label: report.Pattern, Value: report.Ratio,
			Note: fmt.Sprintf("%s of all units", webkit.Percent(report.Units/sum)),
		})
	}
	return chart, webkit.Decimal(sum, 0)
}

// patternsAddress returns the URL of the table in an order; "" is the default order.
func patternsAddress(by string, only bool) string {
	query := url.Values{}
	if by != "" {
		query.Set("sort", by)
	}
	if only {
		query.Set("only", onlyOver)
	}
	return (&url.URL{Path: patternsPath, RawQuery: query.Encode()}).String()
}

// sortPatterns sorts by a column, in reverse with a minus before its name, and returns the
// column headers.
func sortPatterns(reports []access.PatternReport, by string) []columnView {
	name, backwards := strings.CutPrefix(by, "-")
	if !slices.ContainsFunc(patternColumns, func(c patternColumn) bool { return c.name == name }) {
		name, backwards = "calls", true
	}
	var columns []columnView
	for _, c := range patternColumns {
		column := columnView{Text: c.text, Number: c.name != "pattern", by: "-" + c.name}
		if !column.Number {
			column.by = c.name
		}
		if c.name == name {
			column.Sort, column.by = "ascending", "-"+c.name
			if backwards {
				column.Sort, column.by = "descending", c.name
			}
			slices.SortStableFunc(reports, func(a, b access.PatternReport) int {
				if backwards {
					a, b = b, a
				}
				return c.compare(a, b)
			})
		}
		columns = append(columns, column)
	}
	return columns
}

// NewPatternRow returns the row of a measured pattern.
func NewPatternRow(report access.PatternReport) PatternRow {
	row := PatternRow{
		PatternReport: report, Path: (&access.Pattern{Table: report.Table, Index: report.Index}).Path(),
		Units: "–", Ratio: "–", P50Text: latency(report.P50), P99Text: latency(report.P99), Over: report.Ratio > clearlyMore,
	}
	if report.UnitsPerCall > 0 {
		row.Units = webkit.Decimal(report.UnitsPerCall, 2)
	}
	if report.Ratio > 0 {
		row.Ratio = webkit.Decimal(report.Ratio, 2)
	}
	return row
}

// unusedPatterns returns the patterns of the designs that this process has not called.
func unusedPatterns(reports []access.PatternReport, all []*access.Pattern) []string {
	used := make(map[string]bool)
	for _, report := range reports {
		for name := range strings.SplitSeq(report.Pattern, " + ") {
			used[name] = true
		}
	}
	var unused []string
	for _, pattern := range all {
		if !used[pattern.Name] {
			unused = append(unused, pattern.Name)
		}
	}
	slices.Sort(unused)
	return unused
}
