package verify

import (
	"context"
	"slices"
	"strings"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
)

// typical calls a read where there are as many items as the design estimates with, if there
// is such a place among the invented ones: there the estimate of the design itself can be
// held against what DynamoDB counts.
func (v *verifier) typical(ctx context.Context, c *program.Call, p *access.Pattern, r *PatternReport) {
	priced := v.priced.Pattern(c.Pattern)
	if priced == nil || !priced.Known || len(c.Read.Entities) > 1 || len(c.Read.Fans) > 0 {
		return
	}
	target := v.typicalTarget(c, int(priced.Items.Ceil().Int64()))
	if target == nil {
		return
	}
	once := &PatternReport{}
	v.compareRead(ctx, c, p, once, v.readArgumentsFor(c, target.entity, target, everything, 0), 1)
	r.join(once)
	if len(once.Differences) == 0 {
		r.Typical, r.HasTypical = once.Measured, true
	}
}

// typicalTarget is an item that lies together with as many others as wanted, or with more
// if the pattern asks for no more.
func (v *verifier) typicalTarget(c *program.Call, wanted int) *row {
	e := c.Read.Entities[0]
	constants, filtered := constantConditions(c, e), len(c.Pattern.Filter) > 0
	groups := map[string][]*row{}
	for _, r := range v.state.of(e) {
		if filtered || r.values.Holds(constants) {
			key := together(c, r)
			groups[key] = append(groups[key], r)
		}
	}
	for _, r := range v.state.of(e) { // in an order that is always the same
		group := groups[together(c, r)]
		enough := len(group) == wanted || !filtered && wanted == int(c.Pattern.Limit) && len(group) >= wanted
		if enough && slices.Contains(group, r) {
			return r
		}
	}
	return nil
}

// together is what a read asks for by equality, as the row has it.
func together(c *program.Call, r *row) string {
	var all []string
	for _, condition := range c.Pattern.Where {
		if own := r.entity.Attribute(condition.Attribute.Name); own != nil && condition.Op == model.Eq {
			all = append(all, r.values[own].String())
		}
	}
	return strings.Join(all, model.Delimiter)
}
