package resolve

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve/internal/plan"
)

// judgeKeyOnly adds the problem that a request would name an attribute that exists only in
// the key: DynamoDB compares, changes and projects stored attributes.
func judgeKeyOnly(p *Plan) {
	var statements []*Statement
	if p.Read != nil {
		statements = append(statements, p.Read.Statement)
	}
	for _, w := range p.Writes {
		statements = append(statements, w.Statement)
	}
	if !slices.ContainsFunc(statements, namesNothing) || slices.ContainsFunc(p.Problems, func(problem plan.Problem) bool { return problem.Code == "K110" }) {
		return
	}
	name, place := comparesKeyOnly(p.Pattern)
	p.Problems = append(p.Problems, plan.Problem{
		Code: "C315", Place: place,
		Message: fmt.Sprintf("%s exists only in the key and is no attribute that DynamoDB could compare", name),
		Fix:     fmt.Sprintf("remove the condition if where gives %s, or remove in: key so that it is stored as well", name),
	})
}

// namesNothing reports whether an expression of a statement names an attribute that is not
// stored.
func namesNothing(s *Statement) bool {
	return s != nil && slices.ContainsFunc(s.Names, func(n Name) bool { return n.Attribute == "" && n.Param == "" })
}

// comparesKeyOnly returns the first attribute in a condition of a pattern that exists only in
// the key, and where.
func comparesKeyOnly(p *model.Pattern) (string, diag.Place) {
	conditions := slices.Clone(p.Filter)
	for _, step := range p.Actions() {
		conditions = append(conditions, step.If...)
	}
	for _, c := range model.Comparisons(conditions) {
		if c.Attribute.InKey {
			return c.Attribute.Name, c.Place
		}
		for _, v := range c.Values {
			if v.Attribute != nil && v.Attribute.InKey {
				return v.Attribute.Name, c.Place
			}
		}
	}
	return "an attribute", p.VerbPlace
}
