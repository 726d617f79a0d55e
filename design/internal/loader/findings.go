package loader

import "sortkey.dev/design/internal/diag"

// maxFindings is the maximum number of findings of one design; a hostile file could have a
// million.
const maxFindings = 1000

// findings collects the findings of a design, up to maxFindings.
type findings struct {
	report *diag.Report
	count  int
}

func (f *findings) add(finding diag.Finding) {
	f.count++
	switch {
	case f.count < maxFindings:
		f.report.Add(finding)
	case f.count == maxFindings:
		f.report.Add(diag.Finding{Code: "F010", Place: finding.Place, Message: "further problems are not listed"})
	}
}

// full reports whether maxFindings is reached, so that callers can skip building messages.
func (f *findings) full() bool { return f.count >= maxFindings }

// didYouMean returns a suggestion for an unknown name, to append to a message.
func (f *findings) didYouMean(name string, candidates []string) string {
	if f.full() {
		return ""
	}
	return diag.DidYouMean(short(name), candidates)
}
