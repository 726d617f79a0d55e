package cost

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// PeakFactor is the assumed ratio of a pattern's peak to its average if the design states no
// peak.
const PeakFactor = 5

// KeepMonths is the assumed retention of a growing entity if the design states none: the
// cost is that after one year.
const KeepMonths = 12

const secondsPerMonth = model.HoursPerMonth * 3600

// factor returns the factor for rates and counts that the workload does not set.
func (o Options) factor() exact.Number {
	f := o.scale()
	if o.Profile != nil && o.Profile.Scale.Sign() > 0 {
		f = f.Mul(o.Profile.Scale)
	}
	return f
}

func (o Options) scale() exact.Number {
	if o.Scale.Sign() > 0 {
		return o.Scale
	}
	return exact.One
}

// Stored returns the number of stored items of an entity: its count, or its growth over the
// retention time, or over one year if items are never deleted.
func Stored(e *model.Entity, o Options) exact.Number {
	if o.Profile != nil {
		if n, ok := o.Profile.Counts[e]; ok {
			return n.Mul(o.scale())
		}
	}
	return unscaled(e).Mul(o.factor())
}

func unscaled(e *model.Entity) exact.Number {
	switch v := e.Volume; {
	case v.Count != nil:
		return *v.Count
	case v.Growth != nil && v.Keep > 0:
		return v.Growth.PerMonth.Mul(v.Keep.Months())
	case v.Growth != nil:
		return v.Growth.PerMonth.Times(KeepMonths)
	}
	return exact.Zero
}

// Calls returns the number of calls of a pattern in a month.
func Calls(p *model.Pattern, o Options) exact.Number {
	if o.Profile != nil {
		if rate, ok := o.Profile.Rates[p]; ok {
			return rate.PerMonth.Mul(o.scale())
		}
	}
	if o.Profile == nil && o.Scale.Sign() <= 0 {
		return p.Rate.PerMonth
	}
	return p.Rate.PerMonth.Mul(o.factor())
}

// PeakStated reports whether the design or the profile states the peak of a pattern.
func PeakStated(p *model.Pattern, o Options) bool {
	_, ok := o.profilePeak(p)
	return ok || p.Peak != nil
}

// profilePeak returns the peak that the profile sets for a pattern.
func (o Options) profilePeak(p *model.Pattern) (model.Rate, bool) {
	if o.Profile == nil {
		return model.Rate{}, false
	}
	peak, ok := o.Profile.Peaks[p]
	return peak, ok
}

// Peak returns the number of calls of a pattern in the busiest second: its stated peak,
// scaled as its rate is, or PeakFactor times its average. A rate that a profile sets does
// not change a stated peak; a peak is never below the average.
func Peak(p *model.Pattern, o Options) exact.Number {
	average := Calls(p, o).Over(secondsPerMonth)
	if peak, ok := o.profilePeak(p); ok {
		return peak.PerSecond().Mul(o.scale()).Max(average)
	}
	if p.Peak == nil {
		return average.Times(PeakFactor)
	}
	if o.Profile != nil {
		if _, ok := o.Profile.Rates[p]; ok {
			return p.Peak.PerSecond().Mul(o.scale()).Max(average)
		}
	}
	return p.Peak.PerSecond().Mul(o.factor()).Max(average)
}

// more returns how many times more keys the workload has than the design's own; at least 1. The
// hottest of them is assumed to have the load that it has in the design's own workload.
func (o Options) more() exact.Number { return o.factor().Max(exact.One) }

// HotShare returns the share of a pattern's peak on the hottest key that is made of some
// attributes, if the design or the profile states it. A share that the design states is smaller
// under a larger scale, because there are more keys.
func HotShare(p *model.Pattern, of []*model.Attribute, o Options) (exact.Number, bool) {
	share, stated := p.HotShare(of)
	if o.Profile != nil {
		if hot, ok := o.Profile.Hot[p]; ok {
			return hot, true
		}
		if _, set := o.Profile.Rates[p]; set {
			return share, stated
		}
	}
	return o.shrunk(share), stated
}

// shrunk returns an assumed share of the design's own workload under the workload.
func (o Options) shrunk(share exact.Number) exact.Number {
	if o.Profile == nil && o.Scale.Sign() <= 0 {
		return share
	}
	less, _ := share.Div(o.more())
	return less
}

// share returns the share of an entity's items that meet conditions, and how it was
// estimated; "" if there was nothing to estimate.
func share(e *model.Entity, conditions []*model.Condition) (exact.Number, string) {
	part, why := exact.One, ""
	for i, c := range conditions {
		if slices.ContainsFunc(conditions[:i], func(d *model.Condition) bool { return sameCondition(c, d) }) {
			continue // the keys of an entry often have the same condition
		}
		p, w := shareOf(e, c)
		part = part.Mul(p)
		if why != "" {
			why += ", "
		}
		why += w
	}
	return part, why
}

func sameCondition(c, d *model.Condition) bool {
	return c.Attribute == d.Attribute && c.Op == d.Op && slices.Equal(c.Values, d.Values)
}

func shareOf(e *model.Entity, c *model.Condition) (exact.Number, string) {
	wanted := int64(len(c.Values))
	if per := e.PerOf(c.Attribute); per != nil && (c.Op == model.Eq || c.Op == model.In) {
		if part, ok := per.Avg.Times(wanted).Div(unscaled(e)); ok {
			return part.Min(exact.One), fmt.Sprintf("%s have one value of %s", counted(per.Avg, "item"), c.Attribute.Name)
		}
	}
	values := possible(c.Attribute.Type)
	switch {
	case values > 0 && (c.Op == model.Eq || c.Op == model.In):
		return exact.Ratio(min(wanted, values), values), fmt.Sprintf("%d of %d values of %s, assumed to be equally frequent", wanted, values, c.Attribute.Name)
	case values > 1 && c.Op == model.Ne:
		return exact.Ratio(values-1, values), fmt.Sprintf("%d of %d values of %s, assumed to be equally frequent", values-1, values, c.Attribute.Name)
	}
	return half, fmt.Sprintf("half of all items are assumed to have %s %s", c.Attribute.Name, c.Op)
}

// possible returns the number of values of a type with few values, else 0.
func possible(t model.Type) int64 {
	switch t.Base {
	case model.Bool:
		return 2
	case model.Enum:
		return int64(len(t.Values))
	}
	return 0
}
