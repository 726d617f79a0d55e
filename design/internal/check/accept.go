package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// accept marks accepted findings, each by the innermost block around it that accepts
// its code, and reports acceptances that match no finding (F012). It does not report
// them when only some phases or one profile are checked or the file was read in part, because
// the others may have the finding; nor, for an alternative, where the chosen layout may have it; nor in a used design,
// which has other workloads elsewhere.
func accept(d *model.Design, o Options, report *diag.Report) {
	all := acceptances(d, o.Alternative)
	used := make([]bool, len(all))
	mark := func(f *diag.Finding) {
		if i := nearest(all, *f); i >= 0 {
			f.Accepted = all[i].Reason
			used[i] = true
		}
	}
	report.Each(mark)
	if len(o.Tags) > 0 || o.Profile != nil || o.Partial {
		return
	}
	for i, a := range all {
		if used[i] || a.Code == unusedAccept || a.elsewhere || a.Code.Rule().Family == diag.Evolution { // those of sortkey diff
			continue
		}
		f := a.unused()
		mark(&f)
		report.Add(f)
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
	all       bool     // at the top of the design: covers everything of the design
	used      []string // with all: files of used designs, which it does not cover
	file      string   // with all: of the used design that it covers instead
	elsewhere bool     // may be meant for another layout or workload than the checked one
}

func (a acceptance) covers(p diag.Place) bool {
	switch {
	case !a.all:
		return a.Scope.Covers(p)
	case a.file != "":
		return p.File == a.file
	}
	return !slices.Contains(a.used, p.File)
}

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

// acceptances returns the acceptances of the design, of the checked layout and of the designs it
// uses.
func acceptances(d *model.Design, alternative *model.Alternative) []acceptance {
	var c collector
	var files []string
	for _, u := range d.Uses {
		files = append(files, u.File)
	}
	c.add("design "+d.Name, acceptance{all: true, used: files, elsewhere: alternative != nil}, d.Accepts)
	c.elements(d, alternative != nil, false)
	if alternative != nil {
		c.add("alternative "+alternative.Name, acceptance{}, alternative.Accepts)
	}
	for _, u := range d.Uses {
		c.add("use "+u.Name, acceptance{all: true, file: u.File, elsewhere: alternative != nil}, u.Accepts)
		c.add("design "+u.Design.Name, acceptance{all: true, file: u.File, elsewhere: true}, u.Design.Accepts)
		c.elements(u.Design, true, true)
	}
	return c.all
}

// A collector collects acceptances.
type collector struct{ all []acceptance }

// add adds acceptances of a subject that are like a.
func (c *collector) add(subject string, a acceptance, accepts []*model.Accept) {
	a.subject = subject
	for _, a.Accept = range accepts {
		c.all = append(c.all, a)
	}
}

// elements adds the acceptances of the elements of a design; logical and stored say whether those
// of entities and patterns, and of tables, may be meant for another check.
func (c *collector) elements(d *model.Design, logical, stored bool) {
	for _, e := range d.Entities {
		c.add("entity "+e.Name, acceptance{elsewhere: logical}, e.Accepts)
	}
	for _, t := range d.Tables {
		c.add("table "+t.Name, acceptance{elsewhere: stored}, t.Accepts)
		for _, x := range t.Indexes {
			c.add(fmt.Sprintf("index %s of %s", x.Name, t.Name), acceptance{elsewhere: stored}, x.Accepts)
		}
	}
	for _, p := range d.Patterns {
		c.add("pattern "+p.Name, acceptance{elsewhere: logical}, p.Accepts)
	}
}
