package yaml

import "strings"

// A blockText is a block scalar, after | or >.
type blockText struct {
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
func (p *parser) blockText(parent int) *Node {
	start := p.pos
	n := p.node(Scalar, Literal, start, parent)
	b := &blockText{folded: p.peek() == '>'}
	if b.folded {
		n.Style = Folded
	}
	if !p.blockHeader(n, b) {
		return n
	}
	n.Raw = strings.TrimRight(p.src[start:p.pos], " \t")
	p.blanks()
	if p.peek() == '#' {
		p.comment()
	}
	b.end = p.pos
	p.text.reset()
	for p.peek() == '\n' {
		p.nextLine()
		if !p.blockLine(n, b) {
			break
		}
	}
	if p.stopped {
		return n
	}
	if b.hasBreak && b.chomp != '-' {
		p.text.put('\n', b.end)
	}
	if b.chomp == '+' {
		p.blankLines(b)
	}
	n.Text = p.text.String()
	p.skip()
	return n
}

// blockHeader parses | or > and the rest of its line.
func (p *parser) blockHeader(n *Node, b *blockText) bool {
	for p.pos++; ; p.pos++ {
		c := p.peek()
		switch {
		case (c == '-' || c == '+') && b.chomp == 0:
			b.chomp = c
			continue
		case c >= '1' && c <= '9' && !b.known:
			if n.parent < 0 {
				p.problem(Syntax, p.pos, p.pos+1, "a text block that is the whole file has no indentation to count from")
				return false
			}
			b.indent, b.known = int(n.parent)+int(c-'0'), true
			continue
		}
		break
	}
	n.EndColumn, n.end = int32(p.columnOf(p.pos)), int32(p.pos)
	rest := strings.TrimLeft(p.src[p.pos:p.lineEnd()], " \t")
	if rest == "" || rest[0] == '#' && isBlank(p.peek()) {
		return true
	}
	p.problem(Syntax, p.pos, p.lineEnd(), "after | or > nothing may follow on the line: put text that begins with them in quotes")
	return false
}

// blockLine parses one line of a block scalar; it returns false if the block ended before it,
// and then the parser is at the line's first word.
func (p *parser) blockLine(n *Node, b *blockText) bool {
	p.measure()
	end := p.lineEnd()
	blank := p.lineStart+p.indent == end
	switch {
	case blank && (!b.known || p.indent <= b.indent):
		b.deepest = max(b.deepest, p.indent)
		if p.pos < len(p.src) {
			b.blanks++
		}
		return true
	case !b.known && p.indent <= max(0, int(n.parent)):
		return p.endsBlock()
	case !b.known && p.tabbed():
		return false
	case !b.known && b.deepest > p.indent:
		p.fail(n, "the blank lines at the start of this text block have more spaces than its first line")
		return false
	case !b.known:
		b.indent, b.known = p.indent, true
	case p.indent < b.indent:
		return p.endsBlock()
	}
	p.addLine(b, p.lineStart+b.indent, end)
	n.Last = int32(p.line + 1)
	p.pos = end
	return true
}

// endsBlock reports whether a line is not indented enough to belong to a block scalar. A tab
// must not be the reason.
func (p *parser) endsBlock() bool {
	if p.pos != p.lineStart+p.indent {
		p.tabbed()
	}
	return false
}

// addLine adds a line to the text.
func (p *parser) addLine(b *blockText, start, end int) {
	spaced := isBlank(p.at(start))
	switch {
	case !b.hasBreak:
	case b.folded && !b.spaced && !spaced:
		if b.blanks == 0 {
			p.text.put(' ', b.end)
		}
	default:
		p.text.put('\n', b.end)
	}
	p.blankLines(b)
	p.text.add(p.src, start, end)
	b.hasBreak = end < len(p.src)
	b.spaced, b.end = spaced, end
}

func (p *parser) blankLines(b *blockText) {
	for range b.blanks {
		p.text.put('\n', b.end)
	}
	b.blanks = 0
}
