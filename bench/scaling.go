package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// scalingCallers is the number of callers that must get more done than one.
const scalingCallers = 16

// scalingSystems are ours: the doors in this process and the server.
var scalingSystems = []string{jsonDoor{}.name(), apiDoor{}.name(), clientDoor{}.name(), ownServer}

// scalingResult compares the throughput of one caller with that of many.
type scalingResult struct {
	section, title, system string
	one, many              float64 // operations a second
	floor                  float64 // the ratio of the first system of the row, a floor
}

func (s scalingResult) ratio() float64 { return s.many / s.one }

// verdict checks that the throughput rises.
func (s scalingResult) verdict() verdict {
	return verdict{
		what: s.section + ": " + s.title, callers: "1 to " + strconv.Itoa(scalingCallers), system: s.system,
		got: ratioText(s.ratio()), want: "> " + ratioText(scalingAbove), met: s.ratio() > scalingAbove,
	}
}

// scaling finds the rows that were measured with one caller and with many.
func (r *results) scaling() []scalingResult {
	var all []scalingResult
	for _, one := range r.Rows {
		i := slices.IndexFunc(r.Rows, func(many rowResult) bool {
			return many.Section == one.Section && many.Workload == one.Workload && many.Callers == scalingCallers
		})
		if one.Callers != 1 || i < 0 || len(one.Systems) == 0 || len(r.Rows[i].Systems) != len(one.Systems) {
			continue
		}
		many := r.Rows[i].Systems
		for n, s := range one.Systems {
			if slices.Contains(scalingSystems, s.System) {
				all = append(all, scalingResult{
					section: one.Section, title: one.Title, system: s.System,
					one: s.Rate, many: many[n].Rate, floor: many[0].Rate / one.Systems[0].Rate,
				})
			}
		}
	}
	return all
}

// reportScaling prints whether throughput rises with the number of callers.
func (r *results) reportScaling(b *strings.Builder) {
	all := r.scaling()
	if len(all) == 0 {
		return
	}
	t := &textTable{}
	t.add("workload", "section", "system", "1 caller", strconv.Itoa(scalingCallers)+" callers", "ratio", "target", "floor's")
	title := ""
	for _, s := range all {
		cells := []string{s.title, s.section}
		if name := s.section + s.title; name == title {
			cells = []string{"", ""}
		} else {
			title = name
		}
		t.add(append(cells, s.system, thousands(s.one), thousands(s.many), ratioText(s.ratio()), s.verdict().text(), ratioText(s.floor))...)
	}
	fmt.Fprintf(b, "\nThroughput of 1 and of %d callers, operations a second\n\n%s", scalingCallers, t)
}
