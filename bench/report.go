package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The titles of the sections that have rows.
var sectionTitles = map[string]string{
	sectionProcess:  "In process",
	sectionLatency:  "Typed doors and the SDK over TCP, one caller",
	sectionHTTP:     "Over HTTP, loopback, server in its own process",
	sectionStream:   "One consumer of a stream, in process and over HTTP (sortkey and peers); ops are records, times are of pages",
	sectionBackfill: "An index added to a table in use, and its one writer, in process; ops are items",
	sectionFlat:     "Small and large tables, JSON door, one caller, no fsync, items of about 100 bytes that fit the cache",
	sectionMarshal:  "Items encoded and decoded by generated code and by reflection, without a database",
	sectionCalls:    "Calls of the engine in memory, through its API and through the SDK's client: generated, written by hand, guregu/dynamo",
}

// report returns the results as text for a terminal.
func (r *results) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nsortkey bench, %s, %s/%s, %d CPUs, %s, load average %s before and %s after\n",
		r.Started.Format(time.RFC3339), r.Machine.OS, r.Machine.Arch, r.Machine.CPUs, r.Machine.Go, r.Machine.LoadBefore, r.Machine.LoadAfter)
	fmt.Fprintf(&b, "%d rounds of %v a system and row, medians; tables of %s items of 1 KB (%s if only read in process), index projection %s, data below %s\n",
		r.Method.Rounds, r.Method.Slice, thousands(float64(r.Method.Items)), thousands(float64(r.Method.ReadItems)), r.Method.Projection, r.Method.Directory)
	for _, section := range []string{sectionProcess, sectionLatency, sectionHTTP, sectionStream, sectionBackfill} {
		r.reportSection(&b, section)
	}
	r.reportScaling(&b)
	r.reportFlat(&b)
	r.reportGenerated(&b, sectionMarshal)
	r.reportGenerated(&b, sectionCalls)
	r.reportStarts(&b)
	r.reportMemory(&b)
	r.reportTargets(&b)
	return b.String()
}

// rowsOf returns the rows of a section.
func (r *results) rowsOf(section string) []rowResult {
	var rows []rowResult
	for _, row := range r.Rows {
		if row.Section == section {
			rows = append(rows, row)
		}
	}
	return rows
}

// reportSection prints the rows of a section, a line for each system.
func (r *results) reportSection(b *strings.Builder, section string) {
	rows := r.rowsOf(section)
	if len(rows) == 0 {
		return
	}
	bases := basesOf(rows)
	servers := section == sectionHTTP // every system is a process of its own
	t := &textTable{}
	t.add("workload", "callers", "system", "ops/s", "p50", "p99", "cpu/op")
	if servers {
		t.extend("memory", "target")
	}
	for _, name := range bases {
		t.extend("x "+name, "target")
		if servers {
			t.extend("cpu x "+name, "target")
		}
	}
	for _, row := range rows {
		if row.Error != "" {
			t.add(row.Title, strconv.Itoa(row.Callers), "failed: "+row.Error)
			continue
		}
		for i, s := range row.Systems {
			title, callers := "", ""
			if i == 0 {
				title, callers = row.Title, strconv.Itoa(row.Callers)
			}
			t.add(title, callers, s.System, thousands(s.Rate), duration(s.P50), duration(s.P99), duration(s.CPUPerOp))
			if servers {
				t.extend(megabytes(s.Resident), s.memoryVerdict(row).text())
			}
			for _, name := range bases {
				t.extend(s.cells(name, servers)...)
			}
		}
	}
	fmt.Fprintf(b, "\n%s\n\n%s", sectionTitles[section], t)
	reportRetries(b, rows)
}

// cells compare a system with another one: rates, and for servers processor time.
func (s systemResult) cells(against string, servers bool) []string {
	cells := []string{"", "", "", ""}
	if ratio, ok := s.ratio(against); ok {
		cells[0], cells[1] = ratioText(ratio.Ratio), ratio.verdict().text()
		if ratio.CPU > 0 {
			cells[2], cells[3] = ratioText(ratio.CPU), ratio.cpuVerdict().text()
		}
	}
	if !servers {
		return cells[:2]
	}
	return cells
}

// reportRetries says how many requests met a conflict.
func reportRetries(b *strings.Builder, rows []rowResult) {
	for _, row := range rows {
		for _, s := range row.Systems {
			if s.Retries > 0 {
				fmt.Fprintf(b, "\n%s, %d callers: %s repeated %s of %s because of conflicts\n",
					row.Title, row.Callers, s.System, thousands(float64(s.Retries)), thousands(float64(s.Ops)))
			}
		}
	}
}

// basesOf returns the systems that others are compared with, in order.
func basesOf(rows []rowResult) []string {
	var names []string
	seen := map[string]bool{}
	for _, row := range rows {
		for _, s := range row.Systems {
			for _, ratio := range s.Ratios {
				if !seen[ratio.Against] {
					seen[ratio.Against] = true
					names = append(names, ratio.Against)
				}
			}
		}
	}
	return names
}

func (r *results) reportStarts(b *strings.Builder) {
	if len(r.Starts) == 0 {
		return
	}
	t := &textTable{}
	t.add("server", "data", "", "first answer after", "target", "idle memory", "target", "of it private")
	for _, s := range r.Starts {
		start, idle := s.verdicts()
		t.add(s.Server, s.Data, "", duration(s.FirstAnswer), start.text(), megabytes(s.Resident), idle.text(), megabytes(s.Private))
	}
	fmt.Fprintf(b, "\nStart and memory\n\n%s", t)
}

// A verdict says whether a target is met. The zero one is about nothing.
type verdict struct {
	what, callers, system string
	got, want             string
	met                   bool
}

// text returns the target and whether it is met.
func (v verdict) text() string {
	switch {
	case v.want == "":
		return ""
	case v.met:
		return v.want + " ok"
	}
	return v.want + " MISSED"
}

// verdicts are about all targets of the run.
func (r *results) verdicts() []verdict {
	var all []verdict
	for _, row := range r.Rows {
		for _, s := range row.Systems {
			for _, ratio := range s.Ratios {
				v := ratio.verdict()
				if row.Section == sectionFlat {
					v = ratio.costVerdict()
				}
				fewer := ratio.allocsVerdict()
				v.what, v.callers, v.system = row.Section+": "+row.Title, strconv.Itoa(row.Callers), s.System+" x "+ratio.Against
				fewer.what, fewer.callers, fewer.system = v.what, v.callers, v.system+", allocations"
				cpu := ratio.cpuVerdict()
				cpu.what, cpu.callers, cpu.system = v.what, v.callers, v.system+", cpu"
				all = append(all, v, fewer, cpu)
			}
			memory := s.memoryVerdict(row)
			memory.what, memory.callers, memory.system = row.Section+": "+row.Title, strconv.Itoa(row.Callers), s.System+", memory"
			all = append(all, memory)
		}
	}
	for _, s := range r.scaling() {
		all = append(all, s.verdict())
	}
	for _, s := range r.Starts {
		start, idle := s.verdicts()
		all = append(all, start, idle)
	}
	for _, m := range r.Memory {
		all = append(all, m.verdict())
	}
	return slices.DeleteFunc(all, func(v verdict) bool { return v.want == "" })
}

// reportTargets sums up, and names what is not reached.
func (r *results) reportTargets(b *strings.Builder) {
	all := r.verdicts()
	if len(all) == 0 {
		return
	}
	missed := &textTable{}
	missed.add("missed", "callers", "system", "measured", "target")
	for _, v := range all {
		if !v.met {
			missed.add(v.what, v.callers, v.system, v.got, v.want)
		}
	}
	failed := len(missed.lines) - 1
	fmt.Fprintf(b, "\nTargets: %d of %d met.\n", len(all)-failed, len(all))
	if failed > 0 {
		fmt.Fprintf(b, "\n%s", missed)
	}
}

// verdict is about a ratio of rates; about nothing if it has no target.
func (r ratioResult) verdict() verdict {
	if r.Target == 0 {
		return verdict{}
	}
	return verdict{got: ratioText(r.Ratio), want: ">= " + ratioText(r.Target), met: r.met()}
}

// cpuVerdict is about a ratio of processor times; about nothing if it has no target.
func (r ratioResult) cpuVerdict() verdict {
	if r.CPUTarget == 0 || r.CPU == 0 {
		return verdict{}
	}
	return verdict{got: ratioText(r.CPU), want: "<= " + ratioText(r.CPUTarget), met: r.CPU <= r.CPUTarget+0.005}
}

// memoryVerdict is about the memory of our server after a row.
func (s systemResult) memoryVerdict(row rowResult) verdict {
	if row.Section != sectionHTTP || row.Callers != cpuCallers || s.System != ownServer || s.Resident == 0 {
		return verdict{}
	}
	return verdict{got: megabytes(s.Resident), want: "< " + megabytes(loadedBelow), met: s.Resident < loadedBelow}
}

func ratioText(ratio float64) string { return strconv.FormatFloat(ratio, 'f', 2, 64) }

// thousands returns a number without a fraction, its digits in groups of three.
func thousands(v float64) string {
	digits := strconv.FormatInt(int64(math.Round(v)), 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return digits
}

// duration returns a time with three digits that say something; nothing for 0, which
// means unknown.
func duration(d time.Duration) string {
	switch us := float64(d) / 1e3; {
	case d == 0:
		return ""
	case us < 10:
		return fmt.Sprintf("%.2f us", us)
	case us < 100:
		return fmt.Sprintf("%.1f us", us)
	case us < 1000:
		return fmt.Sprintf("%.0f us", us)
	case us < 10_000:
		return fmt.Sprintf("%.2f ms", us/1e3)
	case us < 100_000:
		return fmt.Sprintf("%.1f ms", us/1e3)
	default:
		return fmt.Sprintf("%.0f ms", us/1e3)
	}
}

// megabytes returns a size; nothing for 0, which means unknown.
func megabytes(size int64) string {
	if size == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f MB", float64(size)/1e6)
}

// A textTable is lines of cells, written in columns. The first line is the head;
// text stands left in its column and numbers stand right.
type textTable struct{ lines [][]string }

// leftColumns is the number of text columns.
const leftColumns = 3

func (t *textTable) add(cells ...string) { t.lines = append(t.lines, cells) }

// extend adds cells to the last line.
func (t *textTable) extend(cells ...string) {
	last := len(t.lines) - 1
	t.lines[last] = append(t.lines[last], cells...)
}

func (t *textTable) String() string {
	var widths []int
	for _, line := range t.lines {
		for i, cell := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if i < len(line)-1 || len(line) > leftColumns { // a failure's text is as long as it is
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			}
		}
	}
	var b strings.Builder
	for n, line := range t.lines {
		if n > 1 && line[0] != "" && t.lines[n-1][0] == "" {
			b.WriteByte('\n') // between groups of lines
		}
		var text strings.Builder
		for i, cell := range line {
			pad := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
			if i < leftColumns {
				text.WriteString(cell + pad + "  ")
			} else {
				text.WriteString(pad + cell + "  ")
			}
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	return b.String()
}
