package webkit

import "math"

// ratioReach is the number of doublings that a RatioChart shows to each side. Longer bars end at
// the edge; their number says how long they are.
const ratioReach = 2.0

// A ratioRow is a bar of a RatioChart as it is drawn.
type ratioRow struct {
	Label, Value, Note string
	X, Width           string // percent; Width is "" if there is nothing to draw
	Over               bool
}

// Bars returns the bars as they are drawn.
func (c RatioChart) Bars() []ratioRow {
	rows := make([]ratioRow, len(c.Rows))
	for i, r := range c.Rows {
		ratio := amount(r.Value)
		rows[i] = ratioRow{Label: r.Label, Value: Decimal(ratio, 2) + " ×", Note: r.Note, Over: c.Most > 0 && ratio > c.Most}
		if ratio == 0 {
			rows[i].Value = "–"
			continue
		}
		// Every ratio has a bar that can be seen, also 1.
		at := 50 + 50*min(max(math.Log2(ratio)/ratioReach, -1), 1)
		left, right := min(at, 49.6), max(at, 50.4)
		if ratio >= 1 {
			left = 49.6
		} else {
			right = 50.4
		}
		rows[i].X, rows[i].Width = coordinate(left), coordinate(right-left)
	}
	return rows
}

// Table returns the chart as a table.
func (c RatioChart) Table() chartTable {
	t := chartTable{Head: []string{"", "Ratio", "Measured"}}
	for _, row := range c.Bars() {
		t.Rows = append(t.Rows, []string{row.Label, row.Value, row.Note})
	}
	return t
}
