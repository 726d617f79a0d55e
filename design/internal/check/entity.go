package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// entityRules look at entities as a whole.
var entityRules = []rule{unusedEntity}

// unusedEntity finds entities that nothing stores or asks for (F014). All patterns
// count, also those of phases not asked for: an entity may wait for its patterns.
func unusedEntity(s *subject) {
	for _, e := range s.entities() {
		used := slices.ContainsFunc(s.design.Patterns, func(p *model.Pattern) bool {
			return slices.Contains(p.Entities(), e)
		})
		stored := s.layout.Home(e) != nil
		var message, fix string
		switch {
		case !stored && !used:
			message = fmt.Sprintf("%s lives in no table and no pattern uses it", e.Name)
		case !stored:
			message = fmt.Sprintf("%s lives in no table", e.Name)
			fix = fmt.Sprintf("Add %s to the items of a table", e.Name)
		case !used:
			message = fmt.Sprintf("No pattern reads or writes %s", e.Name)
			fix = fmt.Sprintf("Write the patterns that create and read %s, or remove it", e.Name)
		default:
			continue
		}
		s.report.Add(diag.Finding{
			Code: "F014", Place: e.Place, Subject: "entity " + e.Name, Message: message, Fix: fix,
		})
	}
}
