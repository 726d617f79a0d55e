package shapes

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// A node is an element of a page. Text is a node without a tag.
type node struct {
	tag        string
	attributes map[string]string
	text       string
	parent     *node
	children   []*node
}

var void = []string{"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}

// raw elements hold text up to their end tag.
var raw = []string{"script", "style", "textarea", "title"}

// A reader reads the HTML that templates write. It is strict: each element ends, and in order.
type reader struct {
	rest     string
	at       *node
	problems []string
}

// parsed returns the tree of a page, and what is wrong with its tags.
func parsed(text string) (*node, []string) {
	root := &node{tag: "#page"}
	r := &reader{rest: text, at: root}
	for r.rest != "" {
		r.step()
	}
	for n := r.at; n != root; n = n.parent {
		r.fail("<%s> is not closed", n.tag)
	}
	return root, r.problems
}

func (r *reader) fail(format string, arguments ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, arguments...))
}

func (r *reader) step() {
	begin := strings.IndexByte(r.rest, '<')
	if begin < 0 {
		begin = len(r.rest)
	}
	if begin > 0 {
		r.addText(r.rest[:begin])
		r.rest = r.rest[begin:]
		return
	}
	switch {
	case strings.HasPrefix(r.rest, "<!--"):
		r.skipPast("-->")
	case strings.HasPrefix(r.rest, "<!"):
		r.skipPast(">")
	case strings.HasPrefix(r.rest, "</"):
		name, _, _ := strings.Cut(r.rest[2:], ">")
		r.skipPast(">")
		r.end(strings.ToLower(strings.TrimSpace(name)))
	default:
		r.begin()
	}
}

func (r *reader) skipPast(end string) {
	_, after, found := strings.Cut(r.rest, end)
	if !found {
		r.fail("%q is missing", end)
	}
	r.rest = after
}

func (r *reader) addText(text string) {
	r.at.children = append(r.at.children, &node{text: html.UnescapeString(text), parent: r.at})
}

func (r *reader) end(name string) {
	if r.at.tag == name {
		r.at = r.at.parent
		return
	}
	r.fail("</%s> where <%s> is open", name, r.at.tag)
	for n := r.at; n.parent != nil; n = n.parent {
		if n.tag == name {
			r.at = n.parent
			return
		}
	}
}

// begin reads a start tag.
func (r *reader) begin() {
	end := strings.IndexAny(r.rest, " \t\r\n/>")
	if end < 2 {
		r.fail("a stray < before %q", r.rest[:min(len(r.rest), 20)])
		r.addText("<")
		r.rest = r.rest[1:]
		return
	}
	n := &node{tag: strings.ToLower(r.rest[1:end]), attributes: make(map[string]string), parent: r.at}
	r.rest = r.rest[end:]
	closed := r.readAttributes(n)
	r.at.children = append(r.at.children, n)
	switch {
	case slices.Contains(raw, n.tag):
		text, after, found := strings.Cut(r.rest, "</"+n.tag+">")
		if !found {
			r.fail("<%s> is not closed", n.tag)
		}
		r.rest = after
		n.children = []*node{{text: html.UnescapeString(text), parent: n}}
	case closed || slices.Contains(void, n.tag):
	default:
		r.at = n
	}
}

// readAttributes reads to the end of a tag and reports whether it closes itself.
func (r *reader) readAttributes(n *node) (closed bool) {
	for {
		r.rest = strings.TrimLeft(r.rest, " \t\r\n")
		switch {
		case r.rest == "":
			r.fail("<%s is not ended", n.tag)
			return false
		case r.rest[0] == '>':
			r.rest = r.rest[1:]
			return closed
		case r.rest[0] == '/':
			closed, r.rest = true, r.rest[1:]
			continue
		}
		name, value := r.attribute()
		if _, twice := n.attributes[name]; twice {
			r.fail("<%s> has the attribute %s twice", n.tag, name)
		}
		n.attributes[name] = value
	}
}

func (r *reader) attribute() (name, value string) {
	end := strings.IndexAny(r.rest, " \t\r\n=/>")
	if end < 0 {
		end = len(r.rest)
	}
	if end == 0 { // a stray =
		end = 1
	}
	name, r.rest = strings.ToLower(r.rest[:end]), r.rest[end:]
	if strings.ContainsAny(name, `"'<`) {
		r.fail("an attribute is named %s", name)
	}
	if !strings.HasPrefix(r.rest, "=") {
		return name, ""
	}
	r.rest = r.rest[1:]
	if r.rest != "" && (r.rest[0] == '"' || r.rest[0] == '\'') {
		value, after, found := strings.Cut(r.rest[1:], r.rest[:1])
		if !found {
			r.fail("the attribute %s is not ended", name)
		}
		r.rest = after
		return name, html.UnescapeString(value)
	}
	end = strings.IndexAny(r.rest, " \t\r\n>")
	if end < 0 {
		end = len(r.rest)
	}
	value, r.rest = r.rest[:end], r.rest[end:]
	return name, html.UnescapeString(value)
}

// each calls visit for every element below a node.
func (n *node) each(visit func(*node)) {
	for _, child := range n.children {
		if child.tag != "" {
			visit(child)
			child.each(visit)
		}
	}
}

// within returns the nearest element with one of some tags around a node, or nil.
func (n *node) within(tags ...string) *node {
	for up := n.parent; up != nil; up = up.parent {
		if slices.Contains(tags, up.tag) {
			return up
		}
	}
	return nil
}

// hidden reports whether an element or one around it is hidden.
func (n *node) hidden() bool {
	for up := n; up != nil; up = up.parent {
		if _, ok := up.attributes["hidden"]; ok || up.tag == "template" {
			return true
		}
	}
	return false
}

// words returns the text in an element, as a screen reader says it or as it is seen.
func (n *node) words(seen bool) string {
	var text strings.Builder
	n.addWords(&text, seen)
	return strings.Join(strings.Fields(text.String()), " ")
}

func (n *node) addWords(text *strings.Builder, seen bool) {
	text.WriteString(n.text)
	for _, child := range n.children {
		if !seen {
			if child.attributes["aria-hidden"] == "true" {
				continue
			}
			text.WriteString(" " + child.attributes["aria-label"] + " " + child.attributes["alt"] + " ")
		}
		if child.tag == "br" {
			text.WriteString(" ")
		}
		child.addWords(text, seen)
	}
}

// describe returns the start tag of an element, for messages.
func (n *node) describe() string {
	text := "<" + n.tag
	for _, name := range []string{"id", "name", "class", "href", "action", "type"} {
		if value, ok := n.attributes[name]; ok {
			text += fmt.Sprintf(" %s=%q", name, value)
		}
	}
	return text + ">"
}
