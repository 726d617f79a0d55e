package output

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/verify"
)

// Verification is what running a design found, to be written.
type Verification struct{ Report *verify.Report }

// Failed reports whether anything differs from what was proved.
func (v Verification) Failed() bool { return v.Report.Failed() }

// Text writes the report for people.
func (v Verification) Text(w io.Writer, style Style) error {
	p, r := &page{style: style}, v.Report
	p.heading(r.Design + ", run")
	p.line("%s items, %s, %s calls, seed %d", figures.Grouped(strconv.Itoa(r.Items)), count(len(r.Patterns), "pattern"), figures.Grouped(strconv.Itoa(v.calls())), r.Seed)
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
	g := grid{heads: []string{"pattern", ">calls", ">done", ">refused", ">items", ">units", ">cost model", ">a call", ">typical", ">design says", ""}}
	for _, r := range v.Report.Patterns {
		verdict := cell{"same", green}
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
			unitText(r.Measured), unitText(r.Expected), unitText(r.PerCall), typical, unitText(r.Design), verdict)
	}
	g.write(p, "  ")
	remark(p, "done: calls that found something, or changed it; refused: calls that had to be refused, and were. "+
		"units: what DynamoDB counted for these items; cost model: what they should take; a call: on average here; "+
		"typical: a call that reads as many items as the design estimates with, if one was made; design says: the estimate for the sizes and numbers of items that the design states")
}

// remark is what to know about the table above it.
func remark(p *page, text string) {
	for _, line := range wrap(text, p.style.width()-2) {
		p.line("  %s", p.paint(dim, line))
	}
}

// unitText is a number of units with at most two decimals.
func unitText(n float64) string {
	return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64)
}

func (v Verification) heat(p *page) {
	p.heading("Hottest partitions at the peak")
	g := grid{heads: []string{"path", ">partitions", ">RCU", ">WCU", ">share", "key"}}
	for _, h := range v.Report.Heat {
		share := cell{text: strconv.FormatFloat(h.Share*100, 'f', 0, 64) + "%"}
		if h.Over {
			share.colour = red
		}
		g.row(h.Path, strconv.Itoa(h.Partitions), unitText(h.RCU), unitText(h.WCU), share, h.Hottest)
	}
	g.write(p, "  ")
	remark(p, "each call weighed by how often its pattern is called in the busiest second; one partition can do 3000 RCU and 1000 WCU")
}

func (v Verification) differences(p *page) {
	if !v.Report.Failed() {
		p.line("%s", p.paint(green, "Every answer, every change and every price is what was proved."))
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
	p.line("      %s", plain(d.Detail))
}
