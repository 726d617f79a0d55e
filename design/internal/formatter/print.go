package formatter

import (
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/yaml"
)

const (
	indentation = 2
	maxWidth    = 120 // maximum width of a line with brackets, without its comment
)

// A printer writes a document line by line. Comments are separate from the tree: each is
// written before the first entry below it in the source.
type printer struct {
	*document
	out     []string
	pending []yaml.Comment // not written yet
	open    bool           // the last line can still get a trailing comment
	head    bool           // the last line is a key whose block follows
	below   int            // the line of the entry written last; blank lines count after it

	levels []level // the blocks around the current entry
	last   []level // the blocks around the previous entry
}

// A level is the indentation of one block in the source and in the output.
type level struct{ column, indent int }

// printDocument prints a document; top-level blocks in asIs stay unchanged. It returns false
// if the document cannot be printed safely.
func printDocument(d *document, asIs map[int]bool) (string, bool) {
	p := &printer{document: d, pending: d.comments}
	switch {
	case !d.whole:
		return "", false
	case d.root == nil:
	case len(asIs) > 0:
		if !p.topLevelAsIs(asIs) {
			return "", false
		}
	case d.root.kind == mapping || d.root.kind == list:
		if d.root.hasOther() {
			return "", false
		}
		p.root()
	default:
		return "", false // a scalar alone is not a design
	}
	p.flush(len(p.lines)+1, nil)
	if len(p.out) == 0 {
		return "", true
	}
	return strings.Join(p.out, "\n") + "\n", true
}

func (p *printer) root() {
	if text, ok := p.inBrackets(p.document.root, 0); ok {
		p.flush(p.document.root.line, nil)
		p.write(text)
		return
	}
	p.block(p.document.root, 0, "")
}

// topLevelAsIs writes a top-level mapping some of whose entries stay unchanged, with
// everything up to the next entry.
func (p *printer) topLevelAsIs(asIs map[int]bool) bool {
	entries := p.topLevel()
	if p.document.root.flow || !startLines(entries, len(p.lines)) {
		return false
	}
	for i, e := range entries {
		if !asIs[i] {
			p.block(&node{kind: mapping, entries: entries[i : i+1]}, 0, "")
			continue
		}
		end := len(p.lines)
		if i+1 < len(entries) {
			end = entries[i+1].line - 1
		}
		p.levels = []level{{1, 0}}
		p.flush(e.line, p.levels)
		p.blankAbove(e.line)
		p.out = append(p.out, p.lines[e.line-1:end]...)
		for len(p.pending) > 0 && int(p.pending[0].Line) <= end {
			p.pending = p.pending[1:]
		}
		p.open, p.head, p.below, p.last = false, false, end+1, p.levels
	}
	return true
}

// startLines reports whether every entry is the first on its line.
func startLines(entries []*entry, lines int) bool {
	above := 0
	for _, e := range entries {
		if e.column != 1 || e.line <= above || e.line > lines {
			return false
		}
		above = e.line
	}
	return true
}

// block writes a mapping or list over several lines. The first line gets the prefix:
// the dashes of the lists it is the first entry of.
func (p *printer) block(n *node, indent int, prefix string) {
	outer := p.levels
	p.levels = append(outer[:len(outer):len(outer)], level{n.entries[0].column, indent})
	for _, e := range n.entries {
		if n.kind == list {
			p.item(e, indent, prefix)
		} else {
			p.pair(e, indent, prefix)
		}
		prefix = ""
	}
	p.levels = outer
}

// item writes an entry of a list.
func (p *printer) item(e *entry, indent int, prefix string) {
	if prefix == "" {
		p.before(e, indent)
		prefix = strings.Repeat(" ", indent)
	}
	p.value(e, prefix+"-", indent)
}

// pair writes a key and its value.
func (p *printer) pair(e *entry, indent int, prefix string) {
	if prefix == "" {
		p.before(e, indent)
		prefix = strings.Repeat(" ", indent)
	}
	p.value(e, prefix+oneLine(e.key)+":", indent)
}

// before writes the comments and the blank line above an entry. Comments between a key
// and a value that stands below it go above both.
func (p *printer) before(e *entry, indent int) {
	p.flush(e.line, p.levels)
	blankAbove := p.isBlank(e.line-1) && e.line > p.below
	if first := e.firstLine(); first > e.line {
		for len(p.pending) > 0 && int(p.pending[0].Line) < first {
			if blankAbove {
				p.blank()
				blankAbove = false
			}
			p.write(strings.Repeat(" ", indent) + p.takeComment())
			p.open, p.head = false, false
		}
	}
	if blankAbove {
		p.blank()
	}
	p.below = max(p.below, e.line)
	p.last = p.levels
}

// firstLine returns the line of the first element on the entry's own line; comments below it
// stay in place.
func (e *entry) firstLine() int {
	v := e.value
	switch {
	case v.kind == scalar:
		return v.line
	case v.kind == mapping && v.flow && e.key != nil:
		return v.line
	case v.kind == list && v.flow && e.key != nil:
		return v.line
	case e.key == nil && (v.kind == mapping || v.kind == list) && len(v.entries) > 0:
		return max(e.line, v.entries[0].firstLine())
	}
	return e.line
}

// value writes the value after a key or a dash.
func (p *printer) value(e *entry, start string, indent int) {
	v := e.value
	switch v.kind {
	case null:
		p.write(start)
	case literal:
		p.literal(v, start, indent+indentation)
	case scalar:
		p.scalar(v, start, indent+indentation)
	case mapping, list:
		if text, ok := p.inBrackets(v, utf8.RuneCountInString(start)+1); ok {
			p.write(start + " " + text)
			return
		}
		if e.key == nil { // the first entry is on the line of the dash
			p.block(v, indent+indentation, start+" ")
			return
		}
		p.write(start)
		p.head = true
		p.block(v, indent+indentation, "")
	}
}

// write adds a line.
func (p *printer) write(line string) {
	p.out = append(p.out, line)
	p.open, p.head = true, false
}

// blank adds an empty line, except at the beginning of the file or of a block.
func (p *printer) blank() {
	if len(p.out) > 0 && !p.head && p.out[len(p.out)-1] != "" {
		p.out = append(p.out, "")
		p.open = false
	}
}

func (p *printer) blankAbove(line int) {
	if p.isBlank(line-1) && line > p.below {
		p.blank()
	}
}

func (p *printer) takeComment() string {
	c := p.pending[0]
	p.pending = p.pending[1:]
	return c.Text
}

// flush writes the comments above a line: at the end of the last line if they are trailing
// comments, else on separate lines.
func (p *printer) flush(line int, levels []level) {
	for len(p.pending) > 0 && int(p.pending[0].Line) < line {
		c := p.pending[0]
		if !c.Alone && p.open && len(p.out) > 0 {
			p.out[len(p.out)-1] += " " + p.takeComment()
			p.open = false
			continue
		}
		p.blankAbove(int(c.Line))
		p.write(strings.Repeat(" ", p.indentOf(c, levels)) + p.takeComment())
		p.open = false
	}
}

// indentOf returns the indentation of a comment between two entries: that of an ending block
// that begins in its column, else that of the entry below.
func (p *printer) indentOf(c yaml.Comment, levels []level) int {
	indent, inner := 0, p.last
	if n := len(levels); n > 0 {
		indent = levels[n-1].indent
		inner = p.last[min(n-1, len(p.last)):]
	}
	for _, l := range inner {
		if l.column == int(c.Column) {
			return l.indent
		}
	}
	return indent
}
