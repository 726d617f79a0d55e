package check

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// undecidableWhen finds conditions of computed attributes and counters that an item alone
// cannot decide (F019). An item has no parameters: what it was written with is forgotten.
// And whoever writes it compares single values, not lists.
func undecidableWhen(s *subject) {
	report := func(subject, what string, c *model.Condition) {
		why, fix := undecidable(c)
		if why == "" {
			return
		}
		s.report.Add(diag.Finding{
			Code: "F019", Place: c.Place, Subject: subject,
			Message: fmt.Sprintf("%s when %s, but %s", what, c, why), Fix: fix,
		})
	}
	for _, table := range s.design.Tables {
		for _, computed := range computedOf(table) {
			for _, c := range computed.When {
				report("table "+table.Name, computed.Name+" is there", c)
			}
		}
	}
	for _, e := range s.entities() {
		for _, counter := range e.Counters {
			for _, c := range counter.Where {
				report("entity "+e.Name, fmt.Sprintf("%s.%s counts %s", e.Name, counter.Attribute.Name, counter.Of.Name), c)
			}
		}
	}
}

// undecidable says what of a condition an item does not know, or "".
func undecidable(c *model.Condition) (why, fix string) {
	for _, v := range c.Values {
		switch {
		case v.Param != "":
			return fmt.Sprintf("an item knows no $%s, only its own attributes", v.Param),
				fmt.Sprintf("Compare %s with a constant or with another attribute", c.Attribute.Name)
		case v.Attribute != nil && isCompound(c.Attribute.Type):
			return fmt.Sprintf("%s is %s, and only single values can be compared here", c.Attribute.Name, c.Attribute.Type),
				"Keep what the two have in common in an attribute of its own and compare that"
		}
	}
	return "", ""
}

// isCompound reports whether a type is made of other values.
func isCompound(t model.Type) bool {
	switch t.Base {
	case model.ListOf, model.SetOf, model.MapOf, model.StructOf:
		return true
	}
	return false
}
