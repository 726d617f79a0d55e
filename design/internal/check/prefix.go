package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// wholeTypes maps the types whose parameters are whole values, never the beginning of one, to
// what to write instead of begins_with.
var wholeTypes = map[model.Base]string{
	model.Timestamp: "between $from and $to",
	model.Date:      "between $from and $to",
	model.Week:      "between $from and $to",
	model.Enum:      "in $values",
}

// wholePrefix finds begins_with of a parameter that is a whole value (C312).
func wholePrefix(s *subject) {
	for _, p := range s.patterns() {
		for _, c := range model.Comparisons(slices.Concat(p.Where, p.Filter)) {
			instead := wholeTypes[c.Attribute.Type.Base]
			if c.Op != model.BeginsWith || c.Values[0].Param == "" || instead == "" {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "C312", Place: c.Place, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s asks for %s begins_with $%s, but callers give a whole %s, and no other value begins with it", p.Name, c.Attribute.Name, c.Values[0].Param, c.Attribute.Type.Base),
				Fix:     fmt.Sprintf("Write %s: %s, or begins_with and a constant", c.Attribute.Name, instead),
			})
		}
	}
}
