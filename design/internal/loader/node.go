package loader

import (
	"strings"

	"sortkey.dev/design/internal/diag"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/yaml"
)

// A node is one value of a design file, without the YAML features that designs do not use.
// Checking the shape marks invalid nodes as unfit, so that building the model sees only valid
// ones.
type node struct {
	kind    kind
	text    string // of a scalar: as written if plain, without its quotes otherwise
	quoted  bool   // a scalar in quotes or a text block: never a number, a bool or null
	flow    bool   // a mapping or list in brackets
	place   diag.Place
	last    int      // last line
	entries []*entry // of a mapping, in the order of the file
	items   []*node  // of a list

	written *yaml.Node
	doc     *yaml.Document

	flawed bool // something inside was reported, so its content is incomplete
}

// An entry is one key of a mapping with its value.
type entry struct {
	key   *node
	value *node
	unfit bool // reported, to be treated as absent
}

type kind int

const (
	empty kind = iota // no value, null or ~
	scalar
	mapping
	list
)

// get returns the value of a key, or nil if it is missing or unfit.
func (n *node) get(key string) *node {
	if e := n.entry(key); e != nil {
		return e.value
	}
	return nil
}

// entry returns the entry of a key, or nil if it is missing or unfit.
func (n *node) entry(key string) *entry {
	if n == nil {
		return nil
	}
	for _, e := range n.entries {
		if e.key.text == key && !e.unfit {
			return e
		}
	}
	return nil
}

// fit returns the entries of a mapping that were not reported; none for no mapping.
func (n *node) fit() []*entry {
	if n == nil {
		return nil
	}
	fit := make([]*entry, 0, len(n.entries))
	for _, e := range n.entries {
		if !e.unfit {
			fit = append(fit, e)
		}
	}
	return fit
}

// list returns the items of a list; none for no list.
func (n *node) list() []*node {
	if n == nil {
		return nil
	}
	return n.items
}

// str returns the text of a scalar, "" if there is none.
func (n *node) str() string {
	if n == nil {
		return ""
	}
	return n.text
}

// at returns the place of a node, the zero Place if there is none.
func (n *node) at() diag.Place {
	if n == nil {
		return diag.Place{}
	}
	return n.place
}

// scope returns the lines of an entry: from its key to the end of its value.
func (e *entry) scope() model.Scope {
	return model.Scope{File: e.key.place.File, First: e.key.place.Line, Last: max(e.key.place.Line, e.value.last)}
}

// maxShown is the maximum number of bytes of a line shown around a word.
const maxShown = 200

// around returns the source text of a node, and the rest of its line.
func (n *node) around() (written, after string) {
	written, after = n.doc.Around(n.written)
	return cut(written), cut(after)
}

func cut(text string) string {
	if len(text) > maxShown {
		return strings.ToValidUTF8(text[:maxShown], "")
	}
	return text
}

// inner returns the place of a scalar's text inside its quotes.
func (n *node) inner() diag.Place {
	place := n.place
	if n.quoted {
		place.Line, place.Column = n.doc.At(n.written, 0)
		place.EndColumn = max(place.Column, n.place.EndColumn-1)
	}
	return place
}
