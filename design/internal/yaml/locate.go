package yaml

import (
	"sort"
	"unicode/utf8"
)

// At returns the position of a character of a scalar's text, by its index. After the last one
// it returns the end of the text.
func (d *Document) At(n *Node, character int) (line, column int) {
	if n.Kind != Scalar {
		return int(n.Line), int(n.Column)
	}
	if n.Line == n.Last && len(n.Raw)-len(n.Text) == 2*n.quotes() { // as written
		return int(n.Line), int(n.Column) + n.quotes() + max(0, min(character, utf8.RuneCountInString(n.Text)))
	}
	start := int(n.start)
	s := newScanner(d, int(n.Line)-1, start)
	p := &scalarParser{scanner: s, tree: &treeBuilder{scan: s, nodes: make([]Node, 0, 1)}}
	p.text.tracing = true
	comments := len(d.Comments)
	switch n.Style {
	case Single, Double:
		p.quoted(int(n.parent))
	case Literal, Folded:
		p.blockText(int(n.parent))
	default:
		p.plainAgain(n)
	}
	d.Comments = d.Comments[:comments]
	return d.position(p.text.origin(character, start))
}

// quotes returns the number of quote characters on either side of a text of one line.
func (n *Node) quotes() int {
	if n.Style == Single || n.Style == Double {
		return 1
	}
	return 0
}

// plainAgain parses a plain text of several lines again.
func (p *scalarParser) plainAgain(n *Node) {
	copied := *n
	p.pos = p.plainEnd(n.inFlow)
	copied.Raw = p.src[n.start:p.pos]
	p.blanks()
	p.goesOn(&copied, n.inFlow)
}

// origin returns the source offset of a character of the text; start if there is no text.
func (b *textBuilder) origin(character, start int) int {
	i := 0
	for range max(0, character) {
		if i >= len(b.bytes) {
			break
		}
		_, size := utf8.DecodeRune(b.bytes[i:])
		i += size
	}
	switch {
	case i < len(b.from):
		return int(b.from[i])
	case i > 0:
		return int(b.from[i-1]) + 1
	}
	return start + 1
}

// position returns the line and column of an offset.
func (d *Document) position(offset int) (line, column int) {
	offset = min(offset, len(d.text))
	line = sort.Search(len(d.starts), func(i int) bool { return int(d.starts[i]) > offset })
	return line, utf8.RuneCountInString(d.text[d.starts[line-1]:offset]) + 1
}
