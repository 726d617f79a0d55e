package docgen

import (
	"strings"

	"sortkey.dev/design/internal/exact"
)

func (n *notes) cost(in Input, p *page) {
	n.heading(2, "Cost")
	n.mermaid("Ways to pay, as a picture", waysChart(in.Estimate))
	n.heading(3, "Ways to pay")
	n.grid(p.Cost.Ways.Table)
	n.heading(3, "By pattern")
	n.mermaid("Money by pattern, as a picture", moneyPie(in.Estimate))
	n.grid(p.Cost.ByPattern.Table)
	n.heading(3, "By table and index")
	n.grid(p.Cost.ByPath.Table)
	n.grid(p.Cost.Storage.Table)
	if p.Cost.Amplified != nil {
		n.fold("Write amplification", func() { n.grid(p.Cost.Amplified.Table) })
	}
	n.line("%s %s\n", plain(p.Cost.BreakEven.Words), plain(p.Cost.FreeTier))
}

func (n *notes) heat(p *page) {
	n.heading(2, "Heat")
	if p.Heat.Cold {
		n.line("No pattern puts a load on any partition under this workload.\n")
		return
	}
	n.line("%s\n", plain(p.Heat.Words))
	n.grid(p.Heat.Table)
}

func (n *notes) others(p *page) {
	n.heading(2, "Alternatives")
	if p.Others == nil {
		n.line("The design names no alternatives.\n")
		return
	}
	for _, said := range p.Others.Conclusions {
		n.line("- %s", plain(said))
	}
	n.line("")
	n.grid(p.Others.Summary)
	n.fold("Pattern by pattern", func() {
		heads := []head{text("Pattern")}
		for _, name := range p.Others.Heads {
			heads = append(heads, text(name))
		}
		var rows [][]string
		for _, r := range p.Others.Patterns {
			row := []string{plain(r.Name)}
			for _, c := range r.Cells {
				mark := "✓ "
				if !c.Served {
					mark = "✕ "
				}
				row = append(row, mark+plain(c.Text))
			}
			rows = append(rows, row)
		}
		n.table(heads, rows)
	})
}

func (n *notes) details(in Input, p *page) {
	n.heading(2, "Details")
	var rows [][]string
	for _, t := range p.Details.Tables {
		var facts []string
		for _, f := range t.Facts {
			facts = append(facts, plain(f.Name+": "+f.Value))
		}
		rows = append(rows, []string{plain(t.Name), strings.Join(facts, "<br>")})
	}
	n.table([]head{text("Table"), text("Settings")}, rows)
	rows = nil
	for _, e := range p.Details.Entities {
		var facts []string
		for _, f := range e.Facts {
			facts = append(facts, plain(f.Name+": "+f.Value))
		}
		rows = append(rows, []string{plain(e.Mark.Name), plain(e.Doc), strings.Join(facts, "<br>")})
	}
	n.table([]head{text("Entity"), text("What it is"), text("Facts")}, rows)
	for _, e := range in.Layout.Design().Entities {
		for _, a := range e.Attributes {
			if a.Lifecycle != nil {
				n.mermaid("Life of "+e.Name+"."+a.Name, lifecycleDiagram(newLifecycle(a)))
			}
		}
	}
	if len(p.Details.Roles) > 0 {
		rows = nil
		for _, r := range p.Details.Roles {
			rows = append(rows, []string{plain(r.Name), plain(r.Doc), plain(r.Bound), plain(r.Patterns)})
		}
		n.table([]head{text("Role"), text("Who"), text("Only where"), text("Patterns")}, rows)
	}
}

// worthDrawing reports whether an amount would be visible in a picture.
func worthDrawing(n exact.Number) bool { return !n.Round(4).IsZero() }

// overview writes the tables and indexes with their entities, cost and heat.
func (n *notes) overview(p *page) {
	n.heading(2, "Where everything is")
	if len(p.Overview) == 0 {
		n.line("The design has no tables yet.\n")
		return
	}
	var rows [][]string
	for _, t := range p.Overview {
		for _, path := range t.Paths {
			name := plain(t.Name)
			if path.Kind != "table" {
				name += "." + plain(path.Name)
			}
			var entities []string
			for _, e := range path.Entities {
				entities = append(entities, plain(e.Name))
			}
			rows = append(rows, []string{name, code(path.Keys), strings.Join(entities, ", "), plain(path.Stored), plain(path.Money.Value), plain(path.Heat.Value)})
		}
	}
	n.table([]head{text("Path"), text("Keys"), text("Entities"), num("Stored"), num("Money a month"), num("Hottest key, of a partition")}, rows)
}
