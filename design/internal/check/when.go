package check

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// undecidableWhen finds conditions of computed attributes and counters that depend on more
// than the item (F019): parameters of a call are not stored, and only single values can be
// compared.
func undecidableWhen(s *subject) {
	report := func(subject, what string, c *model.Condition) {
		why, fix := undecidable(c)
		if why == "" {
			return
		}
		s.report.Add(diag.Finding{
			Code: "F019", Place: c.Place, Subject: subject,
			Message: fmt.Sprintf("%s %s, but %s", what, c, why), Fix: fix,
		})
	}
	for _, table := range s.design.Tables {
		for _, computed := range computedOf(table) {
			for _, c := range computed.When {
				report("table "+table.Name, computed.Name+" has the condition", c)
			}
		}
	}
	for _, e := range s.entities() {
		for _, counter := range e.Counters {
			for _, c := range counter.Where {
				report("entity "+e.Name, fmt.Sprintf("%s.%s counts %s where", e.Name, counter.Attribute.Name, counter.Of.Name), c)
			}
		}
	}
}

// undecidable returns why an item cannot decide a condition and what to do, or "".
func undecidable(c *model.Condition) (why, fix string) {
	for _, v := range c.Values {
		switch {
		case v.Param != "":
			return fmt.Sprintf("an item has no parameter $%s, only its own attributes", v.Param),
				fmt.Sprintf("Compare %s with a constant or with another attribute", c.Attribute.Name)
		case v.Attribute != nil && isCompound(c.Attribute.Type):
			return fmt.Sprintf("%s is %s, and only single values can be compared here", c.Attribute.Name, c.Attribute.Type),
				"Store what the two have in common in a separate attribute and compare it"
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
