package read

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/keytext"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// uncountedValues reports values that need one query each and whose number the pattern
// does not say.
func uncountedValues(r *plan.Read) []plan.Problem {
	var problems []plan.Problem
	for _, c := range r.Conditions() {
		for _, part := range c.Low {
			if saysHowMany(r.Pattern, part) || slices.ContainsFunc(problems, func(q plan.Problem) bool { return q.Place == placeOf(r.Pattern, part.Attribute) }) {
				continue
			}
			each, fix := "query", ", or keep a key that answers in one"
			if r.Operation == plan.BatchGetItem {
				each, fix = "item", ""
			}
			problems = append(problems, plan.Problem{
				Code: "C306", Place: placeOf(r.Pattern, part.Attribute),
				Message: fmt.Sprintf("%s is asked for any number of values, one %s for each", part.Attribute.Name, each),
				Fix:     fmt.Sprintf("say fanout: { %s: 2 }%s", part.Attribute.Name, fix),
			})
		}
	}
	return problems
}

// idleFanout reports the stated number of periods of a range that one query answers.
func idleFanout(r *plan.Read) []plan.Problem {
	var problems []plan.Problem
	for _, f := range r.Pattern.Fanout {
		ranged := func(c *model.Condition) bool { return c.Attribute.Name == f.Attribute.Name && c.Op.IsRange() }
		spanned := func(s *keytext.Span) bool { return s.Range.Attribute.Name == f.Attribute.Name }
		if !slices.ContainsFunc(r.Pattern.Where, ranged) || slices.ContainsFunc(r.Spans(), spanned) {
			continue
		}
		problems = append(problems, plan.Problem{
			Code: "F006", Place: f.Place,
			Message: fmt.Sprintf("fanout of %s has no effect: the partition key of %s contains no period of %s, so the range is not divided", f.Attribute.Name, r.Entry.Path, f.Attribute.Name),
			Fix:     fmt.Sprintf("remove %s from fanout", f.Attribute.Name),
		})
	}
	return problems
}

// saysHowMany reports whether a part needs one request, or the pattern says how many.
func saysHowMany(p *model.Pattern, part keytext.TextPart) bool {
	if !part.Each || !asksSeveral(p, part.Attribute) || len(part.Values) > 0 {
		return true // one value, or shards or constants, which say it themselves
	}
	return slices.ContainsFunc(p.Fanout, func(f model.Fanout) bool { return f.Attribute.Name == part.Attribute.Name })
}

func asksSeveral(p *model.Pattern, a *model.Attribute) bool {
	return slices.ContainsFunc(p.Where, func(c *model.Condition) bool { return c.Attribute.Name == a.Name && c.Op == model.In })
}

// placeOf returns the place of the condition on an attribute.
func placeOf(p *model.Pattern, a *model.Attribute) diag.Place {
	for _, c := range p.Where {
		if c.Attribute.Name == a.Name {
			return c.Place
		}
	}
	return diag.Place{}
}
