package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// laterPhase finds patterns that read or write an entity of a later phase (C314): with the
// tables of its own phase a pattern could not run. Phases are tags that end in a number.
func laterPhase(s *subject) {
	for _, p := range s.patterns() {
		stem, comes, ok := firstPhase(p.Tags, "")
		if !ok {
			continue
		}
		for _, e := range s.touched(p) {
			_, first, ok := firstPhase(e.Tags, stem)
			if !ok || first <= comes {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "C314", Place: p.Place, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s comes with %s%d, but %s, which it %s, comes with %s%d", p.Name, stem, comes, e.Name, does(p, e), stem, first),
				Fix:     fmt.Sprintf("Bring %s with %s%d, or %s with %s%d", e.Name, stem, comes, p.Name, stem, first),
				Related: []diag.Related{{Place: e.Place, Message: e.Name + " is declared here"}},
			})
		}
	}
}

// touched returns the entities that a pattern names, and those of the counters it keeps.
func (s *subject) touched(p *model.Pattern) []*model.Entity {
	all := slices.Clone(p.Entities())
	for _, w := range s.layout.Plan(p).Writes {
		if w.Item != nil && !slices.Contains(all, w.Item.Entity) {
			all = append(all, w.Item.Entity)
		}
	}
	return all
}

// does says what a pattern does to an entity.
func does(p *model.Pattern, e *model.Entity) string {
	switch {
	case p.Verb.Reads():
		return "reads"
	case slices.ContainsFunc(p.Requires, func(r *model.Requirement) bool { return r.Entity == e }):
		return "requires"
	}
	return "writes"
}
