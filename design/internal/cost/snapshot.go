package cost

import (
	"sortkey.dev/design/internal/exact"
)

// snapshot prices the parts of a snapshot: a read in a transaction takes two units where a
// consistent read takes one, for an item that does not exist, too.
func (p *pricer) snapshot(c *PatternCost) {
	c.Items, c.Known = exact.Int(int64(len(c.Plan.Parts))), true
	c.Pages, c.Requests = exact.One, exact.One
	for _, r := range c.Plan.Parts {
		m := p.matched(r.Pattern, r, 1)
		units := ReadUnits(m.size.Ceil().Int64(), false).Times(2)
		c.Known = c.Known && m.known
		c.Uses = append(c.Uses, Use{Path: r.Entry.Path, Read: units, Why: whyRead(r, m, 1) + ", in a transaction"})
		p.heat.read(c, r, units, 1, 1)
	}
}
