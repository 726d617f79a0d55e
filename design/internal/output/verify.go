package output

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/verify"
)

// Verification prints the report of a verification.
type Verification struct{ Report *verify.Report }

// Failed reports whether anything differs from the expected results.
func (v Verification) Failed() bool { return v.Report.Failed() }

// Text writes the report as text.
func (v Verification) Text(w io.Writer, style Style) error {
	p, r := &page{style: style}, v.Report
	p.heading(r.Design + ", run")
	p.paragraph("", fmt.Sprintf("%s items, %s, %s calls, seed %d",
		figures.Grouped(strconv.Itoa(r.Items)), count(len(r.Patterns), "pattern"), figures.Grouped(strconv.Itoa(v.calls())), r.Seed))
	p.line("")
	v.patterns(p)
	p.line("")
	v.heat(p)
	p.line("")
	v.differences(p)
	return p.send(w)
}

func (v Verification) calls() int {
	n := 0
	for _, p := range v.Report.Patterns {
		n += p.Calls
	}
	return n
}

func (v Verification) patterns(p *page) {
	p.heading("Patterns")
	g := grid{heads: []string{"pattern", ">calls", ">done", ">refused", ">items", ">units", ">should be", ">a call", ">typical", ">estimate", ""}}
	for _, r := range v.Report.Patterns {
		verdict, should := cell{"same", green}, ""
		if r.Measured != r.Expected {
			should = unitText(r.Expected)
		}
		if n := len(r.Differences) + r.Omitted; n > 0 {
			verdict = cell{count(n, "difference"), red}
		}
		typical := ""
		if r.HasTypical {
			typical = unitText(r.Typical)
		}
		refused, items := strconv.Itoa(r.Refused), ""
		if r.Items > 0 {
			refused, items = "", figures.Grouped(strconv.Itoa(r.Items))
		}
		g.row(r.Name, strconv.Itoa(r.Calls), strconv.Itoa(r.Found), refused, items,
			unitText(r.Measured), should, unitText(r.PerCall), typical, unitText(r.Design), verdict)
	}
	g.dropEmpty("should be")
	g.narrow(p.style, "a call", "typical", "items", "should be", "estimate", "refused", "done", "units")
	g.write(p, tableIndent)
	remark(p, g.legend(patternColumns))
}

// tableIndent is the indentation of every row.
const tableIndent = "  "

// patternColumns describes the columns of the table of patterns.
var patternColumns = []struct{ head, text string }{
	{"done", "calls that returned or changed items"},
	{"refused", "calls that were rejected as expected"},
	{"units", "capacity units DynamoDB counted"},
	{"should be", "units of the cost model, if different"},
	{"a call", "average units of a call"},
	{"typical", "units of a call with as many items of the same size as in the estimate, if there was one"},
	{"estimate", "estimated units of a call at the stated sizes and numbers of items"},
	{"", "same: results, changes and units are as expected"},
}

// legend describes the columns of the grid.
func (g *grid) legend(columns []struct{ head, text string }) string {
	var all []string
	for _, c := range columns {
		if c.head == "" {
			all = append(all, c.text)
		} else if g.column(c.head) >= 0 {
			all = append(all, c.head+": "+c.text)
		}
	}
	return strings.Join(all, "; ")
}

// column returns the index of a column, or -1.
func (g *grid) column(head string) int {
	return slices.IndexFunc(g.heads, func(h string) bool { return strings.TrimPrefix(h, ">") == head })
}

// room returns the maximum width of a grid. Without a stated width the output is not a
// terminal, and lines may be long.
func (s Style) room() int {
	if s.Width <= 0 {
		return math.MaxInt
	}
	return s.width() - len(tableIndent)
}

// dropEmpty removes a column if it is empty.
func (g *grid) dropEmpty(head string) {
	i := g.column(head)
	if i >= 0 && !slices.ContainsFunc(g.rows, func(row []cell) bool { return row[i].text != "" }) {
		g.drop(i)
	}
}

// drop removes a column.
func (g *grid) drop(i int) {
	g.heads = slices.Delete(g.heads, i, i+1)
	for r := range g.rows {
		g.rows[r] = slices.Delete(g.rows[r], i, i+1)
	}
}

// narrow removes columns, one after the other, until the grid fits.
func (g *grid) narrow(style Style, columns ...string) {
	for _, head := range columns {
		i := g.column(head)
		if g.wide() <= style.room() || i < 0 {
			continue
		}
		g.drop(i)
	}
}

// cutLast truncates the last column, down to a minimum width.
func (g *grid) cutLast(style Style) {
	const least = 16
	last, over := len(g.heads)-1, g.wide()-style.room()
	if over <= 0 {
		return
	}
	most := 0
	for _, row := range g.rows {
		most = max(most, utf8.RuneCountInString(row[last].text))
	}
	limit := max(least, most-over)
	for _, row := range g.rows {
		if text := []rune(row[last].text); len(text) > limit {
			row[last].text = string(text[:limit-1]) + "…"
		}
	}
}

// wide returns the width of the grid in columns of the terminal.
func (g *grid) wide() int {
	total := 2 * (len(g.heads) - 1)
	for i, head := range g.heads {
		most := utf8.RuneCountInString(strings.TrimPrefix(head, ">"))
		for _, row := range g.rows {
			most = max(most, utf8.RuneCountInString(row[i].text))
		}
		total += most
	}
	return total
}

// remark writes a note about the table above it.
func remark(p *page, text string) {
	for _, line := range wrap(text, p.style.width()-2) {
		p.line("  %s", p.paint(dim, line))
	}
}

// unitText formats a number of units with at most two decimals.
func unitText(n float64) string {
	return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64)
}

func (v Verification) heat(p *page) {
	p.heading("Hottest partitions at the peak")
	g := grid{heads: []string{"path", ">partitions", ">RCU", ">WCU", ">of one", ">share", "key"}}
	for _, h := range v.Report.Heat {
		use := cell{text: percent(h.Use)}
		if h.Over {
			use.colour = red
		}
		g.row(h.Path, strconv.Itoa(h.Partitions), unitText(h.RCU), unitText(h.WCU), use, percent(h.Share), h.Hottest)
	}
	g.cutLast(p.style)
	g.narrow(p.style, "partitions", "share", "WCU", "RCU", "of one")
	g.write(p, tableIndent)
	remark(p, "calls weighted by the peak rate of their pattern; of one: share of a partition's limits, 3000 RCU and 1000 WCU; share: share of the load of the path")
}

// percent formats a share; a non-zero share is never shown as 0 %.
func percent(part float64) string {
	if part > 0 && part < 0.01 {
		return "<1%"
	}
	return strconv.FormatFloat(part*100, 'f', 0, 64) + "%"
}

func (v Verification) differences(p *page) {
	if !v.Report.Failed() {
		p.line("%s", p.paint(green, "All results, changes and capacity units are as expected."))
		return
	}
	p.heading("Differences")
	for _, r := range v.Report.Patterns {
		for _, d := range r.Differences {
			writeDifference(p, r.Name, d)
		}
		if r.Omitted > 0 {
			p.line("  %s: and %d more", r.Name, r.Omitted)
		}
	}
	for i, d := range v.Report.Leftover {
		if i == 10 {
			p.line("  and %d more rows", len(v.Report.Leftover)-i)
			break
		}
		writeDifference(p, "afterwards", d)
	}
}

func writeDifference(p *page, name string, d verify.Difference) {
	asked := ""
	if d.Arguments != "" {
		asked = fmt.Sprintf(" (%s)", plain(d.Arguments))
	}
	p.line("  %s %s%s", p.paint(red, d.Kind), p.paint(bold, name), asked)
	p.paragraph("      ", plain(d.Detail))
}
