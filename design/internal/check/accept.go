package check

import (
	"fmt"
	"slices"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
)

// accept marks the findings somebody decided to live with, each by the nearest block
// around it that accepts its code, and reports acceptances that met nothing (F012).
// When only some phases were looked at, nobody knows what the others would have met;
// and what an alternative does not meet, the chosen layout may.
func accept(s *subject) {
	all := acceptances(s.design, s.options.Alternative)
	used := make([]bool, len(all))
	mark := func(f *diag.Finding) {
		if !acceptable(f.Code) {
			return
		}
		nearest := -1
		for i, a := range all {
			if a.Code == f.Code && a.covers(f.Place) && (nearest < 0 || a.lines() < all[nearest].lines()) {
				nearest = i
			}
		}
		if nearest >= 0 {
			f.Accepted = all[nearest].Reason
			used[nearest] = true
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
		f := diag.Finding{
			Code: unusedAccept, Place: a.Place, Subject: a.subject,
			Message: fmt.Sprintf("%s (%s) is accepted here but does not occur", a.Code, a.Code.Rule().Name),
			Fix:     fmt.Sprintf("Remove %s from accept", a.Code),
		}
		if !acceptable(a.Code) {
			f.Message = fmt.Sprintf("%s (%s) cannot be accepted: nothing can be built with it", a.Code, a.Code.Rule().Name)
		}
		mark(&f)
		s.report.Add(f)
	}
}

// acceptable reports whether one can live with a finding. A file that cannot be read
// is no design yet: nothing can be priced or built from it.
func acceptable(code diag.Code) bool {
	rule := code.Rule()
	return (rule.Family != diag.Files || rule.Severity != diag.Error) && !slices.Contains(unbuildable, code)
}

// unbuildable are rules of other families of which the same is true: what breaks them has
// no Go, so a reason to live with it would only move the error from check to generate.
var unbuildable = []diag.Code{"K101", "K105", "K108", "K111", "K112", "K113", "W811"}

const unusedAccept diag.Code = "F012"

// An acceptance is an accept with the block it stands in.
type acceptance struct {
	*model.Accept
	subject   string
	all       bool // at the top of the design: covers everything
	elsewhere bool // may be meant for another layout than the one looked at
}

func (a acceptance) covers(p diag.Place) bool { return a.all || a.Scope.Covers(p) }

// lines is how much the acceptance covers; the smallest is the nearest.
func (a acceptance) lines() int {
	if a.all {
		return int(^uint(0) >> 1)
	}
	return a.Scope.Last - a.Scope.First
}

// acceptances are those of the design and the layout looked at, not of other layouts.
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
