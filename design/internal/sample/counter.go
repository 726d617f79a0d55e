package sample

import (
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// count sets counters to what the sample items make them.
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
