package formatter

import (
	"strings"

	"sortkey.dev/design/internal/yaml"
)

// A node is one value of a document, with the data for printing.
type node struct {
	kind    kind
	class   string // of a scalar: its possible type besides text
	value   string // of a scalar: its value
	raw     string // of a scalar: as written, without the space around it
	line    int    // where it begins
	column  int
	end     int      // last line, if in brackets
	flow    bool     // in brackets
	entries []*entry // of a mapping or list
}

// An entry is one key with its value, or one item of a list, which has no key.
type entry struct {
	key    *node
	value  *node
	line   int // of its key or dash
	column int
}

type kind int

const (
	null    kind = iota // nothing written
	scalar              // on one line or folded over several
	literal             // the lines after | or >
	mapping
	list
	other // unsupported features: anchors, aliases, tags
)

// newNode converts a node of the YAML parser.
func newNode(y *yaml.Node) *node {
	n := &node{value: y.Text, raw: y.Raw, line: int(y.Line), column: int(y.Column), end: int(y.Last), flow: y.Style == yaml.Flow}
	switch y.Kind {
	case yaml.Missing:
		n.kind = null
	case yaml.Mapping:
		n.kind = mapping
	case yaml.List:
		n.kind = list
	case yaml.Scalar:
		n.kind, n.class = scalar, "text"
		switch y.Style {
		case yaml.Plain:
			n.class = "plain"
		case yaml.Literal, yaml.Folded:
			n.kind = literal
			if y.Last == y.Line || strings.ContainsAny(y.Raw, "+0123456789") {
				n.kind = other // its meaning depends on its context
			}
		}
	}
	if y.Refused {
		n.kind = other
	}
	for _, e := range y.Entries {
		made := &entry{value: newNode(e.Value), line: int(e.Line), column: int(e.Column)}
		if e.Key != nil {
			made.key = newNode(e.Key)
		}
		n.entries = append(n.entries, made)
	}
	return n
}

// hasOther reports whether the node contains unsupported features.
func (n *node) hasOther() bool {
	if n == nil {
		return false
	}
	for _, e := range n.entries {
		if e.key.hasOther() || e.value.hasOther() || e.key != nil && e.key.kind != scalar {
			return true
		}
	}
	return n.kind == other
}

// equal reports whether two nodes mean the same.
func equal(a, b *node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.meaning() != b.meaning() || a.class != b.class || a.value != b.value || len(a.entries) != len(b.entries) {
		return false
	}
	for i := range a.entries {
		if !equal(a.entries[i].key, b.entries[i].key) || !equal(a.entries[i].value, b.entries[i].value) {
			return false
		}
	}
	return true
}

// meaning returns the kind regardless of its notation.
func (n *node) meaning() kind {
	if n.kind == literal {
		return scalar
	}
	return n.kind
}
