package qti

import (
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/xmltree"
	"sortkey.dev/apps/exambuddy/question"
)

// A body is the text of an item and its interactions.
type body struct {
	r            *reader
	lines        []string // finished blocks
	line         strings.Builder
	images       []question.Image
	interactions []*xmltree.Node // blocks, such as choiceInteraction
	inline       []*xmltree.Node // gaps in the text
	passage      *string
}

// blocks are elements that end a line.
var blocks = map[string]bool{
	"p": true, "div": true, "li": true, "ul": true, "ol": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
	"pre": true, "blockquote": true, "dl": true, "dt": true, "dd": true, "address": true, "prompt": true, "itemBody": true, "contentBody": true, "modalFeedback": true,
}

// inlines are elements whose text is kept and whose form may be lost.
var inlines = map[string]bool{
	"span": true, "b": true, "strong": true, "i": true, "em": true, "u": true, "a": true, "code": true, "tt": true, "small": true, "big": true,
	"sub": true, "sup": true, "q": true, "cite": true, "kbd": true, "samp": true, "var": true, "abbr": true, "acronym": true, "dfn": true,
}

// tableParts are elements of tables, whose cells are kept with spaces between them.
var tableParts = map[string]bool{"table": true, "caption": true, "thead": true, "tbody": true, "tfoot": true, "tr": true, "td": true, "th": true, "col": true, "colgroup": true}

func (b *body) endLine(keepEmpty bool) {
	text := oneLine(b.line.String())
	b.line.Reset()
	if text != "" || keepEmpty {
		b.lines = append(b.lines, text)
	}
}

// walk collects the content of a node.
func (b *body) walk(n *xmltree.Node) {
	switch {
	case n.Name == "":
		b.line.WriteString(n.Text)
		return
	case n.Name == "br":
		b.endLine(true)
		return
	case n.Name == "img":
		if file := b.r.image(n, n.Attrs["src"]); file != "" {
			b.images = append(b.images, question.Image{File: file, Alt: n.Attrs["alt"]})
		}
		return
	case n.Name == "div" && n.Attrs["class"] == "passage":
		inner := body{r: b.r}
		inner.children(n)
		text := inner.text()
		b.passage, b.images = &text, append(b.images, inner.images...)
		return
	case n.Name == "textEntryInteraction" || n.Name == "inlineChoiceInteraction":
		b.inline = append(b.inline, n)
		b.line.WriteString("__")
		return
	case strings.HasSuffix(n.Name, "Interaction"):
		b.endLine(false)
		b.interactions = append(b.interactions, n)
		if prompt := n.Child("prompt"); prompt != nil {
			b.walk(prompt)
		}
		return
	case blocks[n.Name]:
		b.endLine(false)
		b.children(n)
		b.endLine(n.Name == "p" && len(n.Children) == 0)
		return
	case tableParts[n.Name]:
		if n.Name == "table" {
			b.r.problem(n, "Check the text.", "A table became plain text.")
		}
		b.children(n)
		b.line.WriteString(" ")
		if n.Name == "tr" || n.Name == "caption" {
			b.endLine(false)
		}
		return
	case !inlines[n.Name]:
		b.r.problem(n, "Check the text.", "The element %s is not understood.", n.Name)
		if n.Name == "feedbackInline" || n.Name == "feedbackBlock" || n.Name == "rubricBlock" || n.Name == "templateInline" || n.Name == "stylesheet" {
			return
		}
	}
	b.children(n)
}

func (b *body) children(n *xmltree.Node) {
	for _, c := range n.Children {
		b.walk(c)
	}
}

// text returns the collected text.
func (b *body) text() string {
	b.endLine(false)
	return strings.TrimSpace(strings.Join(b.lines, "\n"))
}

// plain returns the text of a choice and its image.
func (r *reader) plain(n *xmltree.Node) (string, *question.Image) {
	b := body{r: r}
	b.children(n)
	text := b.text()
	if len(b.interactions)+len(b.inline) > 0 {
		r.problem(n, "Check the option.", "An interaction inside of an option is not understood.")
	}
	if len(b.images) == 0 {
		return text, nil
	}
	return text, &b.images[0]
}
