package design

import (
	"errors"
	"fmt"
	"slices"

	"sortkey.dev/design/internal/check"
	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/output"
)

// CheckOptions selects what is checked and the severity of findings.
type CheckOptions struct {
	Tags   []string // only patterns and entities of these phases
	Policy []byte   // the text of a policy file: severities by code, name or family
	Prices []byte   // the text of a price file

	Profile      string // only the workload of this profile, instead of the design's and every profile's
	Alternative  string // one of the alternatives, instead of the chosen layout
	ShowAccepted bool   // write accepted findings in full
	Frozen       bool   // a design that differs from the last version of its history is an error
	Settled      bool   // only the design as it is, also if a migration to it is not settled
}

// Findings holds the findings of a check. Write them with Text, JSON or SARIF.
type Findings struct{ output.Findings }

// Failed reports whether the findings include one that is not accepted and at least as severe
// as at: "error", "warning" or "note".
func (f *Findings) Failed(at string) (bool, error) {
	s := f.Summary()
	switch at {
	case "error":
		return s.Errors > 0, nil
	case "warning":
		return s.Errors+s.Warnings > 0, nil
	case "note":
		return s.Errors+s.Warnings+s.Notes > 0, nil
	}
	return false, fmt.Errorf("%q is not a severity; use error, warning or note", at)
}

// Check checks designs against all rules. The error is about the options; problems of the
// designs are in Findings.
func Check(designs []*Design, o CheckOptions) (*Findings, error) {
	policy, err := check.ParsePolicy(o.Policy)
	if err != nil {
		return nil, err
	}
	var prices *cost.PriceList
	if o.Prices != nil {
		if prices, err = cost.ReadPrices(o.Prices); err != nil {
			return nil, err
		}
	}
	all := &Findings{output.Findings{Accepted: o.ShowAccepted}}
	for _, d := range designs {
		report := d.reading.Clone()
		options := check.Options{Tags: o.Tags, Prices: prices}
		if d.model != nil {
			other, err := alternative(d.model, o.Alternative)
			profile, unknown := profileOf(d.model, o.Profile)
			if err = errors.Join(err, unknown, knownTags(d.model, o.Tags)); err != nil {
				return nil, err
			}
			options.Alternative, options.Profile, options.Partial = other, profile, report.Failed()
			check.Run(d.model, options, report)
		}
		older, err := d.checkVersions(report, options, o.Settled)
		if err != nil {
			return nil, err
		}
		policy.Apply(report)
		if o.Frozen {
			freeze(report)
		}
		all.Files = append(all.Files, d.path)
		all.Sources = slices.Concat(all.Sources, d.sources, older)
		all.Findings.Findings = append(all.Findings.Findings, report.Findings()...)
	}
	return all, nil
}

// Rule is one rule of the checker, for lists and pages.
type Rule = diag.Rule

// Rules returns all rules of the checker.
func Rules() []Rule { return diag.Rules() }

func parseScale(text string) (exact.Number, error) {
	scale, err := exact.Parse(text)
	if err != nil || scale.Sign() <= 0 {
		return exact.Zero, errScale
	}
	return scale, nil
}
