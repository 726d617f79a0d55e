package yaml

// A parser parses a document: its marks and its blocks. A syntax error moves the scanner to
// the end of the text, so that all open nodes end.
type parser struct {
	*scanner
	tree    *treeBuilder
	scalars *scalarParser
	flow    *flowParser
}

func newParser(d *Document) *parser {
	s := newScanner(d, 0, 0)
	tree := &treeBuilder{scan: s, nodes: make([]Node, 0, len(s.src)/16+1), slab: make([]Entry, 0, len(s.src)/24+1)}
	scalars := &scalarParser{scanner: s, tree: tree}
	return &parser{scanner: s, tree: tree, scalars: scalars, flow: &flowParser{scanner: s, tree: tree, scalars: scalars}}
}

// document reads the one document of a text.
func (p *parser) document() *Node {
	p.measure()
	p.skip()
	if p.peek() == '%' && p.pos == p.lineStart {
		p.refuse("% begins a directive, which designs do not use; put text that begins with % in quotes")
		p.stop()
		return nil
	}
	if p.isMark() && p.peek() == '-' {
		p.begin()
	}
	var root *Node
	if !p.atEnd() && !p.isMark() && !p.tabbed() {
		root = p.blockNode(-1)
	}
	if p.isMark() && p.peek() == '.' {
		p.end()
	}
	switch {
	case p.atEnd():
	case p.isMark():
		p.problem(Refused, p.pos, p.pos+3, "--- begins a second document; a file is one document")
		p.stop()
	case !p.tabbed():
		p.nothing()
	}
	return root
}

// begin skips the --- before the document.
func (p *parser) begin() {
	p.doc.Marked = true
	line := p.line
	p.pos += 3
	p.skip()
	if p.line == line && !p.atEnd() {
		p.refuse("after --- the document begins on a line of its own")
		p.stop()
	}
}

// end skips the ... after the document.
func (p *parser) end() {
	p.doc.Marked = true
	p.pos += 3
	for p.skip(); p.isMark() && p.peek() == '.'; p.skip() {
		p.pos += 3
	}
	if !p.atEnd() {
		p.problem(Refused, p.pos, p.pos+1, "the document ended with ... before this; a file is one document")
		p.stop()
	}
}
