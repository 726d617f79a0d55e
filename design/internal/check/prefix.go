package check

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/internal/lazyregexp"
)

// wholeTypes maps the types whose parameters are whole values, never the beginning of one, to
// what to write instead of begins_with.
var wholeTypes = map[model.Base]string{
	model.Timestamp: "between $from and $to",
	model.Date:      "between $from and $to",
	model.Week:      "between $from and $to",
	model.Enum:      "in $values",
}

// wholePrefix finds begins_with of a parameter that is a whole value, or of a constant that no
// value begins with (C312).
func wholePrefix(s *subject) {
	for _, p := range s.patterns() {
		for _, c := range model.Comparisons(slices.Concat(p.Where, p.Filter)) {
			instead := wholeTypes[c.Attribute.Type.Base]
			if c.Op != model.BeginsWith || instead == "" || c.Values[0].Attribute != nil {
				continue
			}
			if c.Values[0].IsConstant() {
				if !canBegin(c.Attribute.Type, c.Values[0].Constant) {
					s.report.Add(neverBegins(p, c))
				}
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

// neverBegins describes a comparison with a constant that no value begins with.
func neverBegins(p *model.Pattern, c *model.Condition) diag.Finding {
	forms := map[model.Base]string{
		model.Timestamp: "an instant such as 2026-02-17T09:30:00.000Z", model.Date: "a date such as 2026-02-17", model.Week: "a week such as 2026-W07",
	}
	values, ok := forms[c.Attribute.Type.Base]
	if !ok {
		values = "one of " + strings.Join(c.Attribute.Type.Values, ", ")
	}
	return diag.Finding{
		Code: "C312", Place: c.Place, Subject: "pattern " + p.Name,
		Message: fmt.Sprintf("%s asks for %s begins_with %s, and no value begins with that: %s is %s", p.Name, c.Attribute.Name, c.Values[0].Constant, c.Attribute.Name, values),
		Fix:     fmt.Sprintf("Write a beginning of %s", values),
	}
}

// completions are ways to complete the beginning of a value of a type; one of them fits every
// beginning that a value can have.
var completions = map[model.Base][]string{
	model.Timestamp: {"0000-01-01T00:00:00.000Z", "0000-10-10T10:10:10.100Z", "0000-11-11T11:11:11.111Z"},
	model.Date:      {"0000-01-01", "0000-10-10", "0000-11-11"},
	model.Week:      {"0000-W01", "0000-W10", "0000-W11"},
}

// canBegin reports whether a value of a type can begin with a text.
func canBegin(t model.Type, text string) bool {
	if t.Base == model.Enum {
		return slices.ContainsFunc(t.Values, func(value string) bool { return strings.HasPrefix(value, text) })
	}
	return slices.ContainsFunc(completions[t.Base], func(whole string) bool {
		if len(text) > len(whole) {
			return false
		}
		value := text + whole[len(text):]
		switch t.Base {
		case model.Timestamp:
			_, err := time.Parse("2006-01-02T15:04:05.000Z", value)
			return err == nil
		case model.Date:
			_, err := time.Parse(time.DateOnly, value)
			return err == nil
		}
		return isWeek.MatchString(value)
	})
}

var isWeek = lazyregexp.New(`^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$`)
