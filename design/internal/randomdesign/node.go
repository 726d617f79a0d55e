package randomdesign

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A node is a YAML node: a mapping, a list or a text, with a key unless it is an element of a
// list.
type node struct {
	key    string
	value  string // of a text
	kids   []*node
	isText bool
	isList bool
	flow   bool // in braces, on one line
}

func scalar(key, value string) *node           { return &node{key: key, value: value, isText: true} }
func mapping(key string, kids ...*node) *node  { return &node{key: key, kids: kids} }
func sequence(key string, kids ...*node) *node { return &node{key: key, kids: kids, isList: true} }

// words returns a list of texts.
func words(key string, texts ...string) *node {
	n := sequence(key)
	for _, text := range texts {
		n.add(scalar("", text))
	}
	return n
}

func (n *node) add(kids ...*node) { n.kids = append(n.kids, kids...) }

// has reports whether a mapping has a key.
func (n *node) has(key string) bool { return n.get(key) != nil }

func (n *node) get(key string) *node {
	for _, kid := range n.kids {
		if kid.key == key {
			return kid
		}
	}
	return nil
}

// without returns a copy without a node.
func (n *node) without(gone *node) *node {
	c := *n
	c.kids = nil
	for _, kid := range n.kids {
		if kid != gone {
			c.kids = append(c.kids, kid.without(gone))
		}
	}
	return &c
}

// all returns the descendants, parents first.
func (n *node) all() []*node {
	level, found := []*node{n}, []*node(nil)
	for len(level) > 0 {
		var next []*node
		for _, one := range level {
			next = append(next, one.kids...)
		}
		found, level = append(found, next...), next
	}
	return found
}

func (n *node) text() []byte {
	var b strings.Builder
	n.block(&b, "")
	return []byte(b.String())
}

// block writes the children on separate lines.
func (n *node) block(b *strings.Builder, indent string) {
	for _, kid := range n.kids {
		b.WriteString(indent)
		if n.isList {
			b.WriteString("- ")
		} else {
			b.WriteString(quoted(kid.key) + ":")
		}
		switch {
		case kid.isText || kid.flow || len(kid.kids) == 0 || n.isList:
			if !n.isList {
				b.WriteString(" ")
			}
			kid.inline(b)
			b.WriteString("\n")
		default:
			b.WriteString("\n")
			kid.block(b, indent+"  ")
		}
	}
}

// inline writes a node on one line.
func (n *node) inline(b *strings.Builder) {
	if n.isText {
		b.WriteString(quoted(n.value))
		return
	}
	brackets := []string{"{ ", " }"}
	if n.isList {
		brackets = []string{"[", "]"}
	}
	b.WriteString(brackets[0])
	for i, kid := range n.kids {
		if i > 0 {
			b.WriteString(", ")
		}
		if !n.isList {
			b.WriteString(quoted(kid.key) + ": ")
		}
		kid.inline(b)
	}
	b.WriteString(brackets[1])
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_$.][A-Za-z0-9_$./ =<>()?+-]*$`)

// quoted returns a text with quotes if YAML needs them.
func quoted(text string) string {
	if plain.MatchString(text) && !slices.Contains([]string{"null", "y", "n", "yes", "no", "on", "off"}, text) {
		return text
	}
	return strconv.Quote(text)
}
