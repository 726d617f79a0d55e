package design

import (
	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/file"
	"sortkey.dev/design/internal/layout"
	"sortkey.dev/design/internal/output"
)

// Format is a design in the canonical layout. Comments survive; if the text is no
// YAML it comes back with a BrokenError.
func Format(name string, text []byte) ([]byte, error) {
	var report diag.Report
	formatted, ok := layout.Format(name, text, &report)
	if ok {
		return formatted, nil
	}
	return nil, &BrokenError{Findings: &Findings{output.Findings{
		Sources:  []file.Source{{Name: name, Text: text}},
		Findings: report.Findings(),
		Files:    []string{name},
	}}}
}

// Starter is a small commented design to grow from.
func Starter(name string) []byte { return layout.Starter(name) }

// Schema is the JSON Schema of design files, for editors.
func Schema() []byte { return file.Schema() }
