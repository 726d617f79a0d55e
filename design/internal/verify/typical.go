package verify

import (
	"context"
	"fmt"
	"math"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/verify/internal/arrange"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/judge"
	"sortkey.dev/design/internal/verify/internal/state"
)

// How far the units of a typical call may differ from the estimate.
const (
	writeTolerance = 0.05 // of the estimate of a write
	readTolerance  = 0.1  // of the estimate of a read, or one unit of 4 KB of each query
	sizeTolerance  = 0.1  // of the bytes that the estimate of a read assumes; others are not compared
)

// typicalTries is the number of typical scenarios of a write of which the one with the most units
// is called: the estimate assumes that every value that is set changes.
const typicalTries = 16

// writeTypical calls a write as the estimate of the design assumes it, and compares the units.
func (v *verifier) writeTypical(ctx context.Context, c *program.Call, r *PatternReport) error {
	s, d := v.typicalScenario(c, r.Design)
	if s == nil {
		return nil
	}
	if err := v.stage(ctx, s); err != nil {
		return err
	}
	once, err := v.writeOnce(ctx, bind.WritePattern(c, r.Design), s, d)
	if err != nil {
		return err
	}
	r.join(once)
	if len(once.Differences) > 0 || once.Found == 0 {
		return nil
	}
	r.compareEstimate(once, writeTolerance*r.Design)
	return nil
}

// typicalScenario returns the scenario with the most units of those whose items have the sizes
// that the estimate assumes; nil: there is none. It stops at the first that takes the estimate.
func (v *verifier) typicalScenario(c *program.Call, estimate float64) (s *judge.Scenario, d *judge.Verdict) {
	most := 0.0
	for n := 0; n < typicalTries && most != estimate; n++ {
		one, verdict, err := v.arranger.TypicalScenario(c, n, arrange.Assumed{Size: v.itemSize, Replaces: v.replaces})
		if err != nil || !v.fits(verdict) || !v.complete(c, one, verdict) {
			continue
		}
		units := 0.0
		for _, charge := range verdict.Charges(c) {
			units += charge.Units
		}
		if units > most {
			s, d, most = one, verdict, units
		}
	}
	return s, d
}

// itemSize returns the size that the estimate assumes for the items of an entity.
func (v *verifier) itemSize(e *model.Entity) int64 {
	if home := v.layout.Home(e); home != nil {
		return cost.ItemSize(home).Avg
	}
	return 0
}

// replaces reports whether the estimate assumes that a put replaces an item.
func (v *verifier) replaces(step *model.Step) bool {
	return step.Verb == model.Put && !resolve.NeedsAbsence(step) && v.priced.Replacing(step.Entity).Sign() > 0
}

// complete reports whether a call writes as many items as the estimate assumes: those of repeated
// steps, guards and counters. That of a put that only sometimes replaces an item is between two
// calls, and is not compared.
func (v *verifier) complete(c *program.Call, s *judge.Scenario, d *judge.Verdict) bool {
	if len(d.Changes)+len(d.Sharded) < len(c.Writes) {
		return false
	}
	for _, act := range s.Actions {
		if act.Write.Repeats != nil && int64(s.Arguments.Times(act.Write.Repeats)) < max(act.Step.Each, 1) {
			return false
		}
		share := v.priced.Replacing(act.Step.Entity).Float64()
		if act.Step.Verb == model.Put && !resolve.NeedsAbsence(act.Step) && (share > 0 && share < 1 || share == 1 && s.RowAt(act) == nil) {
			return false
		}
	}
	return true
}

// fits reports whether the items and index entries that a call changes take as many units as the
// estimate assumes.
func (v *verifier) fits(d *judge.Verdict) bool {
	for _, ch := range d.Changes {
		for _, row := range []*state.Row{ch.Old, ch.New} {
			if row != nil && row.Entity != nil && !v.rowFits(row) {
				return false
			}
		}
	}
	return true
}

// rowFits reports whether a row and its index entries take as many units as the estimate assumes.
// A row may be smaller than the one it becomes or replaces: the larger one counts.
func (v *verifier) rowFits(row *state.Row) bool {
	for _, entry := range v.layout.Entries(row.Entity) {
		item := row.Item
		if !entry.Path.IsTable() {
			item = state.EntryOf(entry.Path, row.Item)
		}
		if item != nil && cost.WriteUnits(state.SizeOf(item)) != cost.WriteUnits(cost.EntrySize(entry).Avg) {
			return false
		}
	}
	return true
}

// readTypical calls a read where it finds as many items as the design estimates with, if there
// are so many of the assumed size, and compares the units.
func (v *verifier) readTypical(ctx context.Context, c *program.Call, p *access.Pattern, r *PatternReport) {
	priced := v.priced.Pattern(c.Pattern)
	if priced == nil || !priced.Known || c.Read.Operation == resolve.Scan || len(c.Read.Entities) > 1 || len(c.Read.Fans) > 0 {
		return
	}
	a := v.arranger.TypicalArguments(c, int(priced.Items.Ceil().Int64()))
	if a == nil {
		return
	}
	once := v.compareRead(ctx, c, p, a, 1)
	r.join(once)
	if len(once.Differences) > 0 {
		return
	}
	most := math.Inf(1)
	bound := c.Pattern.Limit > 0 && len(c.Read.Filter) > 0 // the estimate is the most that it reads
	if v.sizesFit(c.Read.Entry) && !bound {
		block := cost.ReadUnits(1, c.Read.Eventual).Times(max(c.Read.Queries, 1)).Float64()
		most = max(block, readTolerance*r.Design)
	}
	r.compareEstimate(once, most)
}

// sizesFit reports whether the entries of a path have about the size that the estimate assumes.
func (v *verifier) sizesFit(entry *resolve.Entry) bool {
	bytes, n := int64(0), int64(0)
	for _, row := range v.tables.Of(entry.Item.Entity) {
		item := row.Item
		if !entry.Path.IsTable() {
			item = state.EntryOf(entry.Path, row.Item)
		}
		if item != nil {
			bytes, n = bytes+state.SizeOf(item), n+1
		}
	}
	assumed := float64(cost.EntrySize(entry).Avg)
	return n > 0 && math.Abs(float64(bytes)/float64(n)-assumed) <= sizeTolerance*assumed
}

// compareEstimate compares the units of a typical call with the estimate, which may differ by most.
func (r *PatternReport) compareEstimate(once *judge.Result, most float64) {
	r.Typical, r.HasTypical = once.Measured, true
	if math.Abs(r.Typical-r.Design) > most {
		r.differ("estimate", once.Arguments, fmt.Sprintf("DynamoDB counted %.4g units for a typical call, and the estimate is %.4g", r.Typical, r.Design))
	}
}
