package formatter

import (
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/yaml"
)

// A document is a parsed file.
type document struct {
	text     string
	lines    []string
	comments []yaml.Comment
	root     *node // nil if there is nothing but comments
	whole    bool  // a single document without markers, fully parsed
}

func (d *document) topLevel() []*entry {
	if d.root == nil || d.root.kind != mapping {
		return nil
	}
	return d.root.entries
}

func (d *document) commentTexts() []string {
	texts := make([]string, len(d.comments))
	for i, c := range d.comments {
		texts[i] = c.Text
	}
	return texts
}

// isBlank reports whether a line, counted from 1, is blank.
func (d *document) isBlank(line int) bool {
	return line >= 1 && line <= len(d.lines) && strings.TrimSpace(d.lines[line-1]) == ""
}

// codes maps problems of YAML to the codes of findings.
var codes = map[yaml.ProblemKind]diag.Code{yaml.Syntax: "F001", yaml.TooLarge: "F010", yaml.Unquoted: "F008"}

// read parses a text, or returns a finding. It accepts YAML features that designs do not use.
func read(text []byte) (*document, *diag.Finding) {
	doc, problems := yaml.Read(text)
	d := &document{text: string(text), comments: doc.Comments, whole: !doc.Marked}
	for _, p := range problems {
		if p.Kind != yaml.Refused {
			place := diag.Place{Line: p.Line, Column: p.Column, EndColumn: p.EndColumn}
			return nil, &diag.Finding{Code: codes[p.Kind], Place: place, Message: p.Message}
		}
		if doc.Root == nil {
			d.whole = false
		}
	}
	for line := range doc.Lines() {
		d.lines = append(d.lines, doc.Line(line+1))
	}
	if doc.Root != nil {
		d.root = newNode(doc.Root)
	}
	return d, nil
}
