// Package formatter formats design files: it normalizes indentation, spacing and quotes, and
// keeps comments and everything else unchanged. It also contains the starter design of
// `sortkey init`.
//
// It knows YAML but not the format of designs, which package loader validates. Package
// design calls it for `sortkey fmt` and `sortkey init`.
package formatter

import (
	"slices"

	"sortkey.dev/design/internal/diag"
)

// mostRounds is the number of times a document is formatted again before it counts as
// unstable.
const mostRounds = 4

// Format returns the text in canonical format. Parts that it cannot format safely stay
// unchanged. If the text is not valid YAML, Format reports a finding and returns the text
// and false.
//
// Format verifies that the result has the same meaning and comments as the text and does not
// change when formatted again.
func Format(name string, text []byte, report *diag.Report) ([]byte, bool) {
	before, problem := read(text)
	if problem != nil {
		problem.Place.File = name
		report.Add(*problem)
		return text, false
	}
	current := before
	for range mostRounds {
		next, ok := layOut(current)
		if !ok {
			break
		}
		if next.text == current.text {
			return []byte(next.text), true
		}
		current = next
	}
	return text, true
}

// layOut prints a document and parses the result. It leaves top-level blocks unchanged that
// do not round-trip, and returns false if that does not help.
func layOut(d *document) (*document, bool) {
	asIs := unprintable(d)
	for range 2 {
		printed, ok := printDocument(d, asIs)
		if !ok {
			return nil, false
		}
		if printed == d.text {
			return d, true
		}
		after, problem := read([]byte(printed))
		if problem == nil && slices.Equal(d.commentTexts(), after.commentTexts()) {
			differing, comparable := differences(d.root, after.root)
			if comparable && len(differing) == 0 {
				return after, true
			}
			for _, i := range differing {
				asIs[i] = true
			}
			continue
		}
		for i := range d.topLevel() {
			asIs[i] = true
		}
	}
	return nil, false
}

// unprintable returns the top-level blocks with YAML features the printer does not support.
func unprintable(d *document) map[int]bool {
	asIs := map[int]bool{}
	for i, e := range d.topLevel() {
		if e.key.hasOther() || e.value.hasOther() {
			asIs[i] = true
		}
	}
	return asIs
}

// differences returns the entries of two top-level mappings that differ; false if the
// documents are not mappings with the same keys.
func differences(a, b *node) ([]int, bool) {
	if a == nil || b == nil || a.kind != mapping || b.kind != mapping {
		return nil, equal(a, b)
	}
	if len(a.entries) != len(b.entries) {
		return nil, false
	}
	var differing []int
	for i := range a.entries {
		if !equal(a.entries[i].key, b.entries[i].key) {
			return nil, false
		}
		if !equal(a.entries[i].value, b.entries[i].value) {
			differing = append(differing, i)
		}
	}
	return differing, true
}
