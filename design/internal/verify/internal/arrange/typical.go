package arrange

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/program"
	"sortkey.dev/design/internal/verify/internal/bind"
	"sortkey.dev/design/internal/verify/internal/state"
)

// TypicalArguments chooses arguments with which a read finds the wanted number of items; nil:
// there are none.
func (ar *Arranger) TypicalArguments(c *program.Call, wanted int) *bind.Arguments {
	target := ar.typicalTarget(c, wanted)
	if target == nil {
		return nil
	}
	return ar.argumentsFor(c, target.Entity, target, everything, 0)
}

// typicalTarget returns a row in a group of the wanted number of rows, or of more if the limit
// of the pattern is reached; nil: there is no such group.
func (ar *Arranger) typicalTarget(c *program.Call, wanted int) *state.Row {
	e := c.Read.Entities[0]
	constants, filtered := constantConditions(c, e), len(c.Read.Filter) > 0
	groups := map[string][]*state.Row{}
	for _, r := range ar.tables.Of(e) {
		if filtered || r.Values.Holds(constants) {
			key := groupOf(c, r)
			groups[key] = append(groups[key], r)
		}
	}
	for _, r := range ar.tables.Of(e) { // in a fixed order
		group := groups[groupOf(c, r)]
		enough := len(group) == wanted || !filtered && wanted == int(c.Pattern.Limit) && len(group) >= wanted
		if enough && slices.Contains(group, r) {
			return r
		}
	}
	return nil
}

// groupOf returns the values that a row has of the attributes a read compares for equality.
func groupOf(c *program.Call, r *state.Row) string {
	var all []string
	for _, condition := range c.Pattern.Where {
		if own := r.Entity.Attribute(condition.Attribute.Name); own != nil && condition.Op == model.Eq {
			all = append(all, r.Values[own].String())
		}
	}
	return strings.Join(all, "\x00")
}
