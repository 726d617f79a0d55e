package design

import (
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/formatter"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/output"
)

// Format returns a design in canonical format. It keeps comments; if the text is not valid
// YAML, Format returns it unchanged with a BrokenError.
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

// Starter returns a small commented starter design.
func Starter(name string) []byte { return formatter.Starter(name) }

// Nearest returns the candidate that a misspelled name most likely means, if one is close
// enough to suggest.
func Nearest(name string, candidates []string) (string, bool) {
	return diag.Nearest(name, candidates)
}

// Schema returns the JSON Schema of design files, for editors.
func Schema() []byte { return loader.Schema() }
