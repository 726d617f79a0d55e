package docgen

import (
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// breakEvenView is the chart of the break-even point of on-demand and provisioned writes: the
// monthly cost of one write unit a second, by utilization.
type breakEvenView struct {
	Height, Bottom int
	Levels         []level // flat lines: provisioned, reserved
	Cross          string  // the break-even point
	CrossY         int
	Use            *marker // the utilization of this design, nil: it writes nothing
	Top, Words     string
	Table          grid
}

// A level is a horizontal line: a cost that does not depend on utilization.
type level struct {
	Y, WordY    int
	Word, Class string
}

const (
	plotTop    = 24
	plotBottom = 304
)

const secondsPerMonth = 730 * 3600

func newBreakEven(e *cost.Estimate) breakEvenView {
	b := e.BreakEven
	full := e.Prices.Of("write").Times(secondsPerMonth)
	v := breakEvenView{Height: plotBottom + 40, Bottom: plotBottom, Cross: percent(b.Write), CrossY: plotY(b.Write), Top: figures.Money(full)}
	v.Table = grid{Caption: "One write unit a second, kept ready for a month", Heads: []head{text("Way"), num("Money a month"), num("Cheaper than on demand above")}}
	v.Table.Rows = append(v.Table.Rows, []string{"On demand, used all the time", figures.Money(full), ""})
	for _, way := range []struct {
		name, class string
		share       exact.Number
	}{{"provisioned", "second", b.Write}, {"reserved for 1 year", "third", b.Reserved1}, {"reserved for 3 years", "fourth", b.Reserved3}} {
		if way.share.IsZero() {
			continue
		}
		y := plotY(way.share)
		v.Levels = append(v.Levels, level{Y: y, WordY: above(y, v.Levels), Word: way.name + ", above " + figures.Percent(way.share), Class: way.class})
		v.Table.Rows = append(v.Table.Rows, []string{capital(way.name), figures.Money(full.Mul(way.share)), figures.Percent(way.share)})
	}
	v.Words = "Provisioned capacity is cheaper than on demand if its writes are used more than " + figures.Percent(b.Write) +
		" of the time on average, reads more than " + figures.Percent(b.Read) + "."
	v.Use = useOf(e)
	if v.Use != nil {
		v.Words += " With capacity for the peak, this design would use " + v.Use.Word + " of its writes."
	}
	return v
}

// wordRoom is the minimum distance of labels.
const wordRoom = 18

// above returns the y position of the label of a line: just above it, or lower if it would
// overlap the previous label.
func above(y int, before []level) int {
	word := y - 5
	if len(before) > 0 {
		word = max(word, before[len(before)-1].WordY+wordRoom)
	}
	return word
}

// plotY returns the y position of an amount, given as a share of the on-demand cost at full
// utilization.
func plotY(share exact.Number) int {
	return plotBottom - int(share.Min(exact.One).Times(plotBottom-plotTop).Round(0).Int64())
}

// useOf returns the utilization of capacity for the peak by a design's average writes.
func useOf(e *cost.Estimate) *marker {
	writes, peak := exact.Zero, exact.Zero
	for _, p := range paths(e) {
		writes, peak = writes.Add(p.Writes), peak.Add(p.PeakWCU)
	}
	use, ok := writes.Div(peak.Times(secondsPerMonth))
	if !ok || writes.IsZero() {
		return nil
	}
	use = use.Min(exact.One)
	m := &marker{X: percent(use), Word: share(use), Anchor: "start"}
	if exact.Ratio(1, 2).Less(use) {
		m.Anchor = "end"
	}
	return m
}
