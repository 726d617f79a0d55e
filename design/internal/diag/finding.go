// Package diag is the vocabulary of findings: what is wrong with a design, where,
// why it hurts and what to do. Every room of the design compiler reports in it;
// how findings are printed is not its business (package output does that).
package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// A Place is a stretch of one line of a design file. Lines and columns count from
// 1, columns in characters. The zero Place is nowhere: a finding about the whole design.
type Place struct {
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndColumn int    `json:"endColumn,omitempty"` // first column after it
}

// String is file:line:column, as editors understand it.
func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.File == "":
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// IsZero reports whether the place is nowhere.
func (p Place) IsZero() bool { return p == Place{} }

// At is the place of length characters starting offset characters after p's start.
func (p Place) At(offset, length int) Place {
	p.Column += offset
	p.EndColumn = p.Column + length
	return p
}

// Severity says what a finding means for the design.
type Severity int

// The severities, worst last. Off is for policies: a finding that is not reported.
const (
	Off Severity = iota
	Note
	Warning
	Error
)

var severityNames = [...]string{"off", "note", "warning", "error"}

// String is the severity as policies and reports write it.
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
	Subject  string    `json:"subject,omitempty"`  // what it is about: "pattern ListAttempts", "index GSI1 of homeops"
	Message  string    `json:"message"`            // what is wrong, one sentence without a full stop
	Why      string    `json:"why,omitempty"`      // why it hurts in production; empty: the code's own words
	Fix      string    `json:"fix,omitempty"`      // what to do about this one; empty: the code's own words
	Related  []Related `json:"related,omitempty"`  // other places that take part
	Accepted string    `json:"accepted,omitempty"` // the reason given where it was accepted
}

// Related is another place that takes part in a finding.
type Related struct {
	Place   Place  `json:"place"`
	Message string `json:"message"`
}

// A Report collects findings. The zero Report is ready to use.
type Report struct{ findings []Finding }

// Add puts a finding into the report, with its code's own severity.
func (r *Report) Add(f Finding) {
	f.Severity = f.Code.Rule().Severity
	r.findings = append(r.findings, f)
}

// Findings are all findings that no policy switched off, sorted by place and then by code.
func (r *Report) Findings() []Finding {
	sorted := slices.DeleteFunc(slices.Clone(r.findings), func(f Finding) bool { return f.Severity == Off })
	slices.SortStableFunc(sorted, func(a, b Finding) int {
		return cmp.Or(
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

// Failed reports whether any finding is an error that nobody accepted.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Severity == Error && f.Accepted == "" })
}

// Each lets f change every finding, such as marking it accepted or giving it another
// severity.
func (r *Report) Each(f func(*Finding)) {
	for i := range r.findings {
		f(&r.findings[i])
	}
}

// Clone is a report of its own with the same findings.
func (r *Report) Clone() *Report { return &Report{findings: slices.Clone(r.findings)} }

// Remove takes findings out of the report again.
func (r *Report) Remove(which func(Finding) bool) { r.findings = slices.DeleteFunc(r.findings, which) }
