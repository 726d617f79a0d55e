package yaml

import "fmt"

// A scalarParser parses the texts of a document: plain, in quotes and in text blocks.
type scalarParser struct {
	*scanner
	tree *treeBuilder
	text textBuilder
}

// isKey reports whether a node can be a key, and reports a problem if it cannot.
func (p *scalarParser) isKey(n *Node) bool {
	switch {
	case n.Kind != Scalar:
		p.fail(n, "a key is a single text, not something in brackets")
	case n.Line != n.Last:
		p.fail(n, "a key and its colon stand on one line")
	case n.Style == Plain && n.Text == "<<":
		p.report(Problem{Kind: Refused, Line: int(n.Line), Column: int(n.Column), EndColumn: int(n.EndColumn),
			Message: "<< merges another mapping, which designs do not use; write its keys out"})
		n.Refused = true
		return !p.stopped
	default:
		return true
	}
	return false
}

// beginsPlain reports whether a plain text may begin here, and reports a problem if it may
// not.
func (p *scalarParser) beginsPlain(inFlow bool) bool {
	say := func(format string, args ...any) bool {
		p.problem(Syntax, p.pos, p.pos+1, format, args...)
		return false
	}
	switch c := p.peek(); c {
	case '-', '?', ':':
		if next := p.at(p.pos + 1); !endsWord(next) && !(inFlow && isFlowSign(next)) {
			return true
		}
		return p.badSign(c)
	case ',':
		return say("a comma begins no text: put it in quotes")
	case ']', '}':
		return say("%c closes nothing", c)
	case '#':
		return say("a comment needs a space before its #")
	case '|', '>':
		return say("a text block cannot stand in brackets: put text that begins with %c in quotes", c)
	case '@', '`':
		return say("@ and ` begin no text: put it in quotes")
	case '%':
		p.refuse("% begins a directive, which designs do not use; put text that begins with % in quotes")
		p.stop()
		return false
	case '*':
		p.refuse("* begins an alias, which designs do not use; put text that begins with * in quotes")
	}
	return !p.stopped
}

// badSign reports an indicator in place of a text.
func (p *scalarParser) badSign(c byte) bool {
	switch c {
	case '?':
		p.refuse(longKeyMessage)
		p.stop()
	case ':':
		p.problem(Syntax, p.pos, p.pos+1, "a key is missing before the colon")
	default:
		p.problem(Syntax, p.pos, p.pos+1, "a - alone is no text: put it in quotes; inside brackets commas divide a list")
	}
	return false
}

// plainLine parses the first line of a plain text.
func (p *scalarParser) plainLine(parent int) *Node {
	start := p.pos
	n := p.tree.node(Scalar, Plain, start, parent)
	n.Refused = p.peek() == '*'
	p.pos = p.plainEnd(false)
	p.complete(n, start)
	return n
}

// complete ends a scalar that stands as it is written on one line.
func (p *scalarParser) complete(n *Node, start int) {
	n.Raw = p.src[start:p.pos]
	n.Text = n.Raw
	n.EndColumn = int32(p.columnOf(p.pos))
	n.end = int32(p.pos)
}

// What a byte may be inside a plain text.
const (
	plainAlways = 1 << iota // never its end
	plainBlank
)

var plainBytes = func() (table [256]uint8) {
	for c := range table {
		switch c {
		case ' ', '\t':
			table[c] = plainBlank
		case 0, '\n', ':', '#', ',', '[', ']', '{', '}':
		default:
			table[c] = plainAlways
		}
	}
	return table
}()

// plainEnd returns the offset of the end of the current plain text on this line, without
// trailing blanks.
func (p *scalarParser) plainEnd(inFlow bool) int {
	src, end := p.src, p.pos
	for i := p.pos; i < len(src); i++ {
		c := src[i]
		switch plainBytes[c] {
		case plainAlways:
			end = i + 1
			continue
		case plainBlank:
			continue
		}
		switch {
		case c == '\n' || c == 0:
			return end
		case c == ':':
			if next := p.at(i + 1); endsWord(next) || inFlow && isFlowSign(next) {
				return end
			}
		case c == '#':
			if i != end {
				return end
			}
		case inFlow:
			return end
		}
		end = i + 1
	}
	return end
}

// plain parses a plain text outside brackets, which continues on every deeper line. If a colon
// follows on its first line, it ends there.
func (p *scalarParser) plain(parent int) *Node {
	n := p.plainLine(parent)
	p.blanks()
	if p.peek() != '\n' {
		return n
	}
	p.goesOn(n, false)
	return n
}

// goesOn adds the lines below to a plain text; the parser is at the end of its first.
func (p *scalarParser) goesOn(n *Node, inFlow bool) {
	end := int(n.start) + len(n.Raw)
	first := true
	for p.peek() == '\n' {
		breaks := p.breaks()
		if p.atEnd() || p.indent <= int(n.parent) || p.peek() == '#' || p.isMark() || inFlow && isFlowSign(p.peek()) {
			break
		}
		if p.isSign(':') || inFlow && p.peek() == ':' && isFlowSign(p.at(p.pos+1)) {
			p.fail(n, "this goes on in line %d with a colon: a key and its colon stand on one line", p.line+1)
			return
		}
		if first {
			p.text.reset()
			p.text.add(p.src, int(n.start), end)
			first = false
		}
		p.text.fold(breaks, p.pos)
		start := p.pos
		end = p.plainEnd(inFlow)
		p.text.add(p.src, start, end)
		p.pos = end
		n.Last = int32(p.line + 1)
		p.blanks()
		if p.peek() == ':' {
			p.fail(n, "this goes on in the next line, where a colon follows: the indentation is wrong, a colon is missing, or quotes are")
			return
		}
	}
	if first {
		return
	}
	n.Text, n.Raw, n.end = p.text.String(), p.src[n.start:end], int32(end)
}

// quoted reads a text in single or double quotes.
func (p *scalarParser) quoted(parent int) *Node {
	quote, start := p.src[p.pos], p.pos
	style := Single
	if quote == '"' {
		style = Double
	}
	n := p.tree.node(Scalar, style, start, parent)
	for i := start + 1; !p.text.tracing; i++ {
		c := p.at(i)
		if c == quote && (quote == '"' || p.at(i+1) != quote) {
			p.pos = i + 1
			p.complete(n, start)
			n.Text = n.Raw[1 : len(n.Raw)-1]
			return n
		}
		if c == quote || c == '\n' || c == 0 || c == '\\' && quote == '"' {
			break
		}
	}
	p.pos++
	p.text.reset()
	p.quotedRest(n, quote)
	if p.stopped {
		return n
	}
	n.Text, n.Raw = p.text.String(), p.src[start:p.pos]
	p.tree.finish(n)
	return n
}

// quotedRest reads the inside of quotes with everything that may be there.
func (p *scalarParser) quotedRest(n *Node, quote byte) {
	solid := 0 // how much of the text stays if the line ends here
	for {
		c := p.peek()
		switch {
		case c == quote && quote == '\'' && p.at(p.pos+1) == quote:
			p.text.add(p.src, p.pos, p.pos+1)
			p.pos += 2
			solid = p.text.len()
			continue
		case c == quote:
			p.pos++
			return
		case c == 0:
			p.openQuote(n, "the text begins with %c and never ends", quote)
			return
		case c == '\n':
			p.text.truncate(solid)
			if !p.foldQuoted(n, quote, false) {
				return
			}
			solid = p.text.len()
			continue
		case c == '\\' && quote == '"':
			if !p.escape(n) {
				return
			}
			solid = p.text.len()
			continue
		}
		p.text.add(p.src, p.pos, p.pos+1)
		p.pos++
		if !isBlank(c) {
			solid = p.text.len()
		}
	}
}

// openQuote reports quotes that are not closed, with all that follows them on their line.
func (p *scalarParser) openQuote(n *Node, format string, args ...any) {
	n.EndColumn = int32(p.endOfLine(int(n.Line)))
	p.fail(n, "%s", fmt.Sprintf(format, args...))
}

// foldQuoted moves to the next line of a text in quotes. An escaped line end leaves no
// space.
func (p *scalarParser) foldQuoted(n *Node, quote byte, escaped bool) bool {
	breaks := p.breaks()
	switch {
	case p.atEnd():
		p.openQuote(n, "the text begins with %c and never ends", quote)
		return false
	case p.indent <= int(n.parent) || p.isMark():
		if p.pos != p.lineStart+p.indent && !p.isMark() {
			return !p.tabbed()
		}
		p.openQuote(n, "the text that begins with %c here is still open in line %d, which is not indented under it: is its closing quote missing?", quote, p.line+1)
		return false
	case escaped:
		for range breaks - 1 {
			p.text.put('\n', p.pos)
		}
	default:
		p.text.fold(breaks, p.pos)
	}
	return true
}
