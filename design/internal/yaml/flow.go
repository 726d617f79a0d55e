package yaml

import "strings"

// A flowParser parses mappings and lists in brackets.
type flowParser struct {
	*scanner
	tree    *treeBuilder
	scalars *scalarParser
}

// brackets parses a flow mapping or list.
func (p *flowParser) brackets(parent int) *Node {
	n := p.tree.node(List, Flow, p.pos, parent)
	closing := byte(']')
	if p.peek() == '{' {
		n.Kind, closing = Mapping, '}'
	}
	base, ok := p.tree.enter(n)
	if !ok {
		return n
	}
	p.pos++
	for p.inside(n) && p.peek() != closing {
		if !p.entry(n) || !p.inside(n) {
			break
		}
		if p.peek() == ',' {
			p.pos++
		} else if p.peek() != closing {
			p.noComma(n, closing)
		}
	}
	p.tree.leave(n, base)
	if p.stopped {
		return n
	}
	p.pos++
	p.tree.finish(n)
	return n
}

// inside moves to the next word inside brackets. Lines must be indented deeper than the block
// around the brackets, but the closing bracket may be below its key.
func (p *flowParser) inside(open *Node) bool {
	p.skip()
	sign := p.src[open.start]
	switch {
	case p.stopped:
	case p.atEnd():
		p.fail(open, "%c is never closed", sign)
	case p.pos != p.first || p.line+1 == int(open.Line) || p.indent > int(open.parent) && !p.isMark():
	case p.pos != p.lineStart+p.indent && p.tabbed():
	case (p.peek() == ']' || p.peek() == '}') && p.indent >= int(open.parent):
	default:
		p.fail(open, "%c is still open in line %d, which is not indented under it: is its closing bracket missing?", sign, p.line+1)
	}
	return !p.stopped
}

// noComma reports a missing comma after an entry.
func (p *flowParser) noComma(n *Node, closing byte) {
	switch {
	case p.peek() == ':' && int(n.Line) != p.line+1:
		p.fail(n, "%c is not closed, or a comma is missing, before line %d", p.src[n.start], p.line+1)
	case p.peek() == ':':
		text := p.tree.last().Value
		text.EndColumn = int32(p.columnOf(p.pos)) + 1
		p.fail(text, "a comma is missing inside this, or quotes around it")
	default:
		p.problem(Syntax, p.pos, p.pos+1, "a comma or %c is missing", closing)
	}
}

// entry parses one entry inside brackets.
func (p *flowParser) entry(n *Node) bool {
	at := p.place(p.pos)
	e := Entry{Line: at.line, Column: at.column}
	first := p.node(n, at)
	if p.stopped {
		return false
	}
	isKey := p.colon(first)
	switch {
	case p.stopped:
		return false
	case n.Kind == Mapping && (first.Kind != Scalar || first.Line != first.Last):
		p.fail(first, "inside { } a key and a colon are missing, or the text belongs in quotes")
		return false
	case n.Kind == Mapping && isKey:
		e.Key, e.Value = first, p.value(n, first)
	case n.Kind == Mapping:
		e.Key, e.Value = first, p.tree.missing(first.place())
	case isKey && first.Style == Plain && isFlowSign(p.at(p.pos+1)):
		p.problem(Syntax, p.pos, p.pos+1, "a value is missing after the colon, or the text belongs in quotes")
		return false
	case isKey:
		e.Value = p.pair(n, first)
	default:
		e.Value = first
	}
	if p.stopped {
		return false
	}
	p.tree.add(e)
	return true
}

// colon reports whether a colon follows that makes a node a key.
func (p *flowParser) colon(n *Node) bool {
	if p.line+1 != int(n.Last) {
		return false
	}
	p.blanks()
	if p.peek() != ':' {
		return false
	}
	next := p.at(p.pos + 1)
	isJSON := n.Kind != Scalar || n.Style != Plain
	return (isJSON || endsWord(next) || isFlowSign(next)) && p.scalars.isKey(n)
}

// value parses the value of a key inside brackets; the parser is at the colon.
func (p *flowParser) value(open, key *Node) *Node {
	p.pos++
	if !p.inside(open) {
		return nil
	}
	if c := p.peek(); c == ',' || c == '}' || c == ']' {
		return p.tree.missing(key.place())
	}
	return p.node(open, key.place())
}

// pair parses a mapping of one key in a flow list without its own brackets.
func (p *flowParser) pair(open, key *Node) *Node {
	m := p.tree.node(Mapping, Pair, p.pos, int(open.parent))
	m.Line, m.Column, m.EndColumn, m.Last = key.Line, key.Column, key.EndColumn, key.Last
	base, ok := p.tree.enter(m)
	if !ok {
		return m
	}
	if value := p.value(open, key); !p.stopped {
		p.tree.add(Entry{Key: key, Value: value, Line: key.Line, Column: key.Column})
	}
	p.tree.leave(m, base)
	return m
}

// node parses a text or brackets inside brackets.
func (p *flowParser) node(open *Node, owner place) *Node {
	refused := false
	for c := p.peek(); c == '&' || c == '!'; c = p.peek() {
		refused = true
		p.property(c)
		if !p.inside(open) {
			return nil
		}
	}
	var n *Node
	switch c := p.peek(); {
	case c == '{' || c == '[':
		n = p.brackets(int(open.parent))
		if p.textFollows(n) {
			n = p.rereadTemplate(n)
		}
	case c == '"' || c == '\'':
		n = p.scalars.quoted(int(open.parent))
	case refused && (c == ',' || c == ']' || c == '}'):
		n = p.tree.missing(owner)
	case c == ',':
		p.problem(Syntax, p.pos, p.pos+1, "before this comma something is missing")
		return nil
	case p.scalars.beginsPlain(true):
		n = p.plain(int(open.parent))
	default:
		return nil
	}
	n.Refused = n.Refused || refused
	return n
}

// property rejects an anchor or tag.
func (p *flowParser) property(c byte) {
	word := map[byte]string{'&': "& begins an anchor", '!': "! begins a tag"}[c]
	p.refuse(word + ", which designs do not use; put text that begins with " + string(c) + " in quotes")
	for !endsWord(p.peek()) && !isFlowSign(p.peek()) {
		p.pos++
	}
}

// plain parses a plain text inside brackets, which may span several lines.
func (p *flowParser) plain(parent int) *Node {
	start := p.pos
	n := p.tree.node(Scalar, Plain, start, parent)
	n.inFlow = true
	n.Refused = p.peek() == '*'
	p.pos = p.scalars.plainEnd(true)
	if p.peek() == '{' && p.pos > start {
		p.unquotedTemplate(n, start)
		return n
	}
	p.scalars.complete(n, start)
	p.blanks()
	if p.peek() == '\n' {
		p.scalars.goesOn(n, true)
	}
	return n
}

// unquotedTemplate parses a text such as USER#{id}, which its brackets split, as if it were
// quoted.
func (p *flowParser) unquotedTemplate(n *Node, start int) {
	for p.peek() == '{' {
		closing := strings.IndexAny(p.src[p.pos:p.lineEnd()], "}\"',")
		if closing < 0 || p.src[p.pos+closing] != '}' {
			break
		}
		p.pos += closing + 1
		p.pos = p.scalars.plainEnd(true)
	}
	p.scalars.complete(n, start)
	p.unquoted(n)
	if p.peek() == '{' {
		p.problem(Syntax, p.pos, p.pos+1, "a comma is missing before this, or the text belongs in quotes")
	}
}

func (p *flowParser) unquoted(n *Node) {
	p.report(Problem{Kind: Unquoted, Line: int(n.Line), Column: int(n.Column), EndColumn: int(n.EndColumn), Text: n.Text,
		Message: "the template that begins here is not in quotes, so YAML reads it as something else"})
}

// unquotedText parses a text such as {id}#X as if it were quoted: brackets directly followed
// by text. It returns nil if there is none.
func (p *flowParser) unquotedText(n *Node) *Node {
	if !p.textFollows(n) {
		return nil
	}
	p.pos = int(n.start)
	text := p.tree.node(Scalar, Plain, p.pos, int(n.parent))
	p.pos = p.scalars.plainEnd(false)
	if p.peek() == ':' {
		p.pos = p.lineEnd()
	}
	p.scalars.complete(text, int(n.start))
	p.unquoted(text)
	return text
}

// textFollows reports whether text directly follows brackets of one line.
func (p *flowParser) textFollows(n *Node) bool {
	c := p.peek()
	return !p.stopped && n.Kind == Mapping && n.Line == n.Last && !endsWord(c) && c != ':' && c != ',' && c != ']' && c != '}'
}

// rereadTemplate parses brackets inside brackets again as one text.
func (p *flowParser) rereadTemplate(n *Node) *Node {
	text := p.tree.node(Scalar, Plain, int(n.start), int(n.parent))
	text.inFlow = true
	p.pos = p.scalars.plainEnd(true)
	p.unquotedTemplate(text, int(n.start))
	return text
}
