package docgen

import (
	"strconv"

	"sortkey.dev/design/internal/exact"
)

// A figure is a chart and a table of the same numbers.
type figure struct {
	Chart bars
	Table grid
}

// bars is a bar chart. Widths are percentages, so the chart fills its container and its text
// keeps its size on a phone.
type bars struct {
	ID, Title, Desc string
	Height          int
	Rows            []bar
	Lines           []marker // vertical lines, such as a limit
	Foot            int      // y position of the labels of the lines
	Dots            bool     // dots instead of bars: a logarithmic scale has no zero
	Legend          []key
}

type bar struct {
	Label, Value   string
	LabelY, Y, Mid int
	Top, Bottom    int // of the lines that cross it
	Segments       []segment
	Cut            bool // longer than the chart, whose scale is that of the others
}

type segment struct{ X, Width, End, Class string }

// A marker is a vertical line with a label.
type marker struct{ X, Word, Class, Anchor string }

// A key is an entry of a chart's legend.
type key struct{ Class, Word string }

// grid is a table of texts. The first column heads its row.
type grid struct {
	Caption string
	Heads   []head
	Rows    [][]string
}

type head struct {
	Name string
	Num  bool // a column of numbers is right-aligned
}

func text(name string) head { return head{Name: name} }
func num(name string) head  { return head{Name: name, Num: true} }

const (
	rowHeight    = 40
	longestLabel = 30
)

// amount is one row of a bar chart before it is drawn: its parts are stacked.
type amount struct {
	label, value string
	parts        []part
}

type part struct {
	size  exact.Number
	class string
}

// drawBars draws amounts from zero. The largest fills the width of the chart, unless it is so
// large that the others could not be seen: then it is cut.
func drawBars(id, title, desc string, amounts []amount) bars {
	b := bars{ID: id, Title: title, Desc: desc, Height: rowHeight*len(amounts) + 4}
	full, cut := scaleOf(amounts)
	if cut {
		b.Desc += " The longest bar is cut."
	}
	for i, a := range amounts {
		row := newBar(i, a.label, a.value)
		row.Cut = full.Less(a.total())
		x := exact.Zero
		for _, p := range a.parts {
			width, ok := p.size.Div(full.Max(a.total()))
			if ok && width.Sign() > 0 {
				row.Segments = append(row.Segments, segment{X: percent(x), Width: percent(width), Class: p.class})
				x = x.Add(width)
			}
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}

// outlier is the ratio of the largest amount to the second above which the largest is cut.
const outlier = 8

// scaleOf returns the amount that fills the width of a chart, and whether a larger one is cut.
func scaleOf(amounts []amount) (full exact.Number, cut bool) {
	largest, second := exact.Zero, exact.Zero
	for _, a := range amounts {
		total := a.total()
		if largest.Less(total) {
			largest, second = total, largest
		} else {
			second = second.Max(total)
		}
	}
	if len(amounts) < 3 || second.IsZero() || !second.Times(outlier).Less(largest) {
		return largest, false
	}
	return second.Times(2), true
}

func newBar(i int, label, value string) bar {
	top := rowHeight * i
	return bar{Label: shorten(label, longestLabel), Value: value, LabelY: top + 15, Y: top + 22, Mid: top + 27, Top: top + 19, Bottom: top + 35}
}

func (a amount) total() exact.Number {
	sum := exact.Zero
	for _, p := range a.parts {
		sum = sum.Add(p.size)
	}
	return sum
}

func one(label, value string, size exact.Number) amount {
	return amount{label, value, []part{{size, "fill"}}}
}

// percent formats a share as a percentage for SVG.
func percent(share exact.Number) string { return share.Times(100).Fixed(2) + "%" }

func percentOf(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + "%" }
