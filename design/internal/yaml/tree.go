package yaml

import "fmt"

// A treeBuilder builds the nodes of a document. It allocates nodes and entries in chunks.
type treeBuilder struct {
	scan  *scanner
	depth int
	open  []Entry // entries of mappings and lists that are not complete
	nodes []Node  // to be handed out
	slab  []Entry // to be handed out
}

// node returns a new node that begins at an offset of the current line.
func (t *treeBuilder) node(kind Kind, style Style, start, parent int) *Node {
	if len(t.nodes) == cap(t.nodes) {
		t.nodes = make([]Node, 0, 1024)
	}
	t.nodes = t.nodes[:len(t.nodes)+1]
	n := &t.nodes[len(t.nodes)-1]
	line, column := int32(t.scan.line+1), int32(t.scan.columnOf(start))
	*n = Node{Kind: kind, Style: style, Line: line, Column: column, EndColumn: column + 1, Last: line, start: int32(start), parent: int32(parent)}
	return n
}

// missing returns a missing value at the place of its owner.
func (t *treeBuilder) missing(at place) *Node {
	n := t.node(Missing, Plain, t.scan.pos, 0)
	n.Line, n.Column, n.EndColumn, n.Last = at.line, at.column, at.end, at.line
	return n
}

// enter begins a mapping or list and returns the number of open entries before it; ok is false
// if the nesting is too deep.
func (t *treeBuilder) enter(n *Node) (base int, ok bool) {
	t.depth++
	if t.depth > MaxDepth {
		t.scan.report(Problem{Kind: TooLarge, Line: int(n.Line), Column: int(n.Column), EndColumn: int(n.EndColumn),
			Message: fmt.Sprintf("blocks are more than %d levels deep here", MaxDepth)})
	}
	return len(t.open), !t.scan.stopped
}

// add adds an entry to the innermost mapping or list.
func (t *treeBuilder) add(e Entry) { t.open = append(t.open, e) }

// last returns the entry that was added last.
func (t *treeBuilder) last() Entry { return t.open[len(t.open)-1] }

// leave completes a mapping or list with the entries since base.
func (t *treeBuilder) leave(n *Node, base int) {
	t.depth--
	entries := t.open[base:]
	if len(entries) > cap(t.slab)-len(t.slab) {
		t.slab = make([]Entry, 0, max(1024, len(entries)))
	}
	start := len(t.slab)
	t.slab = append(t.slab, entries...)
	n.Entries = t.slab[start:len(t.slab):len(t.slab)]
	t.open = t.open[:base]
	for _, e := range n.Entries {
		n.Last = max(n.Last, e.Line, e.Value.Last)
	}
}

// finish ends a node at the current position.
func (t *treeBuilder) finish(n *Node) {
	n.Last, n.end = int32(t.scan.line+1), int32(t.scan.pos)
	if n.Last == n.Line {
		n.EndColumn = int32(t.scan.columnOf(t.scan.pos))
	} else {
		n.EndColumn = int32(t.scan.endOfLine(int(n.Line)))
	}
}
