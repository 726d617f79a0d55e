package check

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// unboundedCollection finds writes that add elements to a list or set, or entries to a map,
// without a stated maximum (L712). A set of an enum or of truth values has at most as many
// elements as there are values.
func unboundedCollection(s *subject) {
	for _, a := range s.actions(model.Update, model.Upsert) {
		for _, edit := range a.step.Edits {
			grown := edit.Attribute
			if edit.Kind == model.Exclude || grown.Max > 0 || edit.Kind == model.Include && isFinite(*grown.Type.Element) {
				continue
			}
			s.report.Add(grows(a.pattern, a.step.Entity, grown, "element", edit.Place))
		}
		for _, entry := range a.step.Entries {
			if entry.Kind != model.RemoveEntry && entry.Key.Param != "" && entry.Map.Max == 0 {
				s.report.Add(grows(a.pattern, a.step.Entity, entry.Map, "entry", entry.Place))
			}
		}
	}
}

// grows reports that a pattern adds elements or entries to an attribute without a maximum.
func grows(p *model.Pattern, e *model.Entity, grown *model.Attribute, part string, place diag.Place) diag.Finding {
	parts := map[string]string{"element": "elements", "entry": "entries"}[part]
	return diag.Finding{
		Code: "L712", Place: place, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("%s adds %s to %s of %s with every call, and nothing limits how many there are", p.Name, parts, grown.Name, aName(e.Name)),
		Fix:     fmt.Sprintf("State the maximum, %s: { type: %s, max: 100 }, or store each %s as an item of its own", grown.Name, grown.Type, part),
		Related: []diag.Related{{Place: grown.Place, Message: "the collection"}},
	}
}

// isFinite reports whether there are only a few values of a type.
func isFinite(t model.Type) bool { return t.Base == model.Enum || t.Base == model.Bool }
