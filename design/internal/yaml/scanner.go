package yaml

import (
	"strings"
	"unicode/utf8"
)

// A scanner moves through a text. It tracks the line, the column and the indentation, collects
// comments and reports problems.
type scanner struct {
	doc       *Document
	src       string
	pos       int
	line      int // index of the current line
	lineStart int
	indent    int // spaces at the start of the current line
	first     int // offset of its first word

	columnAt, column int // an offset of the current line and its column, to count on from

	problems []Problem
	stopped  bool
}

// newScanner returns a scanner at an offset of a line, whose index is line.
func newScanner(d *Document, line, offset int) *scanner {
	start := int(d.starts[line])
	return &scanner{doc: d, src: d.text, pos: offset, line: line, lineStart: start, columnAt: start, column: 1}
}

// at returns a byte of the text, 0 after its end.
func (s *scanner) at(i int) byte {
	if i < len(s.src) {
		return s.src[i]
	}
	return 0
}

func (s *scanner) peek() byte { return s.at(s.pos) }

func (s *scanner) atEnd() bool { return s.pos >= len(s.src) }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// endsWord reports whether a byte is a space, a line end or the end of the text.
func endsWord(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == 0 }

// isFlowSign reports whether a byte ends a plain text inside brackets.
func isFlowSign(c byte) bool { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}' }

// columnOf returns the column of an offset in the current line. It continues from its last
// result, so that long lines take linear time.
func (s *scanner) columnOf(offset int) int {
	if s.doc.ascii {
		return offset - s.lineStart + 1
	}
	if offset < s.columnAt {
		s.columnAt, s.column = s.lineStart, 1
	}
	s.column += utf8.RuneCountInString(s.src[s.columnAt:offset])
	s.columnAt = offset
	return s.column
}

// endOfLine returns the column after a line.
func (s *scanner) endOfLine(line int) int {
	text := s.doc.Line(line)
	if s.doc.ascii {
		return len(text) + 1
	}
	return utf8.RuneCountInString(text) + 1
}

// blanks skips spaces and tabs.
func (s *scanner) blanks() {
	for isBlank(s.peek()) {
		s.pos++
	}
}

// breaks moves from a line end to the first word of the next line that has one, and
// counts the line ends on the way.
func (s *scanner) breaks() int {
	count := 0
	for s.peek() == '\n' {
		count++
		s.nextLine()
		s.measure()
	}
	return count
}

func (s *scanner) nextLine() {
	s.pos++
	s.line++
	s.lineStart = s.pos
	s.columnAt, s.column = s.pos, 1
}

// measure records the indentation of a line and skips it.
func (s *scanner) measure() {
	i := s.pos
	for s.at(i) == ' ' {
		i++
	}
	s.indent = i - s.lineStart
	s.pos = i
	s.blanks()
	s.first = s.pos
}

// skip skips spaces, comments and line ends up to the next word.
func (s *scanner) skip() {
	for {
		switch c := s.peek(); {
		case c == ' ' || c == '\t':
			s.pos++
		case c == '\n':
			s.breaks()
		case c == '#' && (s.pos == s.lineStart || isBlank(s.src[s.pos-1])):
			s.comment()
		default:
			return
		}
	}
}

func (s *scanner) comment() {
	start := s.pos
	s.pos = s.lineEnd()
	s.doc.Comments = append(s.doc.Comments, Comment{
		Text: strings.TrimRight(s.src[start:s.pos], " \t"),
		Line: int32(s.line + 1), Column: int32(s.columnOf(start)),
		Alone: strings.TrimLeft(s.src[s.lineStart:start], " \t") == "",
	})
}

// lineEnd returns the offset of the current line's end.
func (s *scanner) lineEnd() int {
	if s.line+1 < len(s.doc.starts) {
		return int(s.doc.starts[s.line+1]) - 1
	}
	return len(s.src)
}

// isMark reports whether the line begins with --- or ..., which no value can.
func (s *scanner) isMark() bool {
	if s.pos != s.lineStart || !endsWord(s.at(s.pos+3)) {
		return false
	}
	rest := s.src[s.pos:]
	return strings.HasPrefix(rest, "---") || strings.HasPrefix(rest, "...")
}

// isSign reports whether the character is an indicator, such as the dash of a list: a space or
// line end follows.
func (s *scanner) isSign(c byte) bool { return s.peek() == c && endsWord(s.at(s.pos+1)) }

// wordEnd returns the offset of the end of the current word.
func (s *scanner) wordEnd() int {
	i := s.pos
	for !endsWord(s.at(i)) && !(s.at(i) == ':' && endsWord(s.at(i+1))) {
		i++
	}
	return i
}

// A place is a range of one line.
type place struct{ line, column, end int32 }

func (n *Node) place() place { return place{n.Line, n.Column, n.EndColumn} }

// place returns the place of one character of the current line.
func (s *scanner) place(offset int) place {
	column := int32(s.columnOf(offset))
	return place{int32(s.line + 1), column, column + 1}
}
