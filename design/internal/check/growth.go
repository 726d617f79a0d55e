package check

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// unboundedCollection finds writes that add elements to a list or set without a stated maximum
// (L712). A set of an enum or of truth values has at most as many elements as there are values.
func unboundedCollection(s *subject) {
	for _, a := range s.actions(model.Update, model.Upsert) {
		for _, edit := range a.step.Edits {
			grown := edit.Attribute
			if edit.Kind == model.Exclude || grown.Max > 0 || edit.Kind == model.Include && isFinite(*grown.Type.Element) {
				continue
			}
			e := a.step.Entity.Name
			s.report.Add(diag.Finding{
				Code: "L712", Place: edit.Place, Subject: "pattern " + a.pattern.Name,
				Message: fmt.Sprintf("%s adds elements to %s of %s with every call, and nothing limits how many there are", a.pattern.Name, grown.Name, aName(e)),
				Fix:     fmt.Sprintf("State the maximum, %s: { type: %s, max: 100 }, or store each element as an item of its own", grown.Name, grown.Type),
				Related: []diag.Related{{Place: grown.Place, Message: "the collection"}},
			})
		}
	}
}

// isFinite reports whether there are only a few values of a type.
func isFinite(t model.Type) bool { return t.Base == model.Enum || t.Base == model.Bool }
