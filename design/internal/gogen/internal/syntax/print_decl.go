package syntax

import (
	"strconv"
	"strings"
	"unicode"
)

func (d *FuncDecl) print(p *printer) {
	p.doc(d.Doc)
	p.write("func ")
	if d.Receiver != nil {
		p.write("(", d.Receiver.Name, " ")
		d.Receiver.Type.print(p)
		p.write(") ")
	}
	p.write(d.Name)
	p.signature(d.Params, d.Results)
	if !d.Short {
		p.write(" {\n")
		p.body(d.Body)
		p.write("}\n\n")
		return
	}
	p.write(" { ")
	for i, s := range d.Body {
		if i > 0 {
			p.write("; ")
		}
		s.print(p)
	}
	p.write(" }\n\n")
}

func (d *TypeDecl) print(p *printer) {
	p.doc(d.Doc)
	p.write("type ", d.Name, " ")
	d.Type.print(p)
	p.write("\n\n")
}

func (d *VarDecl) print(p *printer)   { p.declared("var", *d) }
func (d *ConstDecl) print(p *printer) { p.declared("const", VarDecl(*d)) }

func (p *printer) declared(keyword string, d VarDecl) {
	p.doc(d.Doc)
	p.write(keyword, " ", d.Name, " = ")
	d.Value.print(p)
	p.write("\n\n")
}

func (d *Group) print(p *printer) {
	p.doc(d.Doc)
	p.write(d.Keyword, " (\n")
	for _, s := range d.Specs {
		p.write(s.Name)
		if s.Type != nil {
			p.write(" ")
			s.Type.print(p)
		}
		p.write(" = ")
		s.Value.print(p)
		if s.Note != "" {
			p.write(" // ", visible(s.Note))
		}
		p.write("\n")
	}
	p.write(")\n\n")
}

func (d *Section) print(p *printer) { p.write("\n// ── ", visible(d.Title), " ──\n\n") }

// doc prints a doc comment.
func (p *printer) doc(paragraphs Doc) {
	first := true
	for _, paragraph := range paragraphs {
		if strings.TrimSpace(paragraph) == "" {
			continue
		}
		if !first {
			p.write("//\n")
		}
		first = false
		if strings.HasPrefix(paragraph, "\t") {
			for line := range strings.SplitSeq(visible(paragraph), "\n") {
				p.write(strings.TrimRight("//"+line, " \t"), "\n")
			}
			continue
		}
		for _, line := range Wrap(paragraph, 88) {
			p.write("// ", visible(line), "\n")
		}
	}
}

// Wrap breaks a text into lines of at most width bytes, between words.
func Wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	if line == "" {
		return lines
	}
	return append(lines, line)
}

// visible spells out characters that Go source does not take in a comment.
func visible(text string) string {
	hidden := func(c rune) bool { return c != '\n' && c != '\t' && unicode.IsControl(c) || c == '\ufeff' }
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if hidden(c) {
			b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
			continue
		}
		b.WriteRune(c)
	}
	return b.String()
}
