package arrange

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// TypicalArguments chooses arguments that find as many items as wanted; nil: there is no such
// place.
func (v *Arranger) TypicalArguments(c *program.Call, wanted int) *bind.Arguments {
	target := v.typicalTarget(c, wanted)
	if target == nil {
		return nil
	}
	return v.readArgumentsFor(c, target.Entity, target, everything, 0)
}

// typicalTarget is an item that lies together with as many others as wanted, or with more
// if the pattern asks for no more.
func (v *Arranger) typicalTarget(c *program.Call, wanted int) *state.Row {
	e := c.Read.Entities[0]
	constants, filtered := constantConditions(c, e), len(c.Pattern.Filter) > 0
	groups := map[string][]*state.Row{}
	for _, r := range v.state.Of(e) {
		if filtered || r.Values.Holds(constants) {
			key := together(c, r)
			groups[key] = append(groups[key], r)
		}
	}
	for _, r := range v.state.Of(e) { // in an order that is always the same
		group := groups[together(c, r)]
		enough := len(group) == wanted || !filtered && wanted == int(c.Pattern.Limit) && len(group) >= wanted
		if enough && slices.Contains(group, r) {
			return r
		}
	}
	return nil
}

// together is what a read asks for by equality, as the row has it.
func together(c *program.Call, r *state.Row) string {
	var all []string
	for _, condition := range c.Pattern.Where {
		if own := r.Entity.Attribute(condition.Attribute.Name); own != nil && condition.Op == model.Eq {
			all = append(all, r.Values[own].String())
		}
	}
	return strings.Join(all, model.Delimiter)
}
