package webkit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Charts have no fixed width: what stands side by side is placed in percent, what stands one
// above the other in pixels, so text keeps its size on every screen. Lines are drawn on a
// square of 100 that is stretched.
const (
	plotTop    = 22.0
	plotHeight = 168.0
	plotBottom = plotTop + plotHeight
)

// maxSeries is the number of series that can be told apart.
const maxSeries = 6

// amount returns a value that can be drawn: neither negative nor no number.
func amount(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return 0
	}
	return v
}

// nice returns the smallest round number that is not below v: one digit and zeros.
func nice(v float64) float64 {
	if v <= 0 {
		return 1
	}
	size := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range []float64{1, 2, 3, 4, 5, 6, 8, 10} {
		if v <= step*size*(1+1e-9) {
			return step * size
		}
	}
	return 10 * size
}

// axisTop returns the value at the upper end of an axis that has the highest value of series, or
// their highest sum. Things that are counted have no halves, so the middle of their axis is a
// whole number, too.
func axisTop(highest float64, series []Series, format string) float64 {
	top := nice(highest)
	if format == "" && areWhole(series) && math.Mod(top, 2) == 1 {
		return top + 1
	}
	return top
}

func areWhole(series []Series) bool {
	for _, s := range series {
		if slices.ContainsFunc(s.Values, func(v float64) bool { return v != math.Trunc(v) }) {
			return false
		}
	}
	return true
}

// formatValue writes a value as a chart's Format says.
func formatValue(v float64, format string) string {
	switch kind, currency, _ := strings.Cut(format, " "); kind {
	case "money":
		return Money(int64(math.Round(v*100)), currency)
	case "duration":
		return Duration(time.Duration(v * float64(time.Second)))
	case "share":
		return Percent(v)
	}
	return Decimal(v, 2)
}

// coordinate writes a position with no more digits than can be seen.
func coordinate(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// A barRow is a bar as it is drawn.
type barRow struct {
	Label, Value, Note string
	Width              string // percent; "" is nothing to draw
	Mark               bool
}

// Rows returns the bars as they are drawn.
func (c BarChart) Rows() []barRow {
	full, sum := amount(c.Max), 0.0
	for _, b := range c.Bars {
		sum += amount(b.Value)
		if c.Max == 0 {
			full = max(full, amount(b.Value))
		}
	}
	if c.Format == "percent" && c.Max == 0 {
		full = sum
	}
	rows := make([]barRow, len(c.Bars))
	for i, b := range c.Bars {
		rows[i] = barRow{Label: b.Label, Value: formatValue(b.Value, c.Format), Note: b.Note, Mark: b.Mark}
		if c.Format == "percent" {
			share := 0.0
			if sum > 0 {
				share = amount(b.Value) / sum
			}
			rows[i].Value = Percent(share) + " (" + Decimal(b.Value, 2) + ")"
		}
		if share := percentOf(amount(b.Value), full); share > 0 {
			rows[i].Width = coordinate(share)
		}
	}
	return rows
}

// HasMark reports whether a bar is highlighted.
func (c BarChart) HasMark() bool {
	return slices.ContainsFunc(c.Bars, func(b Bar) bool { return b.Mark })
}

// An axisLabel is a text beside an axis.
type axisLabel struct {
	Text   string
	At     string // x in percent or y in pixels
	TextAt string // where the text stands
	Anchor string // start, middle or end
}

// valueAxis has a line at zero, in the middle and at the top.
func valueAxis(top float64, format string) []axisLabel {
	var labels []axisLabel
	for _, share := range []float64{0, 0.5, 1} {
		y := plotBottom - share*plotHeight
		labels = append(labels, axisLabel{Text: formatValue(top*share, format), At: coordinate(y), TextAt: coordinate(y - 5)})
	}
	return labels
}

// labelAxis shows as many labels as fit on a phone; at gives the place of a label in percent.
func labelAxis(labels []string, at func(i int) float64, ends bool) []axisLabel {
	longest := 1
	for _, l := range labels {
		longest = max(longest, len([]rune(l)))
	}
	fit := max(2, min(7, 40/longest)) // a phone has room for about forty characters
	every := max(1, int(math.Ceil(float64(len(labels))/float64(fit))))
	var shown []axisLabel
	for i, text := range labels {
		last := i == len(labels)-1
		if i%every != 0 && !(last && ends) || !last && ends && i%every == 0 && len(labels)-1-i < every && i > 0 && every > 1 {
			continue
		}
		anchor := "middle"
		if ends && i == 0 && len(labels) > 1 {
			anchor = "start"
		} else if ends && last && len(labels) > 1 {
			anchor = "end"
		}
		shown = append(shown, axisLabel{Text: text, At: coordinate(at(i)), Anchor: anchor})
	}
	return shown
}

// A drawnLine is one line of a LineChart.
type drawnLine struct {
	Name, Last string
	Class      int    // of colour and dashes
	Points     string // on the square of 100
	Area       string
	EndX, EndY string // of the last point, percent and pixels
	LabelY     string
}

func (c LineChart) top() float64 {
	top := 0.0
	for _, s := range c.shown() {
		for _, v := range s.Values {
			top = max(top, amount(v))
		}
	}
	return axisTop(top, c.shown(), c.Format)
}

func (c LineChart) shown() []Series { return c.Series[:min(len(c.Series), maxSeries)] }

// at returns the place of a point between the left and the right edge, in percent.
func (c LineChart) at(i int) float64 {
	width := 100 - c.endRoom()
	if len(c.Labels) < 2 {
		return width / 2
	}
	return float64(i) / float64(len(c.Labels)-1) * width
}

// endRoom returns how much of the width the values at the ends of several lines need, in percent.
// A single line has its value above its end.
func (c LineChart) endRoom() float64 {
	if len(c.Series) < 2 {
		return 0
	}
	longest := 0
	for _, s := range c.shown() {
		if n := min(len(s.Values), len(c.Labels)); n > 0 {
			longest = max(longest, utf8.RuneCountInString(formatValue(s.Values[n-1], c.Format)))
		}
	}
	return textRoom(longest) + 4
}

// textRoom returns how much of a phone's width a text takes, in percent.
func textRoom(characters int) float64 { return min(3.2*float64(characters), 32) }

// ValueAxis returns the lines across the chart.
func (c LineChart) ValueAxis() []axisLabel { return valueAxis(c.top(), c.Format) }

// LabelAxis returns the labels below the chart.
func (c LineChart) LabelAxis() []axisLabel { return labelAxis(c.Labels, c.at, true) }

// Lines returns the lines as they are drawn, each with the label at its end.
func (c LineChart) Lines() []drawnLine {
	top := c.top()
	var lines []drawnLine
	var ends []float64
	for k, s := range c.shown() {
		values := s.Values[:min(len(s.Values), len(c.Labels))]
		if len(values) == 0 {
			continue
		}
		line := drawnLine{Name: s.Name, Class: k + 1}
		var points []string
		for i, v := range values {
			points = append(points, coordinate(c.at(i))+","+coordinate(100-amount(v)/top*100))
		}
		last := len(values) - 1
		line.Points = strings.Join(points, " ")
		if c.Area && len(c.Series) == 1 {
			line.Area = fmt.Sprintf("%s,100 %s %s,100", coordinate(c.at(0)), line.Points, coordinate(c.at(last)))
		}
		y := plotBottom - amount(values[last])/top*plotHeight
		line.Last = formatValue(values[last], c.Format)
		line.EndX, line.EndY = coordinate(c.at(last)), coordinate(y)
		ends = append(ends, y)
		lines = append(lines, line)
	}
	if len(c.Series) < 2 {
		for i, y := range ends {
			lines[i].LabelY = coordinate(y - 10)
		}
		return lines
	}
	for i, y := range apart(ends) {
		lines[i].LabelY = coordinate(y)
	}
	return lines
}

// apart moves labels beside points at heights away from each other.
func apart(heights []float64) []float64 {
	const room = 16.0
	order := make([]int, len(heights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case heights[a] > heights[b]:
			return -1
		case heights[a] < heights[b]:
			return 1
		}
		return 0
	})
	placed := make([]float64, len(heights))
	below := math.Inf(1)
	for _, i := range order { // from the lowest line up
		y := min(heights[i]+4, below-room)
		placed[i], below = y, y
	}
	if below >= 11 || len(order) == 0 {
		return placed
	}
	above := 11 - room
	for _, i := range slices.Backward(order) { // no room at the top: move down again
		placed[i] = max(placed[i], above+room)
		above = placed[i]
	}
	return placed
}

// A column is one column of a StackedChart.
type column struct {
	Parts  []columnPart
	Middle string // percent
	Total  string
	TotalY string
}

// A columnPart is one part of a column.
type columnPart struct {
	Class             int
	X, Y, Width, High string
	Title             string
}

func (c StackedChart) shown() []Series { return c.Series[:min(len(c.Series), maxSeries)] }

func (c StackedChart) total(i int) float64 {
	sum := 0.0
	for _, s := range c.shown() {
		if i < len(s.Values) {
			sum += amount(s.Values[i])
		}
	}
	return sum
}

func (c StackedChart) top() float64 {
	top := 0.0
	for i := range c.Labels {
		top = max(top, c.total(i))
	}
	return axisTop(top, c.shown(), c.Format)
}

// at returns the middle of a column, in percent. The labels of the values stand left of the
// first.
func (c StackedChart) at(i int) float64 {
	room := c.axisRoom()
	return room + (float64(i)+0.5)/float64(len(c.Labels))*(100-room)
}

func (c StackedChart) axisRoom() float64 {
	longest := 0
	for _, label := range c.ValueAxis() {
		longest = max(longest, utf8.RuneCountInString(label.Text))
	}
	return textRoom(longest)
}

// ValueAxis returns the lines across the chart.
func (c StackedChart) ValueAxis() []axisLabel { return valueAxis(c.top(), c.Format) }

// LabelAxis returns the labels below the columns.
func (c StackedChart) LabelAxis() []axisLabel { return labelAxis(c.Labels, c.at, false) }

// Columns returns the columns as they are drawn, from zero up.
func (c StackedChart) Columns() []column {
	top := c.top()
	width := 0.72 * (100 - c.axisRoom()) / float64(max(1, len(c.Labels)))
	columns := make([]column, len(c.Labels))
	for i, label := range c.Labels {
		y := plotBottom
		columns[i].Middle = coordinate(c.at(i))
		for k, s := range c.shown() {
			if i >= len(s.Values) || amount(s.Values[i]) == 0 {
				continue
			}
			high := s.Values[i] / top * plotHeight
			y -= high
			columns[i].Parts = append(columns[i].Parts, columnPart{
				Class: k + 1, X: coordinate(c.at(i) - width/2), Y: coordinate(y), Width: coordinate(width), High: coordinate(high),
				Title: fmt.Sprintf("%s, %s: %s", label, s.Name, formatValue(s.Values[i], c.Format)),
			})
		}
		if len(c.Labels) <= 8 {
			columns[i].Total = formatValue(c.total(i), c.Format)
			columns[i].TotalY = coordinate(y - 5)
		}
	}
	return columns
}

// Points returns the points of the line on the square of 100.
func (s Sparkline) Points() string {
	if len(s.Values) == 0 {
		return ""
	}
	values := s.Values
	if len(values) == 1 {
		values = []float64{values[0], values[0]}
	}
	top := 0.0
	for _, v := range values {
		top = max(top, amount(v))
	}
	var points []string
	for i, v := range values {
		y := 94.0
		if top > 0 {
			y = 94 - amount(v)/top*88
		}
		points = append(points, coordinate(float64(i)/float64(len(values)-1)*100)+","+coordinate(y))
	}
	return strings.Join(points, " ")
}

// A chartTable holds the numbers of a chart again, as text.
type chartTable struct {
	Head []string
	Rows [][]string
}

// Table returns the chart as a table.
func (c BarChart) Table() chartTable {
	t := chartTable{Head: []string{"", orWord(c.Unit, "Value")}}
	for i, row := range c.Rows() {
		t.Rows = append(t.Rows, []string{c.Bars[i].Label, row.Value})
	}
	return t
}

// Table returns the chart as a table.
func (c LineChart) Table() chartTable { return seriesTable(c.Labels, c.Series, c.Unit, c.Format) }

// Table returns the chart as a table.
func (c StackedChart) Table() chartTable { return seriesTable(c.Labels, c.Series, c.Unit, c.Format) }

func seriesTable(labels []string, series []Series, unit, format string) chartTable {
	t := chartTable{Head: []string{""}}
	for _, s := range series {
		t.Head = append(t.Head, orWord(s.Name, orWord(unit, "Value")))
	}
	for i, label := range labels {
		row := []string{label}
		for _, s := range series {
			value := "–"
			if i < len(s.Values) {
				value = formatValue(s.Values[i], format)
			}
			row = append(row, value)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func orWord(word, otherwise string) string {
	if word == "" {
		return otherwise
	}
	return word
}
