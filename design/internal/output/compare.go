package output

import (
	"fmt"
	"io"

	"sortkey.dev/design/internal/compare"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// Comparison prints the comparison of a design with its alternatives.
type Comparison struct {
	Comparison *compare.Comparison
	Workload   string
}

// Text writes the comparison as text: conclusions first, then the numbers.
func (c Comparison) Text(w io.Writer, style Style) error {
	p := &page{style: style}
	p.heading(c.Comparison.Design.Name + ": the layouts side by side, a month")
	p.line("%s", c.Workload)
	p.line("%s", pricesLine(c.Comparison.Prices))
	p.line("")
	for _, conclusion := range c.Comparison.Conclusions {
		p.labelled("", "-", conclusion)
	}
	p.line("")
	c.totals(p)
	p.line("")
	c.patterns(p)
	c.unserved(p)
	return p.send(w)
}

func (c Comparison) heads(first string) []string {
	heads := []string{first}
	for _, l := range c.Comparison.Layouts {
		heads = append(heads, ">"+l.Name)
	}
	return heads
}

func (c Comparison) totals(p *page) {
	g := grid{heads: c.heads("")}
	add := func(name string, value func(*compare.Layout) string) {
		row := []any{name}
		for _, l := range c.Comparison.Layouts {
			row = append(row, value(l))
		}
		g.row(row...)
	}
	add("patterns served", func(l *compare.Layout) string { return fmt.Sprintf("%d of %d", l.Served, l.Served+l.Unserved) })
	add("tables", func(l *compare.Layout) string { return fmt.Sprint(l.Tables) })
	add("global indexes", func(l *compare.Layout) string { return fmt.Sprint(l.GSIs) })
	add("local indexes", func(l *compare.Layout) string { return fmt.Sprint(l.LSIs) })
	add("read units", func(l *compare.Layout) string { return figures.Quantity(l.Reads) })
	add("write units", func(l *compare.Layout) string { return figures.Quantity(l.Writes) })
	add("write amplification", func(l *compare.Layout) string { return figures.Quantity(l.Amplification) + "×" })
	add("stored", func(l *compare.Layout) string { return figures.Bytes(l.Bytes) })
	add("on demand", func(l *compare.Layout) string { return figures.Money(l.OnDemand) })
	add("provisioned", func(l *compare.Layout) string { return figures.Money(l.Provisioned) })
	add("as designed", func(l *compare.Layout) string { return figures.Money(l.AsDesigned) })
	add("hottest partition", hottest)
	g.write(p, "  ")
}

// hottest describes the hottest partition of a layout.
func hottest(l *compare.Layout) string {
	if len(l.Hot) == 0 {
		return "below half"
	}
	return figures.Percent(l.Hot[0].Share) + " " + l.Hot[0].Path.String()
}

func (c Comparison) patterns(p *page) {
	p.heading("Requests and units of one call")
	g := grid{heads: c.heads("pattern")}
	for i, pattern := range c.Comparison.Patterns {
		row := []any{pattern.Name}
		for _, l := range c.Comparison.Layouts {
			row = append(row, servingCell(l.Patterns[i]))
		}
		g.row(row...)
	}
	g.write(p, "  ")
}

func servingCell(s compare.Serving) cell {
	if !s.Served {
		return cell{"not served", red}
	}
	return cell{text: amount(s.Requests, "request") + ", " + units(s.Read, s.Write)}
}

// unserved lists the patterns each layout does not serve, and why.
func (c Comparison) unserved(p *page) {
	for _, l := range c.Comparison.Layouts {
		if l.Unserved == 0 {
			continue
		}
		p.line("")
		p.heading("Not served by " + l.Name)
		for _, s := range l.Patterns {
			if !s.Served {
				p.labelled("  ", s.Pattern.Name+":", sentence(s.Why))
			}
		}
	}
}

// JSON writes the comparison as JSON.
func (c Comparison) JSON(w io.Writer) error {
	type serving struct {
		Pattern  string       `json:"pattern"`
		Served   bool         `json:"served"`
		Why      string       `json:"why,omitempty"`
		Requests exact.Number `json:"requestsPerCall"`
		Read     exact.Number `json:"readUnitsPerCall"`
		Write    exact.Number `json:"writeUnitsPerCall"`
	}
	type hot struct {
		Path  string       `json:"path"`
		Share exact.Number `json:"shareOfPartition"`
	}
	type layout struct {
		Name          string       `json:"name"`
		Doc           string       `json:"doc,omitempty"`
		Served        int          `json:"served"`
		Unserved      int          `json:"unserved"`
		Tables        int          `json:"tables"`
		GSIs          int          `json:"globalIndexes"`
		LSIs          int          `json:"localIndexes"`
		Reads         exact.Number `json:"readUnitsPerMonth"`
		Writes        exact.Number `json:"writeUnitsPerMonth"`
		Amplification exact.Number `json:"writeAmplification"`
		Bytes         exact.Number `json:"bytes"`
		OnDemand      exact.Number `json:"onDemand"`
		Provisioned   exact.Number `json:"provisioned"`
		AsDesigned    exact.Number `json:"asDesigned"`
		Hot           []hot        `json:"hot"`
		Patterns      []serving    `json:"patterns"`
	}
	out := struct {
		Design      string   `json:"design"`
		Workload    string   `json:"workload"`
		Conclusions []string `json:"conclusions"`
		Layouts     []layout `json:"layouts"`
	}{c.Comparison.Design.Name, c.Workload, c.Comparison.Conclusions, nil}
	for _, l := range c.Comparison.Layouts {
		one := layout{
			Name: l.Name, Doc: l.Doc, Served: l.Served, Unserved: l.Unserved, Tables: l.Tables, GSIs: l.GSIs, LSIs: l.LSIs,
			Reads: l.Reads, Writes: l.Writes, Amplification: l.Amplification, Bytes: l.Bytes,
			OnDemand: l.OnDemand, Provisioned: l.Provisioned, AsDesigned: l.AsDesigned, Hot: []hot{}, Patterns: []serving{},
		}
		for _, h := range l.Hot {
			one.Hot = append(one.Hot, hot{h.Path.String(), h.Share})
		}
		for _, s := range l.Patterns {
			one.Patterns = append(one.Patterns, serving{s.Pattern.Name, s.Served, s.Why, s.Requests, s.Read, s.Write})
		}
		out.Layouts = append(out.Layouts, one)
	}
	return writeJSON(w, out)
}
