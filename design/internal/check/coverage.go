package check

import (
	"fmt"
	"slices"
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/resolve"
)

// coverageRules check whether keys serve the patterns.
var coverageRules = []rule{notServed, filterReadsMuch, noBound, staleRead, wholePrefix, wholeTable, laterPhase}

// notServed reports the problems of the plans: most of C301 to C310, and orders that no key
// provides. keyChanged reports changed keys, because it sees more of them.
func notServed(s *subject) {
	for _, p := range s.patterns() {
		for _, problem := range s.layout.Plan(p).Problems {
			if problem.Code == "K110" {
				continue
			}
			s.report.Add(diag.Finding{
				Code: problem.Code, Place: problem.Place, Subject: "pattern " + p.Name,
				Message: p.Name + ": " + problem.Message, Fix: capitalised(problem.Fix), Related: problem.Related,
			})
		}
	}
}

// capitalised returns a sentence with a capital first letter, unless it begins with a name.
func capitalised(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// wasteful is the tolerated ratio of items read to items returned by a filter.
const wasteful = 4

// filterReadsMuch finds filters that read far more than they return (C302). Reads of one
// unit or less and of one item are skipped: a better key saves nothing.
func filterReadsMuch(s *subject) {
	for _, p := range s.patterns() {
		c, read := s.priced(p), s.layout.Plan(p).Read
		if c == nil || read == nil || len(read.Filter) == 0 || read.Unique || s.layout.Plan(p).Service() == resolve.ByScan || c.Read.Cmp(exact.One) <= 0 {
			continue
		}
		finding := diag.Finding{Code: "C302", Place: read.Filter[0].Place, Subject: "pattern " + p.Name}
		filtered := inWords(filterNames(read.Filter))
		switch {
		case p.Returns == nil:
			finding.Message = fmt.Sprintf("%s reads %s items (%s units) and then filters by %s; it does not say how many items remain", p.Name, figure(c.Items), figure(c.Read), filtered)
			finding.Fix = fmt.Sprintf("State how many items remain with returns, or put %s into a key", filtered)
		case c.Items.Less(p.Returns.Times(wasteful)):
			continue
		default:
			finding.Message = fmt.Sprintf("%s reads %s items (%s units) to return %s: the filter on %s removes the others after they were read and charged", p.Name, figure(c.Items), figure(c.Read), figure(*p.Returns), filtered)
			finding.Fix = fmt.Sprintf("Put %s into the key of an index", filtered)
			if when := constants(read.Filter); when != "" {
				finding.Fix = fmt.Sprintf("Add an index whose key has when: %s, so that only these items are in it", when)
			}
		}
		s.report.Add(finding)
	}
}

// constants returns a filter in the syntax of when, or "" if it depends on parameters.
func constants(filter []*model.Condition) string {
	var all []string
	for _, c := range filter {
		if c.Op == model.Or || slices.ContainsFunc(c.Values, func(v model.Operand) bool { return !v.IsConstant() }) {
			return ""
		}
		all = append(all, c.String())
	}
	return strings.Join(all, " and ")
}

func filterNames(filter []*model.Condition) []string {
	var names []string
	for _, c := range model.Comparisons(filter) {
		if !slices.Contains(names, c.Attribute.Name) {
			names = append(names, c.Attribute.Name)
		}
	}
	return names
}

// noBound finds lists without a limit whose number of items is unknown (C308).
func noBound(s *subject) {
	for _, p := range s.patterns() {
		read, c := s.layout.Plan(p).Read, s.priced(p)
		if read == nil || read.Unique || c == nil || c.Known || p.Limit > 0 || p.Returns != nil || p.Verb == model.Get || read.Operation == resolve.Scan {
			continue
		}
		s.report.Add(diag.Finding{
			Code: "C308", Place: p.Place, Subject: "pattern " + p.Name,
			Message: fmt.Sprintf("%s has no limit, and the design does not say how many items it returns", p.Name),
			Fix:     boundFix(p, read.Entities),
		})
	}
}

// boundFix returns advice that names the missing fan-out if one attribute is bound.
func boundFix(p *model.Pattern, entities []*model.Entity) string {
	for _, c := range p.Where {
		if c.Op == model.Eq && !c.Values[0].IsConstant() && len(entities) == 1 {
			return fmt.Sprintf("Add limit: 20 or returns to %s, or per: { %s: { avg: 10, max: 100 } } to %s", p.Name, c.Attribute.Name, entities[0].Name)
		}
	}
	return fmt.Sprintf("Add limit or returns to %s", p.Name)
}

// staleRead finds writes that depend on a read through a global index (C311). It reports
// only writes with a condition on what was read; W803 and W805 report the others, which are
// races. A create whose key is made of the values looked up is safe.
func staleRead(s *subject) {
	for _, p := range s.patterns() {
		if creates(p) {
			continue
		}
		for _, based := range p.BasedOn {
			read := s.layout.Plan(based).Read
			if read == nil || !read.Entry.Path.IsGlobal() || !holdsAll(dependencies(s.layout, p, based)) {
				continue
			}
			s.report.Add(diag.Finding{
				Code: "C311", Place: p.BasedOnAt, Subject: "pattern " + p.Name,
				Message: fmt.Sprintf("%s depends on %s, which reads the index %s: recent writes may be missing there", p.Name, based.Name, read.Entry.Path),
				Related: []diag.Related{{Place: based.Place, Message: "reads through " + read.Entry.Path.String()}},
			})
		}
	}
}

// holdsAll reports whether a write fails if any item that was read has changed.
func holdsAll(dependencies []dependency) bool {
	return !slices.ContainsFunc(dependencies, func(d dependency) bool { return !d.isHeld() })
}

// creates reports whether the pattern creates items.
func creates(p *model.Pattern) bool {
	return slices.ContainsFunc(p.Actions(), func(step *model.Step) bool {
		return step.Verb.Makes()
	})
}
