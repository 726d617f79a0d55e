// Package docx imports questions from Word documents. It reads paragraphs, numbered lists and tables
// and gives their lines to package layout. It takes text only: images, text boxes and formulas are
// reported. Package exchange calls it.
package docx

import (
	"context"
	"fmt"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/archive"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/layout"
	"sortkey.dev/apps/exambuddy/exchange/xmltree"
	"sortkey.dev/internal/lazyregexp"
)

const document = "word/document.xml"

// Is reports whether a zip file is a Word document.
func Is(p *archive.Package) bool { return p.Has(document) }

// Import parses a document.
func Import(ctx context.Context, data []byte, limits draft.Limits) (*draft.Result, error) {
	if err := limits.CheckSize(len(data)); err != nil {
		return nil, err
	}
	if strings.HasPrefix(string(data), "\xd0\xcf\x11\xe0") {
		return nil, draft.Unreadable("This is a Word document of the old format or with a password. Save it as .docx without a password.")
	}
	p, err := archive.Open(data, limits)
	if err != nil {
		return nil, err
	}
	if !Is(p) {
		return nil, draft.Unreadable("The file is no Word document.")
	}
	r := reader{out: draft.NewBuilder(limits), reported: map[string]bool{}}
	if r.lists, err = readLists(ctx, p); err != nil {
		return nil, err
	}
	text, err := p.Read(document)
	if err != nil {
		return nil, err
	}
	root, err := xmltree.Parse(ctx, text)
	if err != nil {
		return nil, err
	}
	if body := root.Child("body"); body != nil {
		r.blocks(body)
	}
	if err := layout.Parse(ctx, r.lines, r.out); err != nil {
		return nil, err
	}
	return r.out.Result()
}

type reader struct {
	out      *draft.Builder
	lists    *lists
	lines    []layout.Line
	number   int // of the paragraph
	empty    bool
	option   bool // the last paragraph is an option
	reported map[string]bool
}

// blocks reads paragraphs and tables.
func (r *reader) blocks(n *xmltree.Node) {
	for _, c := range n.Children {
		switch c.Name {
		case "p":
			r.paragraph(c)
		case "tbl":
			r.table(c)
		case "sdt", "sdtContent", "ins", "customXml", "smartTag":
			r.blocks(c)
		}
	}
}

var optionStart = lazyregexp.New(`^[(\[]?[A-Ja-j][.):\]]\s`)

// paragraph adds the lines of a paragraph.
func (r *reader) paragraph(n *xmltree.Node) {
	r.number++
	t := r.text(n)
	text := strings.TrimSpace(t.b.String())
	if text == "" {
		r.empty = true
		return
	}
	if label := r.lists.label(n); label != "" {
		text = label + " " + text
	}
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		r.lines = append(r.lines, layout.Line{Text: line, Number: r.number, Gap: i == 0 && (r.empty || r.option && !optionStart.MatchString(text)),
			Bold: t.bold && !t.light, Marked: t.marked && !t.unmarked})
	}
	r.empty, r.option = false, optionStart.MatchString(text)
}

// A run collects the text of a paragraph and how it looks.
type run struct {
	b                             strings.Builder
	bold, light, marked, unmarked bool
}

func (r *reader) text(n *xmltree.Node) *run {
	t := &run{}
	r.walk(n, t, false, false)
	return t
}

// lost names elements whose content is not imported.
var lost = map[string]string{"drawing": "An image", "pict": "An image", "object": "An embedded object", "oMath": "A formula", "txbxContent": "A text box"}

// walk collects the text of runs.
func (r *reader) walk(n *xmltree.Node, t *run, bold, marked bool) {
	for _, c := range n.Children {
		switch c.Name {
		case "r":
			b, m := look(c)
			r.walk(c, t, b, m)
		case "t":
			text := c.Content()
			t.b.WriteString(text)
			if strings.TrimSpace(text) != "" {
				t.bold, t.light = t.bold || bold, t.light || !bold
				t.marked, t.unmarked = t.marked || marked, t.unmarked || !marked
			}
		case "tab":
			t.b.WriteString("  ")
		case "br", "cr":
			t.b.WriteString("\n")
		case "noBreakHyphen":
			t.b.WriteString("-")
		case "sym":
			t.b.WriteString(symbol(c))
		case "hyperlink", "ins", "smartTag", "sdt", "sdtContent", "fldSimple", "customXml", "moveTo":
			r.walk(c, t, bold, marked)
		case "drawing", "pict", "object", "oMath", "oMathPara":
			name := strings.TrimSuffix(c.Name, "Para")
			place := draft.Place{Line: max(r.number, 1)}
			if key := fmt.Sprint(name, place.Line); !r.reported[key] {
				r.reported[key] = true
				r.out.Problem(draft.Problem{Place: place, Message: lost[name] + " was not imported.", Advice: "Add it in the editor.", Text: oneLine(c.Excerpt())})
			}
		}
	}
}

// symbol returns check marks of the font Wingdings.
func symbol(n *xmltree.Node) string {
	switch strings.ToUpper(n.Attrs["char"]) {
	case "F0FC", "F050", "00FC":
		return "✓"
	case "F0FE", "F052", "00FE":
		return "☑"
	case "F0A8", "F06F", "00A8":
		return "☐"
	}
	return "�"
}

// look reports whether a run is bold, and whether it is highlighted, underlined or coloured.
func look(n *xmltree.Node) (bold, marked bool) {
	properties := n.Child("rPr")
	if properties == nil {
		return false, false
	}
	if b := properties.Child("b"); b != nil {
		bold = on(b)
	}
	for _, name := range []string{"highlight", "u", "shd", "color"} {
		p := properties.Child(name)
		if p == nil {
			continue
		}
		value := strings.ToLower(p.Attrs["val"])
		if name == "shd" {
			value = strings.ToLower(p.Attrs["fill"])
		}
		switch value {
		case "", "none", "auto", "000000", "ffffff", "white", "black", "clear":
		default:
			marked = true
		}
	}
	return bold, marked
}

// on reports whether a switch is on.
func on(n *xmltree.Node) bool {
	switch n.Attrs["val"] {
	case "0", "false", "off":
		return false
	}
	return true
}

// table adds the rows of a table. A table in a cell belongs to the text of the cell. Where the cell is
// the only one of its row, the outer table is a frame, and the inner one adds rows of its own.
func (r *reader) table(n *xmltree.Node) {
	for _, row := range n.Outermost("tr") {
		found := row.Outermost("tc")
		if len(found) == 1 && len(found[0].Outermost("tbl")) > 0 {
			r.empty = true
			r.blocks(found[0])
			continue
		}
		var cells []string
		for _, cell := range found {
			cells = append(cells, r.cell(cell))
		}
		if len(cells) == 1 {
			for i, text := range strings.Split(cells[0], "\n") {
				r.lines = append(r.lines, layout.Line{Text: text, Number: r.number, Gap: i == 0})
			}
			continue
		}
		r.lines = append(r.lines, layout.Line{Number: r.number, Cells: cells, Text: oneLine(strings.Join(cells, "  "))})
	}
	r.empty = true
}

// cell returns the text of a cell, with a line for each paragraph.
func (r *reader) cell(n *xmltree.Node) string {
	var lines []string
	for _, p := range n.Outermost("p") {
		r.number++
		text := strings.TrimSpace(r.text(p).b.String())
		if label := r.lists.label(p); label != "" && text != "" {
			text = label + " " + text
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
