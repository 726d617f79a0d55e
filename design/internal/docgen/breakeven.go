package docgen

import (
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// breakEvenView is the picture of on-demand and provisioned writes crossing: what one
// write unit a second costs a month, by how much of the time it is used.
type breakEvenView struct {
	Height, Bottom int
	Levels         []level // flat lines: provisioned, reserved
	Cross          string  // where on demand meets provisioned
	CrossY         int
	Use            *marker // where this design is, nil: it writes nothing
	Top, Words     string
	Table          grid
}

// A level is a flat line: it costs the same however much it is used.
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

// wordRoom is how far words must stand apart to be read.
const wordRoom = 18

// above is where the words of a line stand: just above it, or lower if they would run
// into those of the line before.
func above(y int, before []level) int {
	word := y - 5
	if len(before) > 0 {
		word = max(word, before[len(before)-1].WordY+wordRoom)
	}
	return word
}

// plotY is where an amount lies, as a share of what on demand costs at full use.
func plotY(share exact.Number) int {
	return plotBottom - int(share.Min(exact.One).Times(plotBottom-plotTop).Round(0).Int64())
}

// useOf is how much of the capacity for its peak a design's average writes use.
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
