package sample

import (
	"slices"
	"time"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// periodsOf returns the attributes that patterns ask for in ranges over several partitions, with
// the periods of partitions.
func periodsOf(l *resolve.Layout) map[*model.Attribute][]model.FilterName {
	all := map[*model.Attribute][]model.FilterName{}
	for _, p := range l.Plans() {
		for _, r := range p.Reads() {
			for _, s := range r.Spans() {
				if a := s.Range.Attribute; !slices.Contains(all[a], s.Unit) {
					all[a] = append(all[a], s.Unit)
				}
			}
		}
	}
	return all
}

// spread puts the times of items into several periods, some of them at the beginning and at the
// end of one, so that ranges of them span several partitions.
func (g *generator) spread(d *draft, a *model.Attribute, at time.Time, attempt int) time.Time {
	units := g.periods[a]
	if len(units) == 0 {
		return at
	}
	back, unit := d.serial%4, units[d.serial/4%len(units)]
	begin := unit.PeriodAfter(at, -back)
	switch {
	case attempt == 0 && d.serial%5 == 1:
		return begin
	case attempt == 0 && d.serial%5 == 3:
		return begin.Add(-time.Second)
	}
	return begin.Add(at.Sub(unit.PeriodAfter(at, 0)))
}
