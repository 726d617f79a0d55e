package output

import (
	"io"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// Cost prints an estimate.
type Cost struct {
	Estimate *cost.Estimate
	Workload string // in words: the design's own rates, profile launch, scale 10
}

// Text writes the estimate as text.
func (c Cost) Text(w io.Writer, style Style) error {
	p := &page{style: style}
	e := c.Estimate
	p.heading(e.Design.Name + ", a month")
	p.line("%s", c.Workload)
	p.line("%s", pricesLine(e.Prices))
	p.line("")
	c.patterns(p)
	p.line("")
	c.paths(p)
	p.line("")
	c.hottest(p)
	c.bills(p)
	p.line("")
	c.remarks(p)
	return p.send(w)
}

// pricesLine describes the region, date and reliability of the prices.
func pricesLine(prices *cost.PriceList) string {
	line := "prices: " + prices.Name
	if prices.Date != "" {
		line += ", " + prices.Date
	}
	if prices.Note != "" {
		line += "\n        " + prices.Note
	}
	return line
}

func (c Cost) patterns(p *page) {
	p.heading("Patterns")
	g := grid{heads: []string{"pattern", ">calls", ">requests", ">items", ">RRU", ">WRU", ">amplified", ">on demand"}}
	unserved := 0
	for _, pc := range c.Estimate.Patterns {
		items := cell{text: figures.Quantity(pc.Items)}
		if !pc.Known {
			items = cell{"?", yellow}
		}
		if pc.Read.IsZero() {
			items = cell{}
		}
		amplified := ""
		if !pc.Write.IsZero() {
			amplified = figures.Quantity(pc.Amplification) + "×"
		}
		if pc.Plan != nil && !pc.Plan.Served() && pc.Requests.IsZero() {
			g.row(pc.Pattern.Name, figures.Quantity(pc.Calls), cell{"not served", red}, "", "", "", "", "")
			unserved++
			continue
		}
		g.row(pc.Pattern.Name, figures.Quantity(pc.Calls), figures.Quantity(pc.Requests), items, blankZero(pc.Read), blankZero(pc.Write),
			amplified, figures.Money(pc.OnDemand))
	}
	g.write(p, "  ")
	p.line("  %s", p.paint(dim, "calls are a month; requests, items, RRU and WRU are of one call"))
	if unserved > 0 {
		p.line("  %s", p.paint(red, count(unserved, "pattern")+" not served and not included: run sortkey check for the reasons"))
	}
}

func blankZero(n exact.Number) string {
	if n.IsZero() {
		return ""
	}
	return figures.Quantity(n)
}

func (c Cost) paths(p *page) {
	p.heading("Tables and indexes")
	g := grid{heads: []string{"path", ">items", ">stored", ">RRU", ">WRU", ">peak RCU", ">peak WCU", ">on demand", ">provisioned"}}
	for _, table := range c.Estimate.Tables {
		for _, path := range table.Paths {
			name := path.Path.Table.Name
			if path.Path.Index != nil {
				name = "  " + path.Path.Index.Name
			}
			g.row(name, figures.Quantity(path.Items), figures.Bytes(path.Bytes), figures.Quantity(path.Reads), figures.Quantity(path.Writes),
				figures.Quantity(path.PeakRCU), figures.Quantity(path.PeakWCU), figures.Money(path.OnDemand.Total), figures.Money(path.Provisioned.Total))
		}
	}
	g.write(p, "  ")
	p.line("  %s", p.paint(dim, "each on its own, without the free tier, which applies to the whole design"))
}

// hottestKeys is the number of keys that hottest shows.
const hottestKeys = 5

// hottest writes the hottest partition keys at the peak, those nearest to the limits of a partition
// first.
func (c Cost) hottest(p *page) {
	var all []*cost.PathCost
	for _, table := range c.Estimate.Tables {
		for _, path := range table.Paths {
			if path.Heat.Utilisation().Sign() > 0 {
				all = append(all, path)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b *cost.PathCost) int { return b.Heat.Utilisation().Cmp(a.Heat.Utilisation()) })
	p.heading("Hottest keys at the peak")
	g := grid{heads: []string{"path", ">RCU", ">WCU", ">of a partition", "key"}}
	for _, path := range all[:min(len(all), hottestKeys)] {
		h := path.Heat
		key := h.Key
		if h.Value != "" {
			key += " (" + h.Value + ")"
		}
		g.row(path.Path.String(), loadText(h.RCU), loadText(h.WCU), figures.Percent(h.Utilisation()), key)
	}
	g.write(p, "  ")
	p.line("  %s", p.paint(dim, "a partition takes 3,000 RCU and 1,000 WCU"))
	p.line("")
}

// loadText formats units a second with at most one decimal.
func loadText(n exact.Number) string {
	if n.Sign() > 0 && n.Round(1).IsZero() {
		return "<0.1"
	}
	return figures.Quantity(n.Round(1))
}

// ways returns the billing modes in display order.
func ways(e *cost.Estimate) []struct {
	Name string
	Bill cost.Bill
} {
	return []struct {
		Name string
		Bill cost.Bill
	}{
		{"on demand", e.OnDemand},
		{"provisioned for the peak", e.Provisioned},
		{"autoscaled, at best", e.Autoscaled},
		{"reserved for 1 year", e.Reserved1},
		{"reserved for 3 years", e.Reserved3},
		{"as designed", e.AsDesigned},
	}
}

func (c Cost) bills(p *page) {
	p.heading("Ways to pay")
	kinds := billKinds(c.Estimate)
	heads := []string{"way"}
	for _, kind := range kinds {
		heads = append(heads, ">"+kind)
	}
	g := grid{heads: append(heads, ">total")}
	for _, way := range ways(c.Estimate) {
		row := []any{way.Name}
		for _, kind := range kinds {
			row = append(row, figures.Money(amountOf(way.Bill, kind)))
		}
		g.row(append(row, cell{figures.Money(way.Bill.Total), bold})...)
	}
	g.write(p, "  ")
}

// billKind returns the purpose of a line of a bill in all billing modes: write capacity is
// for writes.
func billKind(line cost.Line) string {
	switch {
	case strings.Contains(line.What, "write"):
		return "writes"
	case strings.Contains(line.What, "read"):
		return "reads"
	}
	return line.What
}

// billKinds returns the purposes of all lines, in order of first occurrence.
func billKinds(e *cost.Estimate) []string {
	var kinds []string
	for _, way := range ways(e) {
		for _, line := range way.Bill.Lines {
			if kind := billKind(line); !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	return kinds
}

func amountOf(b cost.Bill, kind string) exact.Number {
	sum := exact.Zero
	for _, line := range b.Lines {
		if billKind(line) == kind {
			sum = sum.Add(line.Amount)
		}
	}
	return sum
}

func (c Cost) remarks(p *page) {
	e := c.Estimate
	p.labelled("", "break-even", "provisioned capacity is cheaper than on demand above "+figures.Percent(e.BreakEven.Write)+
		" average use; reserved for one year above "+figures.Percent(e.BreakEven.Reserved1)+", for three above "+figures.Percent(e.BreakEven.Reserved3)+".")
	free := e.FreeTier
	text := "with provisioned capacity the design needs " + figures.Quantity(free.RCU) + " RCU, " + figures.Quantity(free.WCU) + " WCU and " + figures.Bytes(free.Bytes) +
		"; left for it are " + figures.Quantity(free.FreeRCU) + ", " + figures.Quantity(free.FreeWCU) + " and " + figures.Quantity(free.FreeGB) + " GB: "
	if free.Covers {
		text += "the free tier covers it."
	} else {
		text += "the free tier does not cover it."
	}
	p.labelled("", "free tier ", text+" Requests on demand are never free.")
}
