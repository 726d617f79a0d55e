// Package check implements the rules that designs are checked against. Each family is one
// or a few files named after it; each rule is a function that inspects the whole design and
// reports findings under one or two codes. Package diag describes each code, its severity
// and its advice; the pages are in docs/reference/findings.
//
// Rules are read-only: they read the model, the plans of package resolve and the
// estimate of package cost.
package check

import (
	"slices"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// Options selects what is checked.
type Options struct {
	Tags        []string           // only patterns and entities of these phases
	Prices      *cost.PriceList    // nil: the design's own, else those of its region
	Alternative *model.Alternative // check this layout of the design instead of the chosen one
	Profile     *model.Profile     // check this workload instead of the design's and every profile's
	OwnWorkload bool               // check the workload of the design without its profiles
	// Partial says that part of the file could not be read, so something that seems to be
	// missing may be in the unread part.
	Partial bool
}

// A rule looks for one kind of problem.
type rule func(*subject)

// partRules look at one design: entities of another part of a program have nothing to do with
// its own, even if attributes have the same names.
var partRules = [][]rule{
	entityRules, keyRules, orderRules, coverageRules, limitRules,
	indexRules, heatRules, timeRules, writeRules,
}

// wholeRules look at the program: the design and the designs it uses.
var wholeRules = [][]rule{costRules, claimRules}

// Run reports everything the rules find in a design's chosen layout or an alternative, and in
// the designs it uses, then marks the findings that were accepted. It looks at the workload of
// the design and at the load of every profile, or only at the workload of one profile.
func Run(d *model.Design, o Options, report *diag.Report) {
	if o.Alternative != nil {
		d = d.WithTables(o.Alternative)
	}
	whole := newSubject(d.Whole(), o, report)
	parts := []*subject{whole}
	if len(d.Uses) > 0 {
		parts = nil
		for _, part := range d.Parts() {
			parts = append(parts, newSubject(part, o, report))
		}
	}
	for _, s := range parts {
		s.look(partRules)
	}
	whole.look(wholeRules)
	if o.Profile == nil && !o.OwnWorkload {
		profiles(d, parts)
	}
	if o.Partial {
		for _, s := range parts {
			forgetAbsence(s)
		}
	}
	accept(d, o, report)
}

// newSubject returns a design as rules see it.
func newSubject(d *model.Design, o Options, report *diag.Report) *subject {
	layout := resolve.New(d)
	workload := cost.Options{Tags: o.Tags, Prices: o.Prices, Profile: o.Profile}
	return &subject{
		design: d, layout: layout, workload: workload, estimate: cost.Price(layout, workload),
		options: o, report: report,
	}
}

// look applies rules.
func (s *subject) look(families [][]rule) {
	for _, family := range families {
		for _, look := range family {
			look(s)
		}
	}
}

// absence lists rules that report something missing. They cannot be trusted for a file
// that was read in part.
var absence = []diag.Code{"F014", "I401", "I402", "T606", "X951", "X953"}

// forgetAbsence removes findings about something that may be in the unread part of the file.
func forgetAbsence(s *subject) {
	homeless := map[string]bool{}
	for _, p := range s.design.Patterns {
		for _, e := range p.Entities() {
			if s.layout.Home(e) == nil {
				homeless["pattern "+p.Name] = true
			}
		}
	}
	s.report.Remove(func(f diag.Finding) bool {
		return slices.Contains(absence, f.Code) || f.Code == "C301" && homeless[f.Subject]
	})
}
