// Package diag defines findings: what is wrong with a design, where, why it matters and
// what to do. Every package of the design compiler reports findings; package output prints
// them.
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// A Place is a range of one line of a design file. Lines and columns count from 1, columns
// in characters. The zero Place is that of a finding about the whole design.
type Place struct {
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"` // first column after it
}

// String returns file:line:column, as editors understand it.
func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// IsZero reports whether the place is the zero Place.
func (p Place) IsZero() bool { return p == Place{} }

// At returns the place of length characters starting offset characters after p's start.
func (p Place) At(offset, length int) Place {
	p.Column += offset
	p.EndColumn = p.Column + length
	return p
}

// Severity is the severity of a finding.
type Severity int

// The severities, worst last. Off is for policies: the finding is not reported.
const (
	Off Severity = iota
	Note
	Warning
	Error
)

var severityNames = [...]string{"off", "note", "warning", "error"}

// String returns the severity as policies and reports write it.
func (s Severity) String() string { return severityNames[s] }

// MarshalText writes the severity's name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ParseSeverity reads off, note, warning or error.
func ParseSeverity(name string) (Severity, bool) {
	i := slices.Index(severityNames[:], name)
	return Severity(max(i, 0)), i >= 0
}

// A Finding is one problem of a design.
type Finding struct {
	Code     Code      `json:"code"`
	Severity Severity  `json:"severity"`
	Place    Place     `json:"place"`
	Subject  string    `json:"subject,omitempty"`  // the element it is about: "pattern ListAttempts", "index GSI1 of homeops"
	Message  string    `json:"message"`            // what is wrong, one sentence without a full stop
	Why      string    `json:"why,omitempty"`      // the consequences in production; empty: those of the rule
	Fix      string    `json:"fix,omitempty"`      // what to do; empty: the advice of the rule
	Related  []Related `json:"related,omitempty"`  // other places involved
	Accepted string    `json:"accepted,omitempty"` // the reason given where it was accepted
	Profiles []string  `json:"profiles,omitempty"` // the workloads that have it, if the design's own does not
}

// Related is another place involved in a finding.
type Related struct {
	Place   Place  `json:"place"`
	Message string `json:"message"`
}

// A Report collects findings. The zero Report is ready to use.
type Report struct{ findings []Finding }

// Add adds a finding with the severity of its rule.
func (r *Report) Add(f Finding) {
	f.Severity = f.Code.Rule().Severity
	r.findings = append(r.findings, f)
}

// Relate adds a place to the finding of a code at a place, if there is one and it has fewer than
// most related places.
func (r *Report) Relate(code Code, at Place, most int, related Related) {
	for i := range r.findings {
		if f := &r.findings[i]; f.Code == code && f.Place == at && len(f.Related) < most {
			f.Related = append(f.Related, related)
			return
		}
	}
}

// Findings returns all findings except those that are off, sorted by place and then by code.
// Those on claims come last: a wrong number in a document matters less than a fault of the
// design, and often follows from one.
func (r *Report) Findings() []Finding {
	sorted := slices.DeleteFunc(slices.Clone(r.findings), func(f Finding) bool { return f.Severity == Off })
	slices.SortStableFunc(sorted, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(onClaim(a), onClaim(b)),
			cmp.Compare(a.Place.File, b.Place.File),
			cmp.Compare(a.Place.Line, b.Place.Line),
			cmp.Compare(a.Place.Column, b.Place.Column),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Subject, b.Subject),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return sorted
}

// onClaim returns 1 for a finding on a claim, else 0.
func onClaim(f Finding) int {
	if f.Code.Rule().Family == Claims {
		return 1
	}
	return 0
}

// Failed reports whether any finding is an error that is not accepted.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Severity == Error && f.Accepted == "" })
}

// Each calls f for every finding, so that f can change it: mark it as accepted or set its
// severity.
func (r *Report) Each(f func(*Finding)) {
	for i := range r.findings {
		f(&r.findings[i])
	}
}

// Clone returns a copy of the report.
func (r *Report) Clone() *Report { return &Report{findings: slices.Clone(r.findings)} }

// Remove removes the findings for which which returns true.
func (r *Report) Remove(which func(Finding) bool) { r.findings = slices.DeleteFunc(r.findings, which) }
