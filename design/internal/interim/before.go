package interim

import (
	"slices"

	"sortkey.dev/design/internal/model"
)

// Before returns the new version with the tables of the old one: its entities, with the attributes that only the old version has, where
// the old version stores them. Resolved, it says how the patterns of the new version are served before the items have their new
// parts.
func Before(old, new *model.Design, p Pairs) *model.Design {
	m := &merger{Pairs: p}
	m.design = model.Copy(&m.copier, new)
	m.design.Alternatives = nil
	for _, a := range m.Attributes {
		if a[0] != nil && a[1] != nil {
			m.copier.Use(a[0], model.Copy(&m.copier, a[1]))
		}
	}
	for _, e := range m.Entities {
		switch {
		case e[0] == nil:
		case e[1] == nil:
			m.design.Entities = append(m.design.Entities, model.Copy(&m.copier, e[0]))
		default:
			is := model.Copy(&m.copier, e[1])
			m.copier.Use(e[0], is)
			for _, a := range e[0].Attributes {
				if own := model.Copy(&m.copier, a); !slices.Contains(is.Attributes, own) {
					if is.Attribute(own.Name) != nil {
						own.Name += before
					}
					is.Attributes = append(is.Attributes, own)
				}
			}
		}
	}
	m.design.Tables = nil
	for _, t := range old.Tables {
		m.design.Tables = append(m.design.Tables, model.Copy(&m.copier, t))
	}
	return m.design
}
