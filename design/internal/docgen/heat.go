package docgen

import (
	"math"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// heatView shows the hottest partition of every path relative to the limits of a partition.
type heatView struct {
	Cold  bool // no pattern has a load: no chart
	Words string
	Chart bars
	Table grid
}

// The limits of one partition a second.
const (
	partitionRCU = 3000
	partitionWCU = 1000
)

// warmth is the load of reads or writes on the hottest partition of a path.
type warmth struct {
	label, units string
	share        exact.Number
}

func newHeat(e *cost.Estimate) heatView {
	v := heatView{Table: grid{
		Caption: "The hottest partition key of each path, a second at the peak",
		Heads:   []head{text("Path"), num("RCU"), num("WCU"), num("Share of one partition"), num("Keys"), num("Largest partition"), text("What makes it hot")},
	}}
	var all []warmth
	hottest := warmth{}
	for _, p := range paths(e) {
		all = append(all, warmthOf(p)...)
		v.Table.Rows = append(v.Table.Rows, heatRow(p))
	}
	for _, w := range all {
		if hottest.share.Less(w.share) {
			hottest = w
		}
	}
	if len(all) == 0 {
		v.Cold = true
		return v
	}
	v.Words = "The hottest key is on " + hottest.label + ": " + hottest.units + ", " + share(hottest.share) + " of one partition. "
	switch {
	case exact.One.Less(hottest.share):
		v.Words += "That exceeds the limit of a partition; requests will be throttled."
	case exact.Ratio(1, 2).Less(hottest.share):
		v.Words += "It is below the limit, with little headroom."
	default:
		v.Words += "It fits."
	}
	v.Chart = drawHeat(all, hottest.share)
	return v
}

func warmthOf(p *cost.PathCost) []warmth {
	var all []warmth
	add := func(what, unit string, n exact.Number, limit int64) {
		if n.IsZero() {
			return
		}
		part := n.Over(limit)
		all = append(all, warmth{p.Path.String() + ", " + what, amountOfUnits(n) + " " + unit, part})
	}
	add("writes", "WCU", p.Heat.WCU, partitionWCU)
	add("reads", "RCU", p.Heat.RCU, partitionRCU)
	return all
}

func heatRow(p *cost.PathCost) []string {
	h := p.Heat
	values, bytes := "not known", "not known"
	if !h.Values.IsZero() {
		values = figures.Quantity(h.Values)
	}
	if !h.Bytes.IsZero() {
		bytes = figures.Bytes(h.Bytes)
	}
	var names []string
	for i, c := range h.Contenders {
		if i == 3 {
			names = append(names, "and more")
			break
		}
		names = append(names, c.Pattern.Name)
	}
	return []string{p.Path.String(), amountOfUnits(h.RCU), amountOfUnits(h.WCU), share(h.Utilisation()), values, bytes, strings.Join(names, ", ")}
}

// share formats a share of one, never as 0 unless it is zero.
func share(n exact.Number) string {
	if n.Sign() > 0 && n.Less(exact.Ratio(1, 1000)) {
		return "<0.1 %"
	}
	return figures.Percent(n)
}

// amountOfUnits formats a number of units, abbreviating very small ones.
func amountOfUnits(n exact.Number) string {
	if n.Sign() > 0 && n.Less(exact.Ratio(1, 1000)) {
		return "<0.001"
	}
	return figures.Quantity(n)
}

// drawHeat draws shares of a partition's limit. Shares far below or above it need a
// logarithmic scale, which has no zero: dots instead of bars.
func drawHeat(all []warmth, hottest exact.Number) bars {
	b := bars{ID: "c-heat", Title: "The hottest partition of each path, at the peak", Height: rowHeight*len(all) + 30, Foot: rowHeight*len(all) + 22}
	top := math.Max(1, hottest.Float64()) * 1.04
	place := func(share float64) float64 { return share / top }
	b.Desc = "Shares of the limits of one partition, 1,000 write and 3,000 read units a second. Bars from zero."
	if b.Dots = top > 3 || hottest.Less(exact.Ratio(1, 20)); b.Dots {
		const floor = -4 // 0.01 %
		top = math.Log10(math.Max(1, hottest.Float64())) + 0.15
		place = func(share float64) float64 { return max(0.004, (math.Log10(share)-floor)/(top-floor)) }
		b.Desc = "Shares of the limits of one partition, 1,000 write and 3,000 read units a second, on a logarithmic scale."
		for power, word := range map[int]string{-3: "0.1 %", -2: "1 %", -1: "10 %"} {
			b.Lines = append(b.Lines, marker{X: percentOf(place(math.Pow10(power))), Word: word, Class: "tick", Anchor: "middle"})
		}
		sortMarkers(b.Lines)
	}
	b.Lines = append(b.Lines, marker{X: percentOf(place(1)), Word: "100 %", Class: "limit", Anchor: "end"})
	b.Legend = []key{{"limit", "limit of one partition"}}
	for i, w := range all {
		row := newBar(i, w.label, share(w.share))
		class := "fill"
		if exact.One.Less(w.share) {
			class = "over"
		}
		at := percentOf(place(w.share.Float64()))
		row.Segments = []segment{{X: "0%", Width: at, End: at, Class: class}}
		b.Rows = append(b.Rows, row)
	}
	return b
}
