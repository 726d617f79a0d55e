// Package claim checks numbers that a design document states: it computes the formula
// of a claim from the design and its prices, and reports how far the two differ.
//
// It evaluates formulas and does not judge designs; package check calls it for every claim,
// and the reference of the format lists its functions.
package claim

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
)

// Check compares a claim with the results of its formulas. It returns no finding if the claim
// is correct or has no formula.
func Check(c *model.Claim, env Env) []diag.Finding {
	if c.Pattern != nil && c.Of != "" {
		return checkPattern(c, env)
	}
	var findings []diag.Finding
	if c.Worked != "" {
		findings = append(findings, checkFormula(c, env, c.Worked, c.WorkedPlace, "X952")...)
	}
	if c.Is != "" {
		findings = append(findings, checkFormula(c, env, c.Is, c.IsPlace, "X951")...)
	}
	return findings
}

// checkFormula compares a claim with one of its formulas.
func checkFormula(c *model.Claim, env Env, formula string, place diag.Place, code diag.Code) []diag.Finding {
	var remarks []string
	env.remarks = &remarks
	result, bad := compute(formula, env)
	if bad != nil {
		return []diag.Finding{{
			Code: "X953", Place: place.At(bad.offset, bad.length), Subject: subject(c), Message: capitalized(bad.message),
		}}
	}
	holds, comparable := agrees(c.Says, result)
	switch {
	case !comparable:
		return []diag.Finding{{
			Code: "X953", Place: place, Subject: subject(c),
			Message: fmt.Sprintf("The formula gives %s, which cannot be compared with the stated %q", show(result, c.Says), c.Says.Text),
		}}
	case holds:
		return nil
	}
	f := diag.Finding{Code: code, Subject: subject(c)}
	if code == "X951" {
		f.Place = orElse(c.Says.Place, c.Place)
		f.Message = fmt.Sprintf("the document says %s, but it is %s%s", c.Says.Text, show(result, c.Says), apart(c.Says, result))
	} else {
		f.Place = orElse(place, c.Place)
		f.Message = fmt.Sprintf("the document's calculation gives %s, not the stated %s%s", show(result, c.Says), c.Says.Text, apart(c.Says, result))
	}
	if c.Text != "" {
		f.Message = fmt.Sprintf("%q: %s", c.Text, f.Message)
	} else {
		f.Message = capitalized(f.Message)
	}
	if len(remarks) > 0 {
		f.Message += " (" + strings.Join(remarks, "; ") + ")"
	}
	f.Fix = fmt.Sprintf("Write %s instead of %s, or change the design so that it holds", show(result, c.Says), c.Says.Text)
	return []diag.Finding{f}
}

// capitalized returns s with a capital first letter.
func capitalized(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func subject(c *model.Claim) string {
	switch {
	case c.Pattern != nil:
		return "pattern " + c.Pattern.Name
	case c.Text == "":
		return "claim"
	case c.Where != "":
		return fmt.Sprintf("claim %q in %s", c.Text, c.Where)
	}
	return fmt.Sprintf("claim %q", c.Text)
}

func orElse(p, other diag.Place) diag.Place {
	if p.IsZero() {
		return other
	}
	return p
}

// A belief is a quantity that a pattern's expect block can state.
type belief struct {
	name  string
	thing string // the unit; "" for money
	each  string // per what
	of    func(*cost.PatternCost) exact.Number
}

// words formats a stated quantity: 1 unit a call, $2 a month on demand.
func (b belief) words(stated string) string {
	switch {
	case b.thing == "":
		return stated + " " + b.each
	case stated == "1":
		return stated + " " + b.thing + " " + b.each
	}
	return stated + " " + b.thing + "s " + b.each
}

var beliefs = []belief{
	{"units", "unit", "a call", func(c *cost.PatternCost) exact.Number { return c.Read.Add(c.Write) }},
	{"reads", "read unit", "a call", func(c *cost.PatternCost) exact.Number { return c.Read }},
	{"writes", "write unit", "a call", func(c *cost.PatternCost) exact.Number { return c.Write }},
	{"calls", "request", "a use", func(c *cost.PatternCost) exact.Number { return c.Requests }},
	{"pages", "page", "a query", func(c *cost.PatternCost) exact.Number { return c.Pages }},
	{"price", "", "a month on demand", func(c *cost.PatternCost) exact.Number { return c.OnDemand }},
}

// checkPattern compares what a pattern expects of itself with its cost.
func checkPattern(c *model.Claim, env Env) []diag.Finding {
	at := slices.IndexFunc(beliefs, func(b belief) bool { return b.name == c.Of })
	priced := patternCost(env.Estimate(""), c.Pattern)
	if at < 0 || priced == nil || priced.Plan == nil || !priced.Plan.Served() {
		return nil // a pattern that is not served has its own finding
	}
	b := beliefs[at]
	result := plain(b.of(priced))
	holds, comparable := agrees(c.Says, result)
	if holds {
		return nil
	}
	place := orElse(c.Says.Place, c.Place)
	is := show(result, c.Says)
	if b.name == "price" && !strings.HasPrefix(is, "$") {
		is = "$" + is
	}
	if !comparable {
		return []diag.Finding{{
			Code: "X953", Place: place, Subject: subject(c), Message: fmt.Sprintf("%q is not a number of %s", c.Says.Text, c.Of),
		}}
	}
	return []diag.Finding{{
		Code: "X951", Place: place, Subject: subject(c),
		Message: fmt.Sprintf("%s is stated to take %s, but takes %s%s", c.Pattern.Name, b.words(c.Says.Text), is, apart(c.Says, result)),
		Why:     reason(priced),
		Fix:     fmt.Sprintf("Expect %s, or change the pattern or its keys", is),
	}}
}

// reason describes the uses of a pattern's units.
func reason(c *cost.PatternCost) string {
	var parts []string
	for _, use := range c.Uses {
		if use.Why != "" {
			parts = append(parts, use.Path.String()+": "+use.Why)
		}
	}
	return strings.Join(parts, "; ")
}
