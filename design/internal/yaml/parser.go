package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A parser parses a text. A syntax error moves it to the end of the text, so that all open
// nodes end.
type parser struct {
	doc       *Document
	src       string
	pos       int
	line      int // index of the current line
	lineStart int
	indent    int // spaces at the start of the current line
	first     int // offset of its first word
	depth     int

	columnAt, column int // an offset of the current line and its column, to count on from

	problems []Problem
	stopped  bool

	text  textBuilder
	open  []Entry // entries of mappings and lists that are not complete
	nodes []Node  // to be handed out
	slab  []Entry // to be handed out
}

func newParser(d *Document) *parser {
	p := &parser{doc: d, src: d.text, column: 1}
	p.nodes = make([]Node, 0, len(p.src)/16+1)
	p.slab = make([]Entry, 0, len(p.src)/24+1)
	return p
}

// at returns a byte of the text, 0 after its end.
func (p *parser) at(i int) byte {
	if i < len(p.src) {
		return p.src[i]
	}
	return 0
}

func (p *parser) peek() byte { return p.at(p.pos) }

func (p *parser) atEnd() bool { return p.pos >= len(p.src) }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// endsWord reports whether a byte is a space, a line end or the end of the text.
func endsWord(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == 0 }

// isFlowSign reports whether a byte ends a plain text inside brackets.
func isFlowSign(c byte) bool { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}' }

// columnOf returns the column of an offset in the current line. It continues from its last
// result, so that long lines take linear time.
func (p *parser) columnOf(offset int) int {
	if p.doc.ascii {
		return offset - p.lineStart + 1
	}
	if offset < p.columnAt {
		p.columnAt, p.column = p.lineStart, 1
	}
	p.column += utf8.RuneCountInString(p.src[p.columnAt:offset])
	p.columnAt = offset
	return p.column
}

// endOfLine returns the column after a line.
func (p *parser) endOfLine(line int) int {
	text := p.doc.Line(line)
	if p.doc.ascii {
		return len(text) + 1
	}
	return utf8.RuneCountInString(text) + 1
}

// blanks skips spaces and tabs.
func (p *parser) blanks() {
	for isBlank(p.peek()) {
		p.pos++
	}
}

// breaks moves from a line end to the first word of the next line that has one, and
// counts the line ends on the way.
func (p *parser) breaks() int {
	count := 0
	for p.peek() == '\n' {
		count++
		p.nextLine()
		p.measure()
	}
	return count
}

func (p *parser) nextLine() {
	p.pos++
	p.line++
	p.lineStart = p.pos
	p.columnAt, p.column = p.pos, 1
}

// measure records the indentation of a line and skips it.
func (p *parser) measure() {
	i := p.pos
	for p.at(i) == ' ' {
		i++
	}
	p.indent = i - p.lineStart
	p.pos = i
	p.blanks()
	p.first = p.pos
}

// skip skips spaces, comments and line ends up to the next word.
func (p *parser) skip() {
	for {
		switch c := p.peek(); {
		case c == ' ' || c == '\t':
			p.pos++
		case c == '\n':
			p.breaks()
		case c == '#' && (p.pos == p.lineStart || isBlank(p.src[p.pos-1])):
			p.comment()
		default:
			return
		}
	}
}

func (p *parser) comment() {
	start := p.pos
	p.pos = p.lineEnd()
	p.doc.Comments = append(p.doc.Comments, Comment{
		Text: strings.TrimRight(p.src[start:p.pos], " \t"),
		Line: int32(p.line + 1), Column: int32(p.columnOf(start)),
		Alone: strings.TrimLeft(p.src[p.lineStart:start], " \t") == "",
	})
}

// lineEnd returns the offset of the current line's end.
func (p *parser) lineEnd() int {
	if p.line+1 < len(p.doc.starts) {
		return int(p.doc.starts[p.line+1]) - 1
	}
	return len(p.src)
}

// isMark reports whether the line begins with --- or ..., which no value can.
func (p *parser) isMark() bool {
	if p.pos != p.lineStart || !endsWord(p.at(p.pos+3)) {
		return false
	}
	rest := p.src[p.pos:]
	return strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "...")
}

// isSign reports whether the character is an indicator, such as the dash of a list: a space or
// line end follows.
func (p *parser) isSign(c byte) bool { return p.peek() == c && endsWord(p.at(p.pos+1)) }

// problem reports a problem with the characters from start to end on the current line.
func (p *parser) problem(kind ProblemKind, start, end int, format string, args ...any) {
	if p.stopped {
		return
	}
	column := p.columnOf(start)
	p.report(Problem{Kind: kind, Line: p.line + 1, Column: column, EndColumn: max(column+1, p.columnOf(max(start, end))), Message: fmt.Sprintf(format, args...)})
}

func (p *parser) report(problem Problem) {
	if p.stopped {
		return
	}
	p.problems = append(p.problems, problem)
	if problem.Kind == Syntax || problem.Kind == TooLarge || len(p.problems) == maxProblems {
		p.stop()
	}
}

// fail reports a syntax error at a node.
func (p *parser) fail(n *Node, format string, args ...any) {
	p.report(Problem{Line: int(n.Line), Column: int(n.Column), EndColumn: int(n.EndColumn), Message: fmt.Sprintf(format, args...)})
}

// stop ends parsing: the parser moves to the end of the text.
func (p *parser) stop() {
	p.stopped = true
	p.line = len(p.doc.starts) - 1
	p.lineStart = int(p.doc.starts[p.line])
	p.pos, p.indent = len(p.src), 0
	p.columnAt, p.column = p.lineStart, 1
}

const tabMessage = "a tab: YAML takes only spaces here"

// tabbed reports a tab in the indentation of the current word, which is the first of
// its line.
func (p *parser) tabbed() bool {
	tab := p.lineStart + p.indent
	if p.pos == tab {
		return false
	}
	p.problem(Syntax, tab, tab+1, tabMessage)
	return true
}

// node returns a new node that begins at an offset of the current line.
func (p *parser) node(kind Kind, style Style, start, parent int) *Node {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = make([]Node, 0, 1024)
	}
	p.nodes = p.nodes[:len(p.nodes)+1]
	n := &p.nodes[len(p.nodes)-1]
	line, column := int32(p.line+1), int32(p.columnOf(start))
	*n = Node{Kind: kind, Style: style, Line: line, Column: column, EndColumn: column + 1, Last: line, start: int32(start), parent: int32(parent)}
	return n
}

// A place is a range of one line.
type place struct{ line, column, end int32 }

func (n *Node) place() place { return place{n.Line, n.Column, n.EndColumn} }

// place returns the place of one character of the current line.
func (p *parser) place(offset int) place {
	column := int32(p.columnOf(offset))
	return place{int32(p.line + 1), column, column + 1}
}

// missing returns a missing value at the place of its owner.
func (p *parser) missing(at place) *Node {
	n := p.node(Missing, Plain, p.pos, 0)
	n.Line, n.Column, n.EndColumn, n.Last = at.line, at.column, at.end, at.line
	return n
}

// enter begins a mapping or list; it returns false if the nesting is too deep.
func (p *parser) enter(n *Node) bool {
	p.depth++
	if p.depth > MaxDepth {
		p.report(Problem{Kind: TooLarge, Line: int(n.Line), Column: int(n.Column), EndColumn: int(n.EndColumn),
			Message: fmt.Sprintf("blocks are more than %d levels deep here", MaxDepth)})
	}
	return !p.stopped
}

// leave completes a mapping or list with the entries since base.
func (p *parser) leave(n *Node, base int) {
	p.depth--
	entries := p.open[base:]
	if len(entries) > cap(p.slab)-len(p.slab) {
		p.slab = make([]Entry, 0, max(1024, len(entries)))
	}
	start := len(p.slab)
	p.slab = append(p.slab, entries...)
	n.Entries = p.slab[start:len(p.slab):len(p.slab)]
	p.open = p.open[:base]
	for _, e := range n.Entries {
		n.Last = max(n.Last, e.Line, e.Value.Last)
	}
}
