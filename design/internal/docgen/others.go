package docgen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/compare"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// othersView compares the design with its alternatives.
type othersView struct {
	Conclusions []string
	Layouts     []fact // name and doc
	Summary     grid
	Served      bars
	Money       bars
	Writes      bars
	Heads       []string
	Patterns    []servingRow
}

// A servingRow is one pattern under every layout.
type servingRow struct {
	Name, Link string
	Cells      []servingCell
}

type servingCell struct {
	Served bool
	Text   string // units of one call, or why it is not served
}

func newOthers(c *compare.Comparison) *othersView {
	if c == nil || len(c.Layouts) < 2 {
		return nil
	}
	v := &othersView{}
	for _, said := range c.Conclusions {
		v.Conclusions = append(v.Conclusions, capital(said))
	}
	for _, l := range c.Layouts {
		if l.Doc != "" {
			v.Layouts = append(v.Layouts, fact{l.Name, l.Doc})
		}
		v.Heads = append(v.Heads, l.Name)
	}
	v.Summary = summary(c)
	v.Served = compared(c, "c-served", "Patterns served", func(l *compare.Layout) (exact.Number, string) {
		return exact.Int(int64(l.Served)), fmt.Sprintf("%d of %d", l.Served, l.Served+l.Unserved)
	})
	v.Money = compared(c, "c-money", "On demand, a month", func(l *compare.Layout) (exact.Number, string) {
		return l.OnDemand, figures.Money(l.OnDemand)
	})
	v.Writes = compared(c, "c-writes", "Write units, a month", func(l *compare.Layout) (exact.Number, string) {
		return l.Writes, figures.Quantity(l.Writes)
	})
	for i, p := range c.Patterns {
		row := servingRow{Name: p.Name, Link: anchor("p", p.Name)}
		for _, l := range c.Layouts {
			row.Cells = append(row.Cells, serving(l.Patterns[i]))
		}
		v.Patterns = append(v.Patterns, row)
	}
	return v
}

func serving(s compare.Serving) servingCell {
	if !s.Served {
		return servingCell{Text: sentence(s.Why)}
	}
	var units []string
	if !s.Read.IsZero() {
		units = append(units, figures.Quantity(s.Read)+" RRU")
	}
	if !s.Write.IsZero() {
		units = append(units, figures.Quantity(s.Write)+" WRU")
	}
	return servingCell{Served: true, Text: strings.Join(units, ", ")}
}

func compared(c *compare.Comparison, id, title string, of func(*compare.Layout) (exact.Number, string)) bars {
	var amounts []amount
	for i, l := range c.Layouts {
		size, value := of(l)
		class := "rest"
		if i == 0 {
			class = "fill"
		}
		amounts = append(amounts, amount{l.Name, value, []part{{size, class}}})
	}
	return drawBars(id, title, "The design as it is and its alternatives under the same workload. Bars from zero.", amounts)
}

func summary(c *compare.Comparison) grid {
	g := grid{Caption: "The layouts side by side", Heads: []head{text("")}}
	for _, l := range c.Layouts {
		g.Heads = append(g.Heads, num(l.Name))
	}
	row := func(name string, of func(*compare.Layout) string) {
		cells := []string{name}
		for _, l := range c.Layouts {
			cells = append(cells, of(l))
		}
		g.Rows = append(g.Rows, cells)
	}
	row("Patterns served", func(l *compare.Layout) string { return fmt.Sprintf("%d of %d", l.Served, l.Served+l.Unserved) })
	row("Tables", func(l *compare.Layout) string { return strconv.Itoa(l.Tables) })
	row("Global indexes", func(l *compare.Layout) string { return strconv.Itoa(l.GSIs) })
	row("Local indexes", func(l *compare.Layout) string { return strconv.Itoa(l.LSIs) })
	row("Read units a month", func(l *compare.Layout) string { return figures.Quantity(l.Reads) })
	row("Write units a month", func(l *compare.Layout) string { return figures.Quantity(l.Writes) })
	row("Write amplification", func(l *compare.Layout) string { return figures.Quantity(l.Amplification) + "×" })
	row("Stored", func(l *compare.Layout) string { return figures.Bytes(l.Bytes) })
	row("On demand a month", func(l *compare.Layout) string { return figures.Money(l.OnDemand) })
	row("Provisioned a month", func(l *compare.Layout) string { return figures.Money(l.Provisioned) })
	row("As designed, a month", func(l *compare.Layout) string { return figures.Money(l.AsDesigned) })
	row("Hottest partition", func(l *compare.Layout) string {
		if len(l.Hot) == 0 {
			return "below half"
		}
		return share(l.Hot[0].Share)
	})
	return g
}

// sortMarkers sorts markers by their position on the axis.
func sortMarkers(list []marker) {
	slices.SortFunc(list, func(a, b marker) int { return cmp.Compare(place(a), place(b)) })
}

func place(m marker) float64 {
	f, err := strconv.ParseFloat(strings.TrimSuffix(m.X, "%"), 64)
	if err != nil {
		return 0
	}
	return f
}
