// Package formatter lays out design files the one way: the same indentation, spacing and
// quotes everywhere, with every comment in its place and nothing else changed. It also
// holds the design that `sortkey init` starts from.
//
// It knows YAML but not the format: what a key means, and whether it may stand where
// it does, is the business of package loader. The front door of the design compiler
// calls it for `sortkey fmt` and `sortkey init`.
package formatter

import (
	"slices"

	"sortkey.dev/design/internal/diag"
)

// mostRounds is how often a layout is laid out again before it counts as unstable.
const mostRounds = 4

// Format gives the text in canonical layout. What it cannot lay out without risk stays
// as it is. It reports what is not YAML, and then gives the text back and false.
//
// The result means the same and holds the same comments as the text, and formatting
// it again changes nothing: both are checked here, not hoped for.
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

// layOut prints a document and reads what it printed. A top-level block that does not
// come back the same is left as it stands; false if that does not help either.
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

// unprintable are the top-level blocks that hold something the printer has no words for.
func unprintable(d *document) map[int]bool {
	asIs := map[int]bool{}
	for i, e := range d.topLevel() {
		if e.key.hasOther() || e.value.hasOther() {
			asIs[i] = true
		}
	}
	return asIs
}

// differences are the entries of two top-level mappings that differ; false if the
// documents are not even two mappings with the same keys.
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
