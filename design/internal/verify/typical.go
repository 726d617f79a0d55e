package verify

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
)

// typicalArguments chooses arguments that find as many items as wanted; nil: there is no such
// place.
func (v *arranger) typicalArguments(c *program.Call, wanted int) *arguments {
	target := v.typicalTarget(c, wanted)
	if target == nil {
		return nil
	}
	return v.readArgumentsFor(c, target.entity, target, everything, 0)
}

// typicalTarget is an item that lies together with as many others as wanted, or with more
// if the pattern asks for no more.
func (v *arranger) typicalTarget(c *program.Call, wanted int) *row {
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
