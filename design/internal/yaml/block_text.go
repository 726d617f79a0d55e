package yaml

import "strings"

// A blockText parses a block scalar, after | or >.
type blockText struct {
	scan *scanner
	text *textBuilder
	node *Node

	folded   bool
	chomp    byte // '-' drops all line ends at the end, '+' keeps all, 0 keeps one
	indent   int  // spaces before its lines
	known    bool // the indentation
	deepest  int  // spaces of the blank lines before the first line
	blanks   int  // blank lines since the last line
	hasBreak bool // the last line has an end
	spaced   bool // the last line begins with a space or tab
	end      int  // of the last line or the header: there line ends come from
}

// blockText parses the header and the lines of a block scalar.
func (p *scalarParser) blockText(parent int) *Node {
	start := p.pos
	n := p.tree.node(Scalar, Literal, start, parent)
	b := &blockText{scan: p.scanner, text: &p.text, node: n, folded: p.peek() == '>'}
	if b.folded {
		n.Style = Folded
	}
	if !b.header() {
		return n
	}
	n.Raw = strings.TrimRight(p.src[start:p.pos], " \t")
	p.blanks()
	if p.peek() == '#' {
		p.comment()
	}
	p.text.reset()
	b.lines()
	if p.stopped {
		return n
	}
	n.Text = p.text.String()
	p.skip()
	return n
}

// header parses | or > and the rest of its line.
func (b *blockText) header() bool {
	s, n := b.scan, b.node
	for s.pos++; ; s.pos++ {
		c := s.peek()
		switch {
		case (c == '-' || c == '+') && b.chomp == 0:
			b.chomp = c
			continue
		case c >= '1' && c <= '9' && !b.known:
			if n.parent < 0 {
				s.problem(Syntax, s.pos, s.pos+1, "a text block that is the whole file has no indentation to count from")
				return false
			}
			b.indent, b.known = int(n.parent)+int(c-'0'), true
			continue
		}
		break
	}
	n.EndColumn, n.end = int32(s.columnOf(s.pos)), int32(s.pos)
	rest := strings.TrimLeft(s.src[s.pos:s.lineEnd()], " \t")
	if rest == "" || rest[0] == '#' && isBlank(s.peek()) {
		return true
	}
	s.problem(Syntax, s.pos, s.lineEnd(), "after | or > nothing may follow on the line: put text that begins with them in quotes")
	return false
}

// lines parses the lines after the header and adds the line ends that the text keeps.
func (b *blockText) lines() {
	b.end = b.scan.pos
	for b.scan.peek() == '\n' {
		b.scan.nextLine()
		if !b.line() {
			break
		}
	}
	if b.hasBreak && b.chomp != '-' {
		b.text.put('\n', b.end)
	}
	if b.chomp == '+' {
		b.addBlankLines()
	}
}

// line parses one line; it returns false if the block ended before it, and then the scanner is
// at the line's first word.
func (b *blockText) line() bool {
	s := b.scan
	s.measure()
	end := s.lineEnd()
	blank := s.lineStart+s.indent == end
	switch {
	case blank && (!b.known || s.indent <= b.indent):
		b.deepest = max(b.deepest, s.indent)
		if s.pos < len(s.src) {
			b.blanks++
		}
		return true
	case !b.known && s.indent <= max(0, int(b.node.parent)):
		return b.ends()
	case !b.known && s.tabbed():
		return false
	case !b.known && b.deepest > s.indent:
		s.fail(b.node, "the blank lines at the start of this text block have more spaces than its first line")
		return false
	case !b.known:
		b.indent, b.known = s.indent, true
	case s.indent < b.indent:
		return b.ends()
	}
	b.addLine(s.lineStart+b.indent, end)
	b.node.Last = int32(s.line + 1)
	s.pos = end
	return true
}

// ends ends the block before a line that is not indented enough to belong to it, and returns
// false. A tab must not be the reason.
func (b *blockText) ends() bool {
	if b.scan.pos != b.scan.lineStart+b.scan.indent {
		b.scan.tabbed()
	}
	return false
}

// addLine adds a line to the text.
func (b *blockText) addLine(start, end int) {
	spaced := isBlank(b.scan.at(start))
	switch {
	case !b.hasBreak:
	case b.folded && !b.spaced && !spaced:
		if b.blanks == 0 {
			b.text.put(' ', b.end)
		}
	default:
		b.text.put('\n', b.end)
	}
	b.addBlankLines()
	b.text.add(b.scan.src, start, end)
	b.hasBreak = end < len(b.scan.src)
	b.spaced, b.end = spaced, end
}

func (b *blockText) addBlankLines() {
	for range b.blanks {
		b.text.put('\n', b.end)
	}
	b.blanks = 0
}
