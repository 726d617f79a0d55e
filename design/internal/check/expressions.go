package check

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// DynamoDB's limits of an expression.
const (
	maxExpressionBytes  = 4 << 10
	maxPlaceholderBytes = 255
)

// longExpressions finds requests whose expressions exceed DynamoDB's limits (L710).
func longExpressions(s *subject) {
	for _, p := range s.patterns() {
		plan := s.layout.Plan(p)
		if !plan.Served() {
			continue
		}
		for _, r := range plan.Reads() {
			longExpression(s, p, r.Pattern.VerbPlace, r.Request())
		}
		for _, w := range plan.Writes {
			place := p.VerbPlace
			if p.Verb == model.Transact && w.Implied == "" {
				place = w.Step.Place
			}
			longExpression(s, p, place, w.Request())
		}
	}
}

// longExpression reports the expressions and placeholders of a request that are too long.
func longExpression(s *subject, p *model.Pattern, place diag.Place, request any) {
	members, _ := request.(resolve.Object)
	for _, m := range members {
		for _, message := range excesses(m, p.Name) {
			s.report.Add(diag.Finding{Code: "L710", Place: place, Subject: "pattern " + p.Name, Message: message, Fix: shorter(p, m.Name)})
		}
	}
}

// excesses describes how one member of a pattern's request exceeds the limits.
func excesses(m resolve.Member, pattern string) []string {
	var all []string
	switch value := m.Value.(type) {
	case string:
		if strings.HasSuffix(m.Name, "Expression") && len(value) > maxExpressionBytes {
			all = append(all, fmt.Sprintf("The %s of %s has %d bytes, and DynamoDB takes %d", m.Name, pattern, len(value), maxExpressionBytes))
		}
	case resolve.Object:
		if !strings.HasPrefix(m.Name, "ExpressionAttribute") {
			return nil
		}
		for _, placeholder := range value {
			if n := len(placeholder.Name); n > maxPlaceholderBytes {
				all = append(all, fmt.Sprintf("%s… of %s has %d bytes, and placeholders can have %d", placeholder.Name[:20], pattern, n, maxPlaceholderBytes))
			}
		}
	}
	return all
}

// shorter returns advice on how to shorten an expression.
func shorter(p *model.Pattern, expression string) string {
	switch expression {
	case "UpdateExpression":
		return fmt.Sprintf("Combine what %s sets into one attribute of a struct type, set it in two patterns, or use put", p.Name)
	case "ProjectionExpression":
		return fmt.Sprintf("Select fewer attributes in %s, or all", p.Name)
	}
	return "Give the attributes and parameters shorter names"
}
