package loader

import "sortkey.dev/design/internal/diag"

// maxFindings is how many problems of one design are listed. A person needs fewer, and
// a hostile file could have a million.
const maxFindings = 1000

// findings takes what is wrong with a design, up to a bound.
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
		f.report.Add(diag.Finding{Code: "F010", Place: finding.Place, Message: "there are more problems from here on than are listed"})
	}
}

// full reports whether nothing more is listed, so that nobody has to look for words.
func (f *findings) full() bool { return f.count >= maxFindings }

// didYouMean is the end of a message about an unknown name.
func (f *findings) didYouMean(name string, candidates []string) string {
	if f.full() {
		return ""
	}
	return diag.DidYouMean(short(name), candidates)
}
