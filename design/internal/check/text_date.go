package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// dateWords are words at the end of the names of attributes that hold an instant or a day.
var dateWords = []string{"at", "date", "time", "timestamp", "day"}

// textDate finds instants and days that are kept as free text and compared by range or sorted by
// (T608), once per attribute.
func textDate(s *subject) {
	seen := map[*model.Attribute]bool{}
	for _, p := range s.patterns() {
		for _, use := range ordered(p) {
			a := use.attribute
			if seen[a] || a.Type.Base != model.String || !endsInOne(a.Name, dateWords) {
				continue
			}
			seen[a] = true
			s.report.Add(diag.Finding{
				Code: "T608", Place: a.TypePlace, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s is free text, and %s %s it: 9:05 sorts after 10:00, and so does another time zone or spelling", a.Name, p.Name, use.does),
				Fix:     fmt.Sprintf("Make %s a timestamp, or a date", a.Name),
				Related: []diag.Related{{Place: use.place, Message: p.Name + " " + use.does + " it"}},
			})
		}
	}
}

// An orderedUse is a place where a pattern relies on the order of an attribute's values.
type orderedUse struct {
	attribute *model.Attribute
	does      string // compares or sorts by
	place     diag.Place
}

// ordered returns the places where a pattern relies on the order of values.
func ordered(p *model.Pattern) []orderedUse {
	var uses []orderedUse
	for _, c := range model.Comparisons(slices.Concat(p.Where, p.Filter)) {
		if c.Op.IsRange() && c.Op != model.BeginsWith {
			uses = append(uses, orderedUse{c.Attribute, "compares", c.Place})
		}
	}
	if p.Order != nil {
		uses = append(uses, orderedUse{p.Order.Attribute, "sorts by", p.Order.Place})
	}
	return uses
}
