package cost

import (
	"fmt"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// transactionFactor is the factor of table writes in a transaction; index writes are charged
// once.
const transactionFactor = 2

// write prices a write including its guards, counters, required items and index entries.
func (p *pricer) write(c *PatternCost) {
	together := c.Pattern.Verb == model.Transact || len(c.Plan.Writes) > 1
	onTables, all := int64(0), exact.Zero
	for _, w := range c.Plan.Writes {
		if w.Item == nil {
			continue
		}
		units, why := writeItem(w, together)
		c.Uses = append(c.Uses, Use{Path: resolve.Path{Table: w.Item.Table}, Write: exact.Int(units), Why: why})
		onTables, all = onTables+units, all.Add(exact.Int(units))
		p.change(c, w)
		p.heat.write(c, w, units)
		for _, x := range w.Indexes {
			gone, came := p.items.indexUnits(w, x)
			if units := gone.Add(came); units.Sign() > 0 {
				c.Uses = append(c.Uses, Use{Path: x.Entry.Path, Write: units, Why: p.whyIndex(w, x)})
				all = all.Add(units)
				p.heat.writeEntry(c, w, x.Entry, gone, came)
			}
		}
	}
	c.Known, c.Requests, c.Pages, c.Amplification = true, exact.One, exact.One, exact.One
	if onTables > 0 {
		c.Amplification = all.Over(onTables)
	}
}

// writeItem returns the write units of one action on its table. A condition check takes as
// much as a write.
func writeItem(w *resolve.PlannedWrite, together bool) (units int64, why string) {
	size, n := ItemSize(w.Item).Avg, repeated(w)
	units, why = WriteUnits(size)*n, counted(exact.Int(n), "item")+" of "+sizeText(exact.Int(size))
	if together {
		units *= transactionFactor
		why += ", in a transaction"
	}
	if w.Operation == resolve.ConditionCheck {
		why += ", checked"
	}
	if w.Implied != "" {
		why += "; " + w.Implied
	}
	return units, why
}

// repeated returns the number of items that an action writes.
func repeated(w *resolve.PlannedWrite) int64 {
	if w.Step == nil {
		return 1
	}
	return max(w.Step.Each, 1)
}

// whyIndex explains the write units of one action on an index.
func (p *pricer) whyIndex(w *resolve.PlannedWrite, x *resolve.IndexWrite) string {
	size := sizeText(exact.Int(p.items.size(x.Entry).Avg))
	if x.Change != resolve.Moved {
		return "entry of " + size
	}
	if w.Step != nil && w.Step.Verb == model.Put {
		switch share := p.items.replacing(w.Item.Entity); {
		case share.IsZero():
			return "entry of " + size
		case share.Less(exact.One):
			return fmt.Sprintf("entry of %s, and one delete where an item is replaced, %s of the puts", size, figures.Percent(share))
		}
	}
	return "entry moved, one delete and one put, of " + size
}

// change adds the items of a write to the number of stream records of its table.
func (p *pricer) change(c *PatternCost, w *resolve.PlannedWrite) {
	if w.Operation == resolve.ConditionCheck || w.Item.Table == nil || w.Item.Table.Stream == "" {
		return
	}
	p.changes[w.Item.Table] = p.changes[w.Item.Table].Add(c.Calls.Times(repeated(w)))
}
