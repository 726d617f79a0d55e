package design

import (
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/formatter"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/output"
)

// Format is a design in the canonical layout. Comments survive; if the text is no
// YAML it comes back with a BrokenError.
func Format(name string, text []byte) ([]byte, error) {
	var report diag.Report
	formatted, ok := formatter.Format(name, text, &report)
	if ok {
		return formatted, nil
	}
	return nil, &BrokenError{Findings: &Findings{output.Findings{
		Sources:  []loader.Source{{Name: name, Text: text}},
		Findings: report.Findings(),
		Files:    []string{name},
	}}}
}

// Starter is a small commented design to grow from.
func Starter(name string) []byte { return formatter.Starter(name) }

// Nearest returns the candidate that a misspelled name most likely means, if one is close
// enough to suggest.
func Nearest(name string, candidates []string) (string, bool) {
	return diag.Nearest(name, candidates)
}

// Schema is the JSON Schema of design files, for editors.
func Schema() []byte { return loader.Schema() }
