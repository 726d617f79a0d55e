package migrate

import (
	"fmt"
	"strings"

	"sortkey.dev/access/migrate"
	"sortkey.dev/internal/lazyregexp"
)

// rehearsalLine and measuredField find what an earlier rehearsal wrote.
var (
	rehearsalLine = lazyregexp.New(`(?m)^rehearsal: .*\n`)
	measuredField = lazyregexp.New(`, measured: \{[^}]*\}`)
)

// Rehearsed returns the file of a migration with what a rehearsal measured: in a line of its own, and beside the estimate
// of each step. Time is that of the endpoint, at the rates of the plan.
func (p *Plan) Rehearsed(text []byte, r *migrate.Rehearsal, day string) []byte {
	lines := strings.SplitAfter(rehearsalLine.ReplaceAllString(string(text), ""), "\n")
	runner := p.Runner()
	var out strings.Builder
	for _, line := range lines {
		if strings.HasPrefix(line, "steps:") {
			fmt.Fprintf(&out, "rehearsal: { on: %s, items: %d, conflicts: %d, calls: %d, wrong: %d }\n", day, r.Items, len(r.Conflicts), r.Traffic.Writes, r.Traffic.Wrong)
		}
		if strings.HasPrefix(line, "  - { step: ") {
			line = measuredField.ReplaceAllString(line, "")
			if m, ok := measuredOf(line, r); ok {
				line = strings.TrimSuffix(line, " }\n") + ", measured: { " + measured(m, runner) + " } }\n"
			}
		}
		out.WriteString(line)
	}
	return []byte(out.String())
}

// measuredOf adds up what the step of a line took.
func measuredOf(line string, r *migrate.Rehearsal) (sum migrate.Measured, ok bool) {
	for _, m := range r.Steps {
		if !strings.HasPrefix(line, fmt.Sprintf("  - { step: %s, part: %s, ", m.Step, m.Part)) {
			continue
		}
		ok = true
		sum.Items, sum.Changed, sum.Conflicts = m.Items, sum.Changed+m.Changed, m.Conflicts
		sum.Reads, sum.Writes = sum.Reads+m.Reads, sum.Writes+m.Writes
	}
	return sum, ok
}

// measured returns what a step took as fields of YAML.
func measured(m migrate.Measured, o migrate.Options) string {
	seconds := int64(max(m.Reads/o.ReadRate, m.Writes/o.WriteRate) + 0.999)
	return fmt.Sprintf("items: %d, read: %.0f, write: %.0f, price: \"$%.2f\", takes: %q, conflicts: %d",
		m.Items, m.Reads, m.Writes, m.Reads*o.Prices.Read+m.Writes*o.Prices.Write, duration(seconds), m.Conflicts)
}
