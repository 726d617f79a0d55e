package check

import (
	"slices"

	"sortkey.dev/design/internal/claim"
	"sortkey.dev/design/internal/cost"
)

// claimRules compare the numbers a document states with those of its design.
var claimRules = []rule{claims}

// claims checks every number stated for the design and for single patterns (X951 to X953).
func claims(s *subject) {
	env := claim.NewEnv(s.layout, cost.Options{Prices: s.options.Prices})
	stated := slices.Clone(s.design.Claims)
	for _, p := range s.patterns() {
		stated = append(stated, p.Claims...)
	}
	for _, c := range stated {
		for _, finding := range claim.Check(c, env) {
			s.report.Add(finding)
		}
	}
}
