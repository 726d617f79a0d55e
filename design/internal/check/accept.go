package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// accept marks accepted findings, each by the innermost block around it that accepts
// its code, and reports acceptances that match no finding (F012). It does not report
// them when only some phases are checked, because the other phases may have the
// finding; nor, for an alternative, where the chosen layout may have it.
func accept(s *subject) {
	all := acceptances(s.design, s.options.Alternative)
	used := make([]bool, len(all))
	mark := func(f *diag.Finding) {
		if i := nearest(all, *f); i >= 0 {
			f.Accepted = all[i].Reason
			used[i] = true
		}
	}
	s.report.Each(mark)
	if len(s.options.Tags) > 0 {
		return
	}
	for i, a := range all {
		if used[i] || a.Code == unusedAccept || a.elsewhere {
			continue
		}
		f := a.unused()
		mark(&f)
		s.report.Add(f)
	}
}

// nearest returns the index of the innermost acceptance of a finding, or -1.
func nearest(all []acceptance, f diag.Finding) int {
	found := -1
	if !acceptable(f.Code) {
		return found
	}
	for i, a := range all {
		if a.Code == f.Code && a.covers(f.Place) && (found < 0 || a.lines() < all[found].lines()) {
			found = i
		}
	}
	return found
}

// acceptable reports whether a finding can be accepted. Errors in reading the file
// cannot: nothing can be priced or generated from it.
func acceptable(code diag.Code) bool {
	rule := code.Rule()
	return (rule.Family != diag.Files || rule.Severity != diag.Error) && !slices.Contains(unbuildable, code)
}

// unbuildable lists rules of other families that cannot be accepted: no Go can be generated
// from a design that breaks them, so accepting would only move the error to generate.
var unbuildable = []diag.Code{"K101", "K105", "K108", "K111", "K112", "K113", "W811"}

const unusedAccept diag.Code = "F012"

// An acceptance is an accept entry with the block that contains it.
type acceptance struct {
	*model.Accept
	subject   string
	all       bool // at the top of the design: covers everything
	elsewhere bool // may be meant for another layout than the checked one
}

func (a acceptance) covers(p diag.Place) bool { return a.all || a.Scope.Covers(p) }

// unused describes an acceptance that matches no finding.
func (a acceptance) unused() diag.Finding {
	f := diag.Finding{
		Code: unusedAccept, Place: a.Place, Subject: a.subject,
		Message: fmt.Sprintf("%s (%s) is accepted here, but there is no such finding", a.Code, a.Code.Rule().Name),
		Fix:     fmt.Sprintf("Remove %s from accept", a.Code),
	}
	if !acceptable(a.Code) {
		f.Message = fmt.Sprintf("%s (%s) cannot be accepted: no code can be generated from such a design", a.Code, a.Code.Rule().Name)
	}
	return f
}

// lines returns the number of lines the acceptance covers; the smallest is the innermost.
func (a acceptance) lines() int {
	if a.all {
		return int(^uint(0) >> 1)
	}
	return a.Scope.Last - a.Scope.First
}

// acceptances returns the acceptances of the design and of the checked layout.
func acceptances(d *model.Design, alternative *model.Alternative) []acceptance {
	var all []acceptance
	add := func(subject string, a acceptance, accepts []*model.Accept) {
		a.subject = subject
		for _, a.Accept = range accepts {
			all = append(all, a)
		}
	}
	logical := acceptance{elsewhere: alternative != nil}
	add("design "+d.Name, acceptance{all: true, elsewhere: alternative != nil}, d.Accepts)
	for _, e := range d.Entities {
		add("entity "+e.Name, logical, e.Accepts)
	}
	for _, t := range d.Tables {
		add("table "+t.Name, acceptance{}, t.Accepts)
		for _, x := range t.Indexes {
			add(fmt.Sprintf("index %s of %s", x.Name, t.Name), acceptance{}, x.Accepts)
		}
	}
	if alternative != nil {
		add("alternative "+alternative.Name, acceptance{}, alternative.Accepts)
	}
	for _, p := range d.Patterns {
		add("pattern "+p.Name, logical, p.Accepts)
	}
	return all
}
