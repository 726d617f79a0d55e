package yaml

import "strings"

// blockNode parses the current node, which is the first word of its line or follows a dash.
// All functions that parse blocks end at the first word of another line.
func (p *parser) blockNode(parent int) *Node {
	indent := p.pos - p.lineStart
	if c := p.peek(); c == '&' || c == '!' {
		return p.tagged(parent, indent)
	}
	switch {
	case p.isSign('-'):
		return p.blockList(indent)
	case p.isSign('?'):
		p.refuse(longKeyMessage)
		p.stop()
	}
	return p.content(parent, indent)
}

// tagged parses a node after anchors and tags, which are rejected. A key after them belongs to
// a block that begins with them.
func (p *parser) tagged(parent, indent int) *Node {
	line, at := p.line, p.place(p.pos)
	p.properties()
	var n *Node
	switch {
	case p.line == line && !p.atEnd():
		n = p.content(parent, indent)
	case p.atEnd() || p.isMark() || p.indent <= parent || p.tabbed():
	default:
		n = p.blockNode(parent)
	}
	if n == nil {
		n = p.tree.missing(at)
	}
	n.Refused = true
	return n
}

// properties skips the anchors and tags of a line.
func (p *parser) properties() {
	for line := p.line; p.line == line && !p.stopped; p.skip() {
		switch p.peek() {
		case '&':
			p.refuse("& begins an anchor, which designs do not use; put text that begins with & in quotes")
		case '!':
			p.refuse("! begins a tag, which designs do not use; put text that begins with ! in quotes")
		default:
			return
		}
		for !endsWord(p.peek()) {
			p.pos++
		}
	}
}

// valueOf parses the value after the colon of a key or the dash of a list.
func (p *parser) valueOf(owner place, indent int, isKey bool) *Node {
	line, after := p.line, p.pos
	p.skip()
	refused := false
	if c := p.peek(); p.line == line && (c == '&' || c == '!') {
		p.properties()
		refused = true
	}
	var n *Node
	switch {
	case p.atEnd():
	case p.line == line:
		n = p.beside(indent, after, isKey)
	case p.isMark():
	case p.indent > indent:
		if !p.tabbed() {
			n = p.blockNode(indent)
		}
	case isKey && p.indent == indent && p.isSign('-') && !p.tabbed():
		n = p.blockList(indent)
	}
	if n == nil {
		n = p.tree.missing(owner)
	}
	n.Refused = n.Refused || refused
	return n
}

// beside parses a value on the line of its key or dash.
func (p *parser) beside(indent, after int, isKey bool) *Node {
	switch {
	case !isKey:
		if tab := strings.IndexByte(p.src[after:p.pos], '\t'); tab >= 0 {
			p.problem(Syntax, after+tab, after+tab+1, tabMessage)
			return nil
		}
		return p.blockNode(indent)
	case p.isSign('-'):
		p.problem(Syntax, p.pos, p.pos+1, "a list begins on a line of its own: put - under the key")
		return nil
	case p.isSign('?'):
		p.refuse(longKeyMessage)
		p.stop()
		return nil
	}
	return p.content(indent, noBlock)
}

// noBlock is the indentation at which no mapping can begin.
const noBlock = -1

// content parses a text or brackets, and the whole mapping if it is its first key.
func (p *parser) content(parent, indent int) *Node {
	var n *Node
	switch p.peek() {
	case '|', '>':
		return p.scalars.blockText(parent)
	case '{', '[':
		n = p.flow.brackets(parent)
		if unquoted := p.flow.unquotedText(n); unquoted != nil {
			n = unquoted
		}
	case '"', '\'':
		n = p.scalars.quoted(parent)
	default:
		if !p.scalars.beginsPlain(false) {
			return nil
		}
		n = p.scalars.plain(parent)
	}
	if p.stopped {
		return n
	}
	if p.line+1 == int(n.Last) {
		p.blanks()
		if p.isSign(':') {
			return p.key(n, indent)
		}
	}
	p.skip()
	if p.line+1 == int(n.Last) && !p.atEnd() {
		p.afterValue(n)
	}
	return n
}

// afterValue reports text after a value on its line.
func (p *parser) afterValue(n *Node) {
	switch {
	case p.peek() == '#':
		p.problem(Syntax, p.pos, p.pos+1, "a comment needs a space before its #")
	case p.peek() == ']' || p.peek() == '}':
		p.problem(Syntax, p.pos, p.pos+1, "%c closes nothing", p.peek())
	case p.peek() == ':':
		p.problem(Syntax, p.pos, p.pos+1, "a space is missing after the colon")
	case n.Kind == Scalar:
		p.problem(Syntax, p.pos, p.wordEnd(), "the text in quotes ended before this: put all of it in quotes")
	default:
		p.problem(Syntax, p.pos, p.wordEnd(), "the brackets closed before this: nothing may follow them")
	}
}

// key parses a mapping whose first key was parsed; the parser is at its colon.
func (p *parser) key(n *Node, indent int) *Node {
	switch {
	case indent == noBlock && n.Line == n.Last:
		n.EndColumn = int32(p.columnOf(p.pos)) + 1
		p.fail(n, "a second colon on one line: put the text after the first one in quotes")
	case !p.scalars.isKey(n):
	default:
		return p.blockMapping(n, indent)
	}
	return n
}

// blockMapping parses a block mapping. The parser is at the colon of its first key.
func (p *parser) blockMapping(key *Node, indent int) *Node {
	m := p.tree.node(Mapping, Block, p.pos, indent)
	m.Line, m.Column, m.EndColumn, m.Last = key.Line, key.Column, key.EndColumn, key.Last
	base, ok := p.tree.enter(key)
	if !ok {
		return m
	}
	for key != nil {
		p.pos++
		e := Entry{Key: key, Line: key.Line, Column: key.Column}
		e.Value = p.valueOf(key.place(), indent, true)
		p.tree.add(e)
		key = p.nextKey(indent)
	}
	p.tree.leave(m, base)
	return m
}

// nextKey parses the next key of a mapping; nil if the mapping ends before it.
func (p *parser) nextKey(indent int) *Node {
	switch {
	case p.atEnd() || p.isMark() || p.indent < indent || p.tabbed():
		return nil
	case p.indent > indent:
		p.nothing()
		return nil
	case p.isSign('-'):
		p.problem(Syntax, p.pos, p.pos+1, "a list entry among keys: the indentation is wrong, or the key of the list is missing")
		return nil
	case p.isSign('?'):
		p.refuse(longKeyMessage)
		p.stop()
		return nil
	}
	line, at := p.line, p.place(p.pos)
	refused := p.peek() == '&' || p.peek() == '!'
	if refused {
		p.properties()
	}
	if p.stopped || p.line != line || p.atEnd() {
		p.report(Problem{Line: int(at.line), Column: int(at.column), EndColumn: int(at.end), Message: "a key is missing after this"})
		return nil
	}
	n := p.keyText(indent)
	if n == nil || p.stopped {
		return nil
	}
	p.blanks()
	if !p.isSign(':') || p.line != line {
		p.fail(n, "a colon is missing: a key is followed by a colon and a space")
		return nil
	}
	if !p.scalars.isKey(n) {
		return nil
	}
	n.Refused = n.Refused || refused
	return n
}

// keyText parses the text of a key.
func (p *parser) keyText(indent int) *Node {
	switch p.peek() {
	case '"', '\'':
		return p.scalars.quoted(indent)
	case '{', '[':
		return p.flow.brackets(indent)
	case '|', '>':
		p.problem(Syntax, p.pos, p.pos+1, nothingMessage)
		return nil
	}
	if !p.scalars.beginsPlain(false) {
		return nil
	}
	return p.scalars.plainLine(indent)
}

// blockList parses a block list. The parser is at its first dash.
func (p *parser) blockList(indent int) *Node {
	l := p.tree.node(List, Block, p.pos, indent)
	base, ok := p.tree.enter(l)
	if !ok {
		return l
	}
	for !p.stopped {
		dash := p.place(p.pos)
		p.pos++
		e := Entry{Line: dash.line, Column: dash.column}
		e.Value = p.valueOf(dash, indent, false)
		p.tree.add(e)
		if p.atEnd() || p.isMark() || p.indent < indent || p.tabbed() {
			break
		}
		if p.indent > indent {
			p.nothing()
			break
		}
		if !p.isSign('-') {
			break
		}
	}
	p.tree.leave(l, base)
	return l
}
