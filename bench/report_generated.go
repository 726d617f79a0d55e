package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// reportGenerated prints a section about generated code: what an operation costs,
// also in memory, and how the systems compare, with the ends of the middle half of
// the rounds.
func (r *results) reportGenerated(b *strings.Builder, section string) {
	rows := r.rowsOf(section)
	if len(rows) == 0 {
		return
	}
	bases := basesOf(rows)
	t := &textTable{}
	t.add("workload", "", "system", "time/op", "cpu/op", "allocs/op", "bytes/op")
	for _, name := range bases {
		t.extend("x "+name, "half", "target", "fewer allocs", "target")
	}
	for _, row := range rows {
		if row.Error != "" {
			t.add(row.Title, "", "failed: "+row.Error)
			continue
		}
		title := row.Title
		for _, s := range row.Systems {
			t.add(title, "", s.System, duration(time.Duration(1e9/s.Rate)), duration(s.CPUPerOp), tenths(s.Allocs), thousands(s.Bytes))
			for _, name := range bases {
				t.extend(s.comparison(name)...)
			}
			title = ""
		}
	}
	fmt.Fprintf(b, "\n%s\n\n%s", sectionTitles[section], t)
}

// comparison returns the cells of a system beside another; empty if they are not
// compared.
func (s systemResult) comparison(against string) []string {
	r, ok := s.ratio(against)
	if !ok {
		return []string{"", "", "", "", ""}
	}
	return []string{
		ratioText(r.Ratio), ratioText(r.Lower) + "-" + ratioText(r.Upper), r.verdict().text(),
		fewerText(r.FewerAllocs), r.allocsVerdict().text(),
	}
}

// fewerText returns a ratio of allocations; a system that has none is not divided by
// the few that the measuring itself makes.
func fewerText(ratio float64) string {
	if ratio > 100 {
		return "> 100"
	}
	return ratioText(ratio)
}

// allocsVerdict is about the allocations; about nothing if they have no target.
func (r ratioResult) allocsVerdict() verdict {
	if r.AllocsTarget == 0 {
		return verdict{}
	}
	return verdict{
		got: fewerText(r.FewerAllocs), want: ">= " + ratioText(r.AllocsTarget),
		met: r.FewerAllocs >= r.AllocsTarget-0.005,
	}
}

func tenths(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
