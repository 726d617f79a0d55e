package cost

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Pattern returns the cost of a pattern, or nil if it was not priced.
func (e *Estimate) Pattern(p *model.Pattern) *PatternCost {
	for _, c := range e.Patterns {
		if c.Pattern == p {
			return c
		}
	}
	return nil
}

// Path returns the cost of a table or an index, or nil.
func (e *Estimate) Path(path resolve.Path) *PathCost {
	for _, table := range e.Tables {
		for _, c := range table.Paths {
			if c.Path == path {
				return c
			}
		}
	}
	return nil
}

// Reads returns all read units a month.
func (e *Estimate) Reads() exact.Number {
	return e.sum(func(c *PathCost) exact.Number { return c.Reads })
}

// Writes returns all write units a month.
func (e *Estimate) Writes() exact.Number {
	return e.sum(func(c *PathCost) exact.Number { return c.Writes })
}

// Bytes returns the stored bytes, indexes and overhead included.
func (e *Estimate) Bytes() exact.Number {
	return e.sum(func(c *PathCost) exact.Number { return c.Bytes })
}

func (e *Estimate) sum(of func(*PathCost) exact.Number) exact.Number {
	total := exact.Zero
	for _, table := range e.Tables {
		for _, path := range table.Paths {
			total = total.Add(of(path))
		}
	}
	return total
}

// Amplification returns the ratio of all write units to those of the tables alone; 1 if
// nothing is written.
func (e *Estimate) Amplification() exact.Number {
	all, onTables := exact.Zero, exact.Zero
	for _, c := range e.Patterns {
		for _, use := range c.Uses {
			units := use.Write.Mul(c.Calls)
			all = all.Add(units)
			if use.Path.IsTable() {
				onTables = onTables.Add(units)
			}
		}
	}
	if factor, ok := all.Div(onTables); ok {
		return factor
	}
	return exact.One
}

// Cost returns the total cost of a table and its indexes, by the bill that of selects.
func (t *TableCost) Cost(of func(*PathCost) Bill) exact.Number {
	total := exact.Zero
	for _, path := range t.Paths {
		total = total.Add(of(path).Total)
	}
	return total
}

// Line returns the line of a kind, or an empty one.
func (b Bill) Line(what string) Line {
	for _, l := range b.Lines {
		if l.What == what {
			return l
		}
	}
	return Line{What: what}
}

// Writes returns the free write units a month: 25 units are 65.7 million.
func (f FreeTierUse) Writes() exact.Number { return f.FreeWCU.Times(secondsPerMonth) }

// Reads returns the free read units a month; they serve twice as many eventually consistent
// reads of up to 4 KB.
func (f FreeTierUse) Reads() exact.Number { return f.FreeRCU.Times(secondsPerMonth) }

// Replacing returns the share of the puts of an entity that the estimate assumes to replace an
// item.
func (e *Estimate) Replacing(entity *model.Entity) exact.Number { return e.items.replacing(entity) }

// IndexUnits returns the write units that one action takes for an index entry.
func (e *Estimate) IndexUnits(w *resolve.PlannedWrite, entry *resolve.Entry) exact.Number {
	sum := exact.Zero
	for _, x := range w.Indexes {
		if x.Entry == entry {
			gone, came := e.items.indexUnits(w, x)
			sum = sum.Add(gone).Add(came)
		}
	}
	return sum
}
