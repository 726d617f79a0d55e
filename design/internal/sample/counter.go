package sample

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// count sets counters to the values for the sample items.
func (g *generator) count() {
	for _, e := range g.layout.Design().Entities {
		for _, c := range e.Counters {
			for _, d := range g.made[e] {
				d.values[c.Attribute] = digits(resolve.Digits(g.counted(d, c)))
			}
		}
	}
}

func (g *generator) counted(d *draft, c *model.Counter) exact.Number {
	sum := exact.Zero
	for _, other := range g.made[c.Of] {
		if !matches(d, other, c.Match) || !holds(c.Where, other) {
			continue
		}
		if c.Sum == nil {
			sum = sum.Add(exact.One)
			continue
		}
		if n, err := exact.Parse(other.values[c.Sum].Text); err == nil {
			sum = sum.Add(n)
		}
	}
	return sum
}

// share is the divisor of a counter's range for the largest value of one item, so that several
// fit.
const share = 8

// Most returns the largest value of an attribute with which several items fit within the
// bounds of a counter that sums them, and whether there is such a counter.
func Most(design *model.Design, a *model.Attribute) (int64, bool) {
	least, bounded := int64(0), false
	for _, e := range design.Entities {
		for _, c := range e.Counters {
			if c.Sum != a || c.Max == nil || c.Shards > 1 {
				continue
			}
			if most := max(1, c.Max.Floor().Int64()/share); !bounded || most < least {
				least, bounded = most, true
			}
		}
	}
	return least, bounded
}

// Inside clamps a number to the bounds of a counter.
func Inside(c *model.Counter, n exact.Number) exact.Number {
	switch {
	case c.Shards > 1: // which no shard knows
	case c.Max != nil && c.Max.Less(n):
		return *c.Max
	case c.Min != nil && n.Less(*c.Min):
		return *c.Min
	}
	return n
}

func matches(mine, theirs *draft, match []model.Match) bool {
	for _, m := range match {
		a, okA := mine.values[m.Mine]
		b, okB := theirs.values[m.Theirs]
		if !okA || !okB || a.String() != b.String() {
			return false
		}
	}
	return len(match) > 0
}
