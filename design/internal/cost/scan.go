package cost

import (
	"fmt"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// NewPartitions is the number of partitions of a new on-demand table. A scan visits each of
// them, and each is rounded up to whole units.
const NewPartitions = 4

// scan prices a scan: everything in its table or index is read, also what it leaves out.
func (p *pricer) scan(c *PatternCost) {
	r := c.Plan.Read
	path, stored := r.Entry.Path, p.paths[r.Entry.Path]
	m := match{known: true, items: stored.Items}
	for _, e := range append([]*model.Entity{r.Entities[0]}, r.Mixed...) {
		if p.items.entryOn(e, path) != nil && p.items.count(e).IsZero() {
			m.known, m.why = false, "the number of "+e.Name+" items is not stated"
		}
	}
	m.size, _ = stored.Bytes.Sub(stored.Items.Times(ItemOverhead)).Div(stored.Items)
	whole := true
	if own, limit := p.items.count(r.Entities[0]), exact.Int(c.Pattern.Limit); c.Pattern.Limit > 0 && len(r.Filter) == 0 && limit.Less(own) {
		part, _ := limit.Div(own)
		m.items, whole = m.items.Mul(part).Ceil(), false
		m.why = fmt.Sprintf("until %d are found", c.Pattern.Limit)
	}
	units, pages := QueryUnits(m.items, m.size, r.Eventual)
	if whole {
		units = units.Max(partitionUnits(path.Table, m, r.Eventual))
	}
	c.Items, c.Known, c.Pages, c.Requests = m.items, m.known, pages, pages.Max(exact.Int(c.Pattern.Segments))
	c.Uses = []Use{{Path: path, Read: units, Why: "all of it: " + whyRead(r, m, 1)}}
}

// partitionUnits returns the units of a scan whose items are spread evenly over the partitions
// of a new table.
func partitionUnits(t *model.Table, m match, eventual bool) exact.Number {
	partitions := int64(1)
	if !t.Billing.Provisioned {
		partitions = NewPartitions
	}
	each := m.items.Mul(m.size).Over(partitions).Ceil().Int64()
	return ReadUnits(each, eventual).Times(partitions)
}
