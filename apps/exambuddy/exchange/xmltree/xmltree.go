// Package xmltree parses XML documents of strangers into trees. It expands no entities but those of
// HTML, refuses document types with declarations, and bounds depth and size. It keeps the line of each
// element. The parsers of package exchange call it.
package xmltree

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/textfile"
)

const (
	maxDepth = 200
	maxNodes = 1_000_000
)

// A Node is an element, or a text if Name is empty.
type Node struct {
	Name     string // without its namespace
	Attrs    map[string]string
	Children []*Node
	Text     string
	Line     int
}

// Parse parses a document and returns its root. It fails when ctx ends.
func Parse(ctx context.Context, data []byte) (*Node, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Entity = xml.HTMLEntity
	d.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
		all, err := io.ReadAll(input)
		return strings.NewReader(textfile.Decode1252(all)), err // the usual meaning of other charsets
	}
	root := &Node{}
	stack := []*Node{root}
	for nodes := 0; ; nodes++ {
		if nodes%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		line, _ := d.InputPos()
		if err != nil {
			return nil, draft.Unreadable("The XML is not valid: line %d: %v.", line, err)
		}
		if len(stack) > maxDepth || nodes > maxNodes {
			return nil, draft.Unreadable("The XML is too deep or too large.")
		}
		top := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.Directive:
			if bytes.ContainsAny(t, "[") {
				return nil, draft.Unreadable("The XML declares entities, which is not accepted.")
			}
		case xml.StartElement:
			n := &Node{Name: t.Name.Local, Attrs: map[string]string{}, Line: line}
			for _, a := range t.Attr {
				n.Attrs[a.Name.Local] = a.Value
			}
			top.Children = append(top.Children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.Children = append(top.Children, &Node{Text: string(t), Line: line})
		}
	}
	for _, n := range root.Children {
		if n.Name != "" {
			return n, nil
		}
	}
	return nil, draft.Unreadable("The XML has no element.")
}

// Child returns the first child with a name; nil if there is none.
func (n *Node) Child(name string) *Node {
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Outermost returns the descendants with a name in the order of the document, without those inside of
// another one. Each element is visited once, however deep the document is.
func (n *Node) Outermost(name string) []*Node { return n.outermost(name, nil) }

func (n *Node) outermost(name string, all []*Node) []*Node {
	for _, c := range n.Children {
		if c.Name == name {
			all = append(all, c)
		} else {
			all = c.outermost(name, all)
		}
	}
	return all
}

// Content returns the text of the node and its descendants as it is written.
func (n *Node) Content() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *Node) write(b *strings.Builder) {
	b.WriteString(n.Text)
	for _, c := range n.Children {
		c.write(b)
	}
}

// maxExcerpt bounds an excerpt in bytes.
const maxExcerpt = 2000

// Excerpt returns the beginning of the content, for messages. Messages about elements that contain
// each other would hold the content many times.
func (n *Node) Excerpt() string {
	var b strings.Builder
	n.excerpt(&b)
	return strings.ToValidUTF8(b.String(), "")
}

func (n *Node) excerpt(b *strings.Builder) {
	b.WriteString(n.Text[:min(len(n.Text), maxExcerpt-b.Len())])
	for _, c := range n.Children {
		if b.Len() >= maxExcerpt {
			return
		}
		c.excerpt(b)
	}
}
