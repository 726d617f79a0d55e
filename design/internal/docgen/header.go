package docgen

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
)

// verdict is the summary of the report in one line.
type verdict struct {
	Tone  string // good, warn or bad
	Words string
	Tiles []tile
}

// A tile is one number of the header.
type tile struct{ Tone, Value, Name, Link string }

func headerFacts(in Input) []fact {
	d, prices := in.Layout.Design(), in.Estimate.Prices
	facts := []fact{
		{"Region", cmpOr(d.Region, cost.DefaultRegion)},
		{"Prices", prices.Name + ", " + prices.Date},
	}
	if prices.Note != "" {
		facts = append(facts, fact{"About the prices", prices.Note})
	}
	return append(facts, fact{"Workload", capital(strings.TrimPrefix(in.Workload, "workload: "))})
}

func judge(in Input, f findingsView) verdict {
	plans := in.Layout.Plans()
	served := 0
	for _, plan := range plans {
		if plan.Served() {
			served++
		}
	}
	v := verdict{Tiles: []tile{
		{"", fmt.Sprintf("%d of %d", served, len(plans)), "patterns served", "patterns"},
		{tone(f.Errors > 0, "bad"), fmt.Sprint(f.Errors), plural(f.Errors, "error"), "findings"},
		{tone(f.Warnings > 0, "warn"), fmt.Sprint(f.Warnings), plural(f.Warnings, "warning"), "findings"},
		{"", fmt.Sprint(f.Notes), plural(f.Notes, "note"), "findings"},
		{"", fmt.Sprint(f.Accepted), "accepted", "findings"},
		{"", figures.Money(in.Estimate.AsDesigned.Total), "a month, as designed", "cost"},
	}}
	v.Tiles[0].Tone = "good"
	if served < len(plans) {
		v.Tiles[0].Tone = "bad"
	}
	switch {
	case served < len(plans):
		n := len(plans) - served
		v.Tone, v.Words = "bad", fmt.Sprintf("%s not served. Do not build it like this.", areIs(n, "pattern"))
	case f.Errors > 0:
		v.Tone, v.Words = "bad", fmt.Sprintf("Every pattern is served, but %s to be solved first.", haveHas(f.Errors, "error"))
	case f.Warnings > 0:
		v.Tone, v.Words = "warn", fmt.Sprintf("Every pattern is served. %s a decision.", needNeeds(f.Warnings, "warning"))
	default:
		v.Tone, v.Words = "good", "Every pattern is served and there are no open findings."
	}
	return v
}

func tone(bad bool, name string) string {
	if bad {
		return name
	}
	return ""
}

func areIs(n int, one string) string {
	if n == 1 {
		return "1 " + one + " is"
	}
	return fmt.Sprintf("%d %ss are", n, one)
}

func haveHas(n int, one string) string {
	if n == 1 {
		return "1 " + one + " has"
	}
	return fmt.Sprintf("%d %ss have", n, one)
}

func needNeeds(n int, one string) string {
	if n == 1 {
		return "1 " + one + " needs"
	}
	return fmt.Sprintf("%d %ss need", n, one)
}

func plural(n int, one string) string {
	if n == 1 {
		return one
	}
	return one + "s"
}

func cmpOr(values ...string) string {
	i := slices.IndexFunc(values, func(s string) bool { return s != "" })
	if i < 0 {
		return ""
	}
	return values[i]
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// sentence adds the full stop that texts of findings lack.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") {
		return s
	}
	return s + "."
}

// anchor returns the id of an element: names contain only letters, digits, _ . and -.
func anchor(kind, name string) string { return kind + "-" + name }

func conditions(list []*model.Condition) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = c.String()
	}
	return strings.Join(parts, " and ")
}

// mark returns the icon of a severity, so that it does not depend on colour alone.
func mark(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "✕"
	case diag.Warning:
		return "▲"
	}
	return "●"
}
