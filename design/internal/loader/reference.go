package loader

import (
	"fmt"
	"strings"
)

// Reference returns the reference of the format in Markdown: every block and key.
func Reference() []byte {
	w := &referenceWriter{done: map[string]bool{}}
	w.out.WriteString(referenceHead)
	w.add(designSpec)
	for i := 0; i < len(w.blocks); i++ {
		w.block(w.blocks[i])
	}
	w.formsTable()
	return []byte(w.out.String())
}

const referenceHead = `# The design file

A design file is YAML. Unknown and duplicate keys, anchors, aliases, tags, merge keys and several documents in one file are rejected. Keys can be in any order.
A directory of files that end in ` + "`" + Suffix + "`" + ` is one design: blocks of the same name are merged by key, ` + "`design`" + ` is in one of them, and ` + "`accept`" + `
at the top level of a file applies to that file.

This page is generated from the definition of the format. Editors complete and explain keys with ` + "[design.schema.json](design.schema.json)" + `: put
` + "`# yaml-language-server: $schema=design.schema.json`" + ` on the first line.

`

// A referenceWriter writes blocks in the order of their first mention.
type referenceWriter struct {
	out    strings.Builder
	blocks []*blockSpec
	forms  []*form
	done   map[string]bool
}

func (w *referenceWriter) add(b *blockSpec) {
	if !w.done["block "+b.name] {
		w.done["block "+b.name] = true
		w.blocks = append(w.blocks, b)
	}
}

func (w *referenceWriter) block(b *blockSpec) {
	fmt.Fprintf(&w.out, "## %s\n\n%s\n", b.name, b.doc)
	if len(b.oneOf) > 0 {
		fmt.Fprintf(&w.out, "Exactly one of `%s`.\n", strings.Join(b.oneOf, "`, `"))
	}
	w.out.WriteString("\n| key | value | meaning | example |\n|---|---|---|---|\n")
	for _, k := range b.keys {
		name := "`" + k.name + "`"
		if k.required {
			name += " (required)"
		}
		fmt.Fprintf(&w.out, "| %s | %s | %s | `%s` |\n", name, cell(w.value(k.value)), cell(k.doc), cell(k.example))
	}
	w.out.WriteString("\n")
}

// value describes the allowed values, with links to blocks and forms.
func (w *referenceWriter) value(v *valueSpec) string {
	switch {
	case v.form != nil:
		return w.form(v.form)
	case v.block != nil:
		w.add(v.block)
		return fmt.Sprintf("[%s](#%s)", v.block.name, strings.ToLower(v.block.name))
	case v.names != nil:
		return fmt.Sprintf("{ %s: %s }", w.form(v.names), w.value(v.element))
	case v.element != nil:
		return "list of " + w.value(v.element)
	}
	var options []string
	for _, o := range v.options {
		options = append(options, w.value(o))
	}
	return strings.Join(options, " or ")
}

func (w *referenceWriter) form(f *form) string {
	if len(f.values) > 0 {
		return "`" + strings.Join(f.values, "`, `") + "`"
	}
	if !w.done["form "+f.name] {
		w.done["form "+f.name] = true
		w.forms = append(w.forms, f)
	}
	return fmt.Sprintf("[%s](#kinds-of-values)", f.name)
}

func (w *referenceWriter) formsTable() {
	w.out.WriteString("## Kinds of values\n\n| kind | how it is written |\n|---|---|\n")
	for _, f := range w.forms {
		fmt.Fprintf(&w.out, "| %s | %s |\n", f.name, cell(f.doc))
	}
}

// cell escapes a text for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
