package check

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// entityRules check entities as a whole.
var entityRules = []rule{unusedEntity, cannotEncrypt, defaultNotStored, parameterTypes, numberRange, nameTaken, undecidableWhen}

// unusedEntity finds entities that no table stores or no pattern uses (F014). Patterns of
// phases that are not selected count too: an entity may come before its patterns.
func unusedEntity(s *subject) {
	for _, e := range s.entities() {
		used := len(s.using(e)) > 0
		stored := s.layout.Home(e) != nil
		var message, fix string
		switch {
		case !stored && !used:
			message = fmt.Sprintf("%s is in no table and no pattern uses it", e.Name)
		case !stored:
			message = fmt.Sprintf("%s is in no table", e.Name)
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

// nameTaken finds tables whose type attribute is also a key or an attribute (F018).
func nameTaken(s *subject) {
	for _, table := range s.design.Tables {
		if table.Type == "" {
			continue
		}
		report := func(place diag.Place, message string) {
			s.report.Add(diag.Finding{
				Code: "F018", Place: place, Subject: "table " + table.Name,
				Message: message + fmt.Sprintf(", which is also the type attribute of %s", table.Name),
				Fix:     fmt.Sprintf("Use another name for the type attribute of %s, such as EntityType", table.Name),
			})
		}
		for _, item := range table.Items {
			if a := item.Entity.Stored(table.Type); a != nil {
				report(a.Place, fmt.Sprintf("%s of %s is stored as %s", a.Name, item.Entity.Name, table.Type))
			}
		}
		for _, key := range declaredKeys(table) {
			if key.Name == table.Type {
				report(key.Place, key.Name+" is a key")
				break
			}
		}
	}
}

// declaredKeys returns the key attributes of a table and its indexes where they are declared.
func declaredKeys(table *model.Table) []model.KeyName {
	all := []model.KeyName{table.PK, table.SK}
	for _, index := range table.Indexes {
		if !index.Local {
			all = append(all, index.PK...)
		}
		all = append(all, index.SK...)
	}
	return all
}
