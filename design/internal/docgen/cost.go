package docgen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
)

// costView is the cost section.
type costView struct {
	Free      bool // the design costs nothing: no charts
	ByPattern figure
	ByPath    figure
	Ways      figure
	BreakEven breakEvenView
	Amplified *figure // nil: the design writes nothing
	Storage   figure
	FreeTier  string
	Covered   bool
	Prices    grid
}

func newCost(e *cost.Estimate) costView {
	return costView{
		Free:      e.OnDemand.Total.IsZero() && e.Provisioned.Total.IsZero(),
		ByPattern: moneyByPattern(e), ByPath: moneyByPath(e), Ways: waysToPay(e),
		BreakEven: newBreakEven(e), Amplified: amplification(e), Storage: storage(e),
		FreeTier: freeTier(e.FreeTier), Covered: e.FreeTier.Covers,
		Prices: prices(e.Prices),
	}
}

// mostPatterns is the maximum number of patterns in a chart; the others are combined.
const mostPatterns = 12

func moneyByPattern(e *cost.Estimate) figure {
	ranked := slices.Clone(e.Patterns)
	slices.SortStableFunc(ranked, func(a, b *cost.PatternCost) int { return b.OnDemand.Cmp(a.OnDemand) })
	table := grid{Caption: "Requests on demand by pattern, dollars a month", Heads: []head{text("Pattern"), num("Calls a month"), num("RRU a call"), num("WRU a call"), num("Money a month")}}
	var amounts []amount
	rest, others := exact.Zero, 0
	for i, p := range ranked {
		if i >= mostPatterns && len(ranked) > mostPatterns+1 {
			rest, others = rest.Add(p.OnDemand), others+1
			continue
		}
		amounts = append(amounts, one(p.Pattern.Name, figures.Money(p.OnDemand), p.OnDemand))
		table.Rows = append(table.Rows, []string{p.Pattern.Name, figures.Quantity(p.Calls), figures.Quantity(p.Read), figures.Quantity(p.Write), figures.Money(p.OnDemand)})
	}
	if others > 0 {
		name := fmt.Sprintf("%d other patterns", others)
		amounts = append(amounts, amount{name, figures.Money(rest), []part{{rest, "rest"}}})
		table.Rows = append(table.Rows, []string{name, "", "", "", figures.Money(rest)})
	}
	desc := "Bars from zero, the most expensive pattern first."
	if len(ranked) > 0 {
		desc = fmt.Sprintf("%s costs most, %s a month. Bars from zero.", ranked[0].Pattern.Name, figures.Money(ranked[0].OnDemand))
	}
	return figure{drawBars("c-pattern", "Requests on demand by pattern, a month", desc, amounts), table}
}

// paths returns all tables and indexes, in the order of the design.
func paths(e *cost.Estimate) []*cost.PathCost {
	var all []*cost.PathCost
	for _, t := range e.Tables {
		all = append(all, t.Paths...)
	}
	return all
}

func moneyByPath(e *cost.Estimate) figure {
	table := grid{Caption: "Tables and indexes, each on its own, without the free tier", Heads: []head{text("Path"), num("RRU a month"), num("WRU a month"), num("Peak RCU"), num("Peak WCU"), num("On demand"), num("Provisioned")}}
	var amounts []amount
	for _, p := range paths(e) {
		class := "fill"
		if !p.Path.IsTable() {
			class = "second"
		}
		total := p.OnDemand.Total
		amounts = append(amounts, amount{p.Path.String(), figures.Money(total), []part{{total, class}}})
		table.Rows = append(table.Rows, []string{p.Path.String(), figures.Quantity(p.Reads), figures.Quantity(p.Writes),
			figures.Quantity(p.PeakRCU), figures.Quantity(p.PeakWCU), figures.Money(total), figures.Money(p.Provisioned.Total)})
	}
	f := figure{drawBars("c-path", "On demand by table and index, a month", "Requests and storage of each table and each index. Bars from zero.", amounts), table}
	f.Chart.Legend = []key{{"fill", "table"}, {"second", "index"}}
	return f
}

type way struct {
	Name string
	Bill cost.Bill
}

func ways(e *cost.Estimate) []way {
	return []way{
		{"As designed", e.AsDesigned}, {"On demand", e.OnDemand}, {"Provisioned for the peak", e.Provisioned},
		{"Autoscaled, at best", e.Autoscaled}, {"Reserved for 1 year", e.Reserved1}, {"Reserved for 3 years", e.Reserved3},
	}
}

// purposes lists the purposes of costs with their colours. Several kinds of lines share a
// purpose: writes, write capacity and reserved write capacity are all for writes.
var purposes = []key{{"fill", "writes"}, {"second", "reads"}, {"third", "storage"}, {"fourth", "recovery"}, {"rest", "other"}}

func purposeOf(what string) string {
	for _, p := range []struct{ part, purpose string }{
		{"stream", "other"}, {"write", "writes"}, {"read", "reads"}, {"storage", "storage"}, {"pitr", "recovery"},
	} {
		if strings.Contains(what, p.part) {
			return p.purpose
		}
	}
	return "other"
}

// billed returns the kinds of lines of the bills, in order of first occurrence.
func billed(e *cost.Estimate) []string {
	var all []string
	for _, w := range ways(e) {
		for _, line := range w.Bill.Lines {
			if !slices.Contains(all, line.What) {
				all = append(all, line.What)
			}
		}
	}
	return all
}

func amountOf(b cost.Bill, what string) exact.Number {
	sum := exact.Zero
	for _, line := range b.Lines {
		if line.What == what {
			sum = sum.Add(line.Amount)
		}
	}
	return sum
}

func spentOn(b cost.Bill, purpose string) exact.Number {
	sum := exact.Zero
	for _, line := range b.Lines {
		if purposeOf(line.What) == purpose {
			sum = sum.Add(line.Amount)
		}
	}
	return sum
}

func waysToPay(e *cost.Estimate) figure {
	kinds := billed(e)
	table := grid{Caption: "Ways to pay, dollars a month", Heads: []head{text("Way")}}
	for _, k := range kinds {
		table.Heads = append(table.Heads, num(capital(k)))
	}
	table.Heads = append(table.Heads, num("Total"))
	var amounts []amount
	for _, w := range ways(e) {
		a := amount{label: w.Name, value: figures.Money(w.Bill.Total)}
		row := []string{w.Name}
		for _, k := range kinds {
			row = append(row, figures.Money(amountOf(w.Bill, k)))
		}
		for _, p := range purposes {
			a.parts = append(a.parts, part{spentOn(w.Bill, p.Word), p.Class})
		}
		amounts = append(amounts, a)
		table.Rows = append(table.Rows, append(row, figures.Money(w.Bill.Total)))
	}
	f := figure{drawBars("c-ways", "Ways to pay, a month", "The whole design in each billing mode, split by purpose. Bars from zero.", amounts), table}
	f.Chart.Legend = purposes
	return f
}

// amplification shows the write amplification of each pattern, highest first.
func amplification(e *cost.Estimate) *figure {
	ranked := slices.DeleteFunc(slices.Clone(e.Patterns), func(p *cost.PatternCost) bool { return p.Write.IsZero() })
	if len(ranked) == 0 {
		return nil
	}
	slices.SortStableFunc(ranked, func(a, b *cost.PatternCost) int { return b.Amplification.Cmp(a.Amplification) })
	table := grid{Caption: "Write units of one call", Heads: []head{text("Pattern"), num("Table"), num("Indexes"), num("Amplification")}}
	var amounts []amount
	for i, p := range ranked {
		onTable, onIndexes := exact.Zero, exact.Zero
		for _, use := range p.Uses {
			if use.Path.IsTable() {
				onTable = onTable.Add(use.Write)
			} else {
				onIndexes = onIndexes.Add(use.Write)
			}
		}
		times := figures.Quantity(p.Amplification) + "×"
		table.Rows = append(table.Rows, []string{p.Pattern.Name, figures.Quantity(onTable), figures.Quantity(onIndexes), times})
		if i < mostPatterns {
			value := figures.Quantity(p.Write) + " WRU, " + times
			amounts = append(amounts, amount{p.Pattern.Name, value, []part{{onTable, "fill"}, {onIndexes, "second"}}})
		}
	}
	f := figure{drawBars("c-amplified", "Write units of one call", "Units of the table and of its indexes, the largest factor first. Bars from zero.", amounts), table}
	f.Chart.Legend = []key{{"fill", "table"}, {"second", "indexes"}}
	return &f
}

func storage(e *cost.Estimate) figure {
	table := grid{Caption: "Stored in tables and indexes", Heads: []head{text("Path"), num("Items"), num("Bytes")}}
	var amounts []amount
	for _, p := range paths(e) {
		class := "fill"
		if !p.Path.IsTable() {
			class = "second"
		}
		size := figures.Bytes(p.Bytes)
		amounts = append(amounts, amount{p.Path.String(), size, []part{{p.Bytes, class}}})
		table.Rows = append(table.Rows, []string{p.Path.String(), figures.Quantity(p.Items), size})
	}
	f := figure{drawBars("c-storage", "Stored in tables and indexes", "Including 100 bytes of overhead per item and entry. Bars from zero.", amounts), table}
	f.Chart.Legend = []key{{"fill", "table"}, {"second", "index"}}
	return f
}

func freeTier(f cost.FreeTierUse) string {
	text := "With provisioned capacity the design needs " + figures.Quantity(f.RCU) + " RCU, " + figures.Quantity(f.WCU) + " WCU and " +
		figures.Bytes(f.Bytes) + ". Left of the account's free tier are " + figures.Quantity(f.FreeRCU) + " RCU, " +
		figures.Quantity(f.FreeWCU) + " WCU and " + figures.Quantity(f.FreeGB) + " GB"
	if f.Covers {
		return text + ": it is enough. Requests on demand are never free."
	}
	return text + ": it is not enough. Requests on demand are never free."
}

// prices returns the prices of the estimate.
func prices(list *cost.PriceList) grid {
	g := grid{Caption: "Prices used", Heads: []head{text("Price"), num("Amount"), text("For"), text("Source")}}
	for _, p := range list.Prices {
		g.Rows = append(g.Rows, []string{p.Name, p.Stated.String(), p.Unit, p.Source})
	}
	return g
}
