package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// costRules look for savings and for costs that cannot be estimated.
var costRules = []rule{nextUnit, writeAmplification, otherBilling, freeTierOnDemand, cannotPrice, dominantPattern}

// Thresholds of cost rules: advice that saves less than a dollar a month is not reported.
var (
	worthSaying = exact.One
	cheaper     = exact.Ratio(8, 10) // the other billing mode must cost a fifth less
	overUnit    = exact.Ratio(5, 100)
	amplified   = exact.Int(3)
	largeBill   = exact.Int(50) // a bill from which the dominant pattern is reported
	fewUnits    = exact.Int(2)  // units of a call below which a redesign saves nothing
)

// nextUnit finds items slightly larger than a whole number of units (M901).
func nextUnit(s *subject) {
	for _, entity := range s.entities() {
		home := s.layout.Home(entity)
		if home == nil {
			continue
		}
		size := cost.ItemSize(home).Avg
		over := size % cost.WriteUnitBytes
		if size < cost.WriteUnitBytes || over == 0 || exact.Int(size).Mul(overUnit).Less(exact.Int(over)) {
			continue
		}
		saved := s.writesOf(home).Mul(s.estimate.Prices.Of("write"))
		if saved.Less(worthSaying) {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "M901", Place: orPlace(entity.SizePlace, entity.Place), Subject: "entity " + entity.Name,
			Message: fmt.Sprintf("%s of %d bytes is %d over %d KB, which takes one more unit on every write: %s a month", entity.Name, size, over, size/cost.WriteUnitBytes, money(saved)),
			Fix:     fmt.Sprintf("Shorten names or values of %s by %d bytes", entity.Name, over),
		})
	}
}

func orPlace(p, other diag.Place) diag.Place {
	if p.IsZero() {
		return other
	}
	return p
}

func wholeEntries(w *resolve.PlannedWrite) int64 {
	n := int64(0)
	for _, x := range w.Indexes {
		if x.Change != resolve.Untouched && x.Entry.Path.Index.Project.Kind == model.ProjectAll {
			n++
		}
	}
	return n
}

// writeAmplification finds writes whose units are mostly index writes (M902).
func writeAmplification(s *subject) {
	for _, p := range s.patterns() {
		c := s.priced(p)
		if c == nil || c.Plan == nil || c.Amplification.Less(amplified) {
			continue
		}
		extra := exact.Zero
		for _, use := range c.Uses {
			if !use.Path.IsTable() {
				extra = extra.Add(use.Write)
			}
		}
		price := extra.Mul(c.Calls).Mul(s.estimate.Prices.Of("write"))
		if price.Less(worthSaying) {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "M902", Place: p.Place, Subject: "pattern " + p.Name,
			Message: fmt.Sprintf("%s takes %s write units, %s of them for indexes: %s a month", p.Name, figure(c.Write), figure(extra), money(price)),
			Fix:     amplifiedFix(c),
		})
	}
}

// amplifiedFix returns advice for a write with many index writes. An entry takes a whole unit,
// however small it is.
func amplifiedFix(c *cost.PatternCost) string {
	large := slices.ContainsFunc(c.Plan.Writes, func(w *resolve.PlannedWrite) bool {
		return slices.ContainsFunc(w.Indexes, func(x *resolve.IndexWrite) bool {
			return x.Change != resolve.Untouched && cost.WriteUnits(cost.EntrySize(x.Entry).Avg) > 1
		})
	})
	if !large && len(indexesOf(c)) == 1 {
		return fmt.Sprintf("Keep the item out of %s where it is not needed: an entry takes a whole unit, however little is projected", indexesOf(c)[0])
	}
	if !large {
		return fmt.Sprintf("Keep the item out of those of %s that do not need it: an entry takes a whole unit, however little is projected", inWords(indexesOf(c)))
	}
	return fmt.Sprintf("Project less into %s, or keep the item out of indexes that do not need it", inWords(indexesOf(c)))
}

// indexesOf returns the indexes a pattern writes, each once.
func indexesOf(c *cost.PatternCost) []string {
	var names []string
	for _, use := range c.Uses {
		if !use.Path.IsTable() && !slices.Contains(names, use.Path.Index.Name) {
			names = append(names, use.Path.Index.Name)
		}
	}
	return names
}

// otherBilling compares every table's bill with its bill under the other billing mode
// (M903, M904). The free tier may pay for provisioned capacity, so the whole design must
// be cheaper on demand too.
func otherBilling(s *subject) {
	for _, table := range s.estimate.Tables {
		onDemand := table.Cost(func(p *cost.PathCost) cost.Bill { return p.OnDemand })
		provisioned := table.Cost(func(p *cost.PathCost) cost.Bill { return p.Provisioned })
		autoscaled := table.Cost(func(p *cost.PathCost) cost.Bill { return p.Autoscaled })
		designed := table.Cost(func(p *cost.PathCost) cost.Bill { return p.AsDesigned })
		name := table.Table.Name
		finding := diag.Finding{Place: orPlace(table.Table.Billing.Place, table.Table.Place), Subject: "table " + name}
		switch {
		case !table.Table.Billing.Provisioned && muchCheaper(provisioned, onDemand):
			finding.Code = "M903"
			finding.Message = fmt.Sprintf("%s costs %s a month on demand and would cost %s provisioned for its peak, %s at best if autoscaling can follow the load", name, money(onDemand), money(provisioned), money(autoscaled))
		case table.Table.Billing.Provisioned && muchCheaper(onDemand, designed) && s.estimate.OnDemand.Total.Less(s.estimate.AsDesigned.Total):
			finding.Code = "M904"
			finding.Message = fmt.Sprintf("%s costs %s a month provisioned and would cost %s on demand", name, money(designed), money(onDemand))
			finding.Fix = leaveFix(onDemand, provisioned, autoscaled)
		default:
			continue
		}
		s.report.Add(finding)
	}
}

// leaveFix returns advice for idle capacity: on demand, unless capacity for the peak costs
// less. Autoscaling lags behind the load, so it is only offered as an alternative.
func leaveFix(onDemand, provisioned, autoscaled exact.Number) string {
	switch {
	case !onDemand.Less(provisioned):
		return fmt.Sprintf("Provision only what the peak needs, for %s a month, which is less than on demand", money(provisioned))
	case muchCheaper(autoscaled, onDemand):
		return fmt.Sprintf("Set billing to on-demand, or autoscale it if the load rises and falls slowly: %s a month at best", money(autoscaled))
	}
	return "Set billing to on-demand"
}

// muchCheaper reports whether one bill is at least a fifth and a dollar below another.
func muchCheaper(other, now exact.Number) bool {
	return other.Less(now.Mul(cheaper)) && worthSaying.Less(now.Sub(other))
}

// freeTierOnDemand finds designs that rely on free capacity although no table is
// provisioned (M905): a free_tier block, or a claim computed with free().
func freeTierOnDemand(s *subject) {
	onDemand := !slices.ContainsFunc(s.design.Tables, func(t *model.Table) bool { return t.Billing.Provisioned })
	if !onDemand || len(s.design.Tables) == 0 {
		return
	}
	free := s.design.FreeTier
	if !free.Place.IsZero() && (free.RCU.Sign() > 0 || free.WCU.Sign() > 0) {
		s.report.Add(diag.Finding{
			Code: "M905", Place: free.Place, Subject: "free tier",
			Message: fmt.Sprintf("The design relies on %s free RCU and %s free WCU, but every table is on demand, where no request is free", figure(free.RCU), figure(free.WCU)),
			Fix:     "Set billing: provisioned on the tables the free tier is meant for, or state only its storage",
		})
	}
	for _, c := range s.design.Claims {
		place := c.IsPlace
		if !countsOnFree(c.Is) {
			place = c.WorkedPlace
			if !countsOnFree(c.Worked) {
				continue
			}
		}
		s.report.Add(diag.Finding{
			Code: "M905", Place: orPlace(place, c.Place), Subject: fmt.Sprintf("claim %q", c.Text),
			Message: "The document relies on free capacity units, but every table is on demand, where no request is free",
		})
	}
}

// countsOnFree reports whether a formula uses free capacity; free storage is free in
// both billings.
func countsOnFree(formula string) bool {
	bare := strings.ReplaceAll(formula, " ", "")
	return slices.ContainsFunc([]string{"writes", "reads", "wcu", "rcu"}, func(of string) bool {
		return strings.Contains(bare, "free("+of+")")
	})
}

// cannotPrice finds reads whose number of items cannot be estimated (M906).
func cannotPrice(s *subject) {
	for _, p := range s.patterns() {
		c := s.priced(p)
		if c == nil || c.Known || c.Plan == nil || c.Plan.Read == nil || c.Plan.Read.Unique || exact.One.Less(c.Items) {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "M906", Place: p.Place, Subject: "pattern " + p.Name,
			Message: fmt.Sprintf("%s is priced as a read of one item, because the design does not say how many it returns", p.Name),
			Fix:     boundFix(p, c.Plan.Read.Entities),
		})
	}
}

// dominantPattern finds a pattern that makes up more than half of a large bill (M907). It
// skips designs with one pattern, and calls of one or two units, which have nothing to save.
func dominantPattern(s *subject) {
	total := exact.Zero
	for _, c := range s.estimate.Patterns {
		total = total.Add(c.OnDemand)
	}
	if total.Cmp(largeBill) <= 0 || len(s.estimate.Patterns) < 2 {
		return
	}
	for _, c := range s.estimate.Patterns {
		part, ok := c.OnDemand.Div(total)
		if !ok || part.Times(2).Cmp(exact.One) <= 0 || c.Read.Max(c.Write).Cmp(fewUnits) <= 0 {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "M907", Place: c.Pattern.Place, Subject: "pattern " + c.Pattern.Name,
			Message: fmt.Sprintf("%s makes up %s %% of the on-demand request cost, %s of %s a month: %s calls of %s", c.Pattern.Name, part.Times(100).Fixed(0), money(c.OnDemand), money(total), c.Pattern.Rate.Text, largestUse(c)),
			Fix:     lessFix(c),
		})
	}
}

// largestUse describes the part of one call that takes the most units.
func largestUse(c *cost.PatternCost) string {
	var most cost.Use
	for _, use := range c.Uses {
		if most.Read.Max(most.Write).Less(use.Read.Max(use.Write)) {
			most = use
		}
	}
	units, word := c.Write, "write"
	if c.Write.Less(c.Read) {
		units, word = c.Read, "read"
	}
	text := fmt.Sprintf("%s %s units", figure(units), word)
	if len(c.Uses) > 1 {
		return fmt.Sprintf("%s in %d writes, most in %s (%s)", text, len(c.Uses), most.Path, most.Why)
	}
	return fmt.Sprintf("%s (%s)", text, most.Why)
}

func lessFix(c *cost.PatternCost) string {
	if c.Pattern.Verb.Reads() {
		return fmt.Sprintf("Let %s read fewer or smaller items: a limit, an index that holds less, a cache", c.Pattern.Name)
	}
	return fmt.Sprintf("Let %s write fewer or smaller items, into fewer indexes, or less often", c.Pattern.Name)
}
