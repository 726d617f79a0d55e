package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// hotItem finds single items that take all updates or checks of a busy pattern (H503):
// the key has no parameters, or the pattern states the share of its hottest key. Checks in
// transactions conflict just as writes do.
func hotItem(s *subject) {
	for _, p := range s.patterns() {
		c := s.priced(p)
		if c == nil || c.Plan == nil {
			continue
		}
		for _, w := range c.Plan.Writes {
			calls, one := s.callsOnItem(c, w)
			if !one {
				continue
			}
			units := calls.Times(cost.WriteUnits(cost.ItemSize(w.Item).Avg))
			together := p.Verb == model.Transact || len(c.Plan.Writes) > 1
			if exact.Int(busyItem).Less(units) || (together && exact.Int(busyTransactions).Less(calls)) {
				s.report.Add(oneHotItem(p, w, calls, together))
			}
		}
	}
}

// callsOnItem returns how many calls a second update or check the same item at the peak of a
// pattern, and whether there is such an item.
func (s *subject) callsOnItem(c *cost.PatternCost, w *resolve.PlannedWrite) (exact.Number, bool) {
	checks := w.Operation == resolve.ConditionCheck
	if w.Item == nil || !checks && w.Operation != resolve.UpdateItem {
		return exact.Zero, false
	}
	share, one := s.itemShare(c.Pattern, w)
	if !one || checks && !s.isHotOne(c.Plan, w) {
		return exact.Zero, false
	}
	return c.Peak.Mul(share), true
}

// itemShare returns the share of a pattern's calls that write the same item. Writes to a
// sharded counter are spread.
func (s *subject) itemShare(p *model.Pattern, w *resolve.PlannedWrite) (exact.Number, bool) {
	fixed := true
	for _, key := range w.Key {
		for _, part := range key.Low {
			fixed = fixed && (part.Value == nil || part.Value.IsConstant())
		}
	}
	shards := max(w.Shards, 1)
	switch {
	case fixed && len(w.Key) > 0:
		return exact.One.Over(shards), true
	case p.Hot == nil && !namesAll(p, w.Primary):
		return exact.Zero, false // the share of a partition, not of an item
	}
	hot, stated := cost.HotShare(p, w.Primary, s.workload)
	return hot.Over(shards), stated
}

// namesAll reports whether a pattern states the share of the hottest value of every attribute.
func namesAll(p *model.Pattern, attributes []*model.Attribute) bool {
	return !slices.ContainsFunc(attributes, func(a *model.Attribute) bool {
		_, ok := p.HotOf[a.Name]
		return !ok
	})
}

func oneHotItem(p *model.Pattern, w *resolve.PlannedWrite, calls exact.Number, together bool) diag.Finding {
	entity, place := w.Item.Entity.Name, p.RatePlace
	if w.Step != nil {
		place = w.Step.Place
	}
	does, fix := "updates", fmt.Sprintf("Spread what %s writes over several items and add them up when reading (shards of a counter, and its generated Sum method), or count from the stream", p.Name)
	if w.Operation == resolve.ConditionCheck {
		does, fix = "checks", fmt.Sprintf("Read %s before and leave it out of the transaction if a change in between is harmless, or keep copies of it and check one of them", entity)
	}
	message := fmt.Sprintf("%s %s one %s %s times a second at its peak", p.Name, does, entity, figure(calls))
	if together {
		message += ", in transactions that conflict with each other"
	}
	return diag.Finding{
		Code: "H503", Place: place, Subject: "pattern " + p.Name, Message: message,
		Fix:     fix,
		Related: []diag.Related{{Place: p.RatePlace, Message: "the load"}},
	}
}

// isHotOne reports whether the stated hottest key of a pattern is that of an item it only
// checks. A transaction may check several: the voter and the poll, where the poll is hot. The
// hot item is the one whose key all written items share, or else the checked item of the
// entity with the fewest items.
func (s *subject) isHotOne(plan *resolve.Plan, checked *resolve.PlannedWrite) bool {
	mine := partitionNames(checked.Item)
	few := cost.Stored(checked.Item.Entity, s.workload)
	for _, w := range plan.Writes {
		if w == checked || w.Item == nil || w.Guard != nil || isFresh(w) || slices.Equal(mine, partitionNames(w.Item)) {
			continue
		}
		if w.Operation == resolve.PutItem {
			return false
		}
		if many := cost.Stored(w.Item.Entity, s.workload); few.IsZero() || !few.Less(many) {
			return false
		}
	}
	return true
}

// isFresh reports whether a write creates an item with a partition of its own.
func isFresh(w *resolve.PlannedWrite) bool {
	names := partitionNames(w.Item)
	return w.Operation == resolve.PutItem && len(w.Item.Entity.ID) > 0 &&
		!slices.ContainsFunc(w.Item.Entity.ID, func(a *model.Attribute) bool { return !slices.Contains(names, a.Name) })
}

// partitionNames returns the names of the attributes an item's partition key is made of.
func partitionNames(item *model.Item) []string {
	key := item.Key(item.Table.PK.Name)
	if key == nil {
		return nil
	}
	var names []string
	for _, a := range key.Attributes() {
		names = append(names, a.Name)
	}
	slices.Sort(names)
	return names
}
