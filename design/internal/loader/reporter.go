package loader

import (
	"fmt"

	"sortkey.dev/design/internal/diag"
)

// A reporter reports findings about the element that is being built, and records whether the
// element is complete.
type reporter struct {
	found   *findings
	subject string
	failed  bool // a part of the current element could not be parsed
}

// fail reports a finding and marks the current element as failed.
func (r *reporter) fail(code diag.Code, place diag.Place, format string, args ...any) {
	r.add(diag.Finding{Code: code, Place: place, Message: fmt.Sprintf(format, args...)})
}

func (r *reporter) add(f diag.Finding) {
	r.failed = true
	f.Subject = r.subject
	r.found.add(f)
}

// whole runs part and reports whether it succeeded completely.
func (r *reporter) whole(part func()) bool {
	outer := r.failed
	r.failed = false
	part()
	ok := !r.failed
	r.failed = outer
	return ok
}

// about runs part with a subject for its findings.
func (r *reporter) about(subject string, part func()) {
	before := r.subject
	r.subject = subject
	part()
	r.subject = before
}
