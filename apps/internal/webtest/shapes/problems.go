package shapes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	headings = []string{"h1", "h2", "h3", "h4", "h5", "h6"}
	// blocks end a paragraph, wherever a browser meets them.
	blocks = []string{"address", "article", "aside", "blockquote", "details", "div", "dl", "fieldset", "figure", "footer", "form", "h1", "h2", "h3",
		"h4", "h5", "h6", "header", "hr", "main", "nav", "ol", "p", "pre", "section", "table", "ul"}
	// lines are the elements whose text is a line for its reader.
	lines = append([]string{"p", "li", "td", "th", "dd", "dt", "summary", "caption", "figcaption"}, headings...)
	// references are the attributes that name ids.
	references = []string{"for", "aria-labelledby", "aria-describedby", "aria-controls", "list"}
)

// leaks are traces of a template that printed something else than words.
var leaks = []string{"<no value>", "ZgotmplZ", "%!", "<nil>", "map[", "&{", "0xc0", "{{", "}}", "NaN", "+Inf"}

// leak returns the first trace in a text, or "".
func leak(text string) string {
	for _, trace := range leaks {
		if strings.Contains(text, trace) {
			return trace
		}
	}
	return ""
}

// problemsOf returns what is wrong with a page. The words are checked in possible shapes only.
func problemsOf(text string, possible bool) []string {
	root, problems := parsed(text)
	c := &checker{problems: problems, possible: possible, ids: make(map[string]bool), labelled: make(map[string]bool)}
	root.each(c.collect)
	root.each(c.structure)
	root.each(c.traces)
	if possible {
		root.each(c.names)
		root.each(c.punctuation)
		if c.tops != 1 {
			c.fail("the page has %d <h1>", c.tops)
		}
	}
	return c.problems
}

// A checker collects the problems of a page.
type checker struct {
	problems []string
	possible bool
	ids      map[string]bool
	labelled map[string]bool // ids that a label is for
	tops     int             // headings of the first level
}

func (c *checker) fail(format string, arguments ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, arguments...))
}

func (c *checker) collect(n *node) {
	if id, ok := n.attributes["id"]; ok && c.possible {
		switch {
		case id == "" || strings.ContainsAny(id, " \t\n"):
			c.fail("%s has a bad id", n.describe())
		case c.ids[id]:
			c.fail("two elements have the id %q", id)
		}
	}
	c.ids[n.attributes["id"]] = true
	if n.tag == "label" {
		c.labelled[n.attributes["for"]] = true
	}
	if n.tag == "h1" {
		c.tops++
	}
}

// structure checks where elements are and what they refer to.
func (c *checker) structure(n *node) {
	if slices.Contains(blocks, n.tag) && n.within("p") != nil && n.within("p", "svg", "button") == n.within("p") {
		c.fail("%s is within a paragraph", n.describe())
	}
	switch n.tag {
	case "a", "button", "select", "textarea":
		if around := n.within("a", "button"); around != nil {
			c.fail("%s is within %s", n.describe(), around.describe())
		}
	case "form":
		c.form(n)
	case "script":
		if n.attributes["src"] == "" {
			c.fail("a script of a text is on the page")
		}
	case "li":
		if n.parent.tag != "ul" && n.parent.tag != "ol" {
			c.fail("%s is within %s", n.describe(), n.parent.describe())
		}
	case "tr":
		if around := n.parent.tag; around != "thead" && around != "tbody" && around != "tfoot" {
			c.fail("%s is within %s", n.describe(), n.parent.describe())
		}
	}
	for _, name := range references {
		for _, id := range strings.Fields(n.attributes[name]) {
			if !c.ids[id] {
				c.fail("%s of %s names %q, which is not on the page", name, n.describe(), id)
			}
		}
	}
	// An error of a field that is not on the page is a shape that no handler makes.
	if local, ok := strings.CutPrefix(n.attributes["href"], "#"); ok && n.tag == "a" && !c.ids[local] && !strings.HasPrefix(local, "f-") {
		c.fail("%s leads nowhere", n.describe())
	}
}

func (c *checker) form(n *node) {
	if around := n.within("form"); around != nil {
		c.fail("%s is within %s", n.describe(), around.describe())
	}
	if !strings.EqualFold(n.attributes["method"], "post") {
		return
	}
	guarded := false
	n.each(func(field *node) { guarded = guarded || field.attributes["name"] == "csrf" })
	if !guarded {
		c.fail("%s posts without its CSRF field", n.describe())
	}
}

// traces looks for values that are no words.
func (c *checker) traces(n *node) {
	if n.tag == "code" || n.within("code", "pre") != nil {
		return
	}
	for _, child := range n.children {
		if found := leak(child.text); found != "" && n.tag != "script" {
			c.fail("%s shows %q", n.describe(), found)
		}
	}
	for name, value := range n.attributes {
		if found := leak(value); found != "" && !strings.HasPrefix(name, "data-") {
			c.fail("%s of %s has %q", name, n.describe(), found)
		}
	}
}

// names checks that what a person can use or jump to has a name.
func (c *checker) names(n *node) {
	if n.hidden() || n.attributes["aria-label"] != "" || n.attributes["aria-labelledby"] != "" {
		return
	}
	switch {
	case slices.Contains(headings, n.tag), n.tag == "legend", n.tag == "summary", n.tag == "label", n.tag == "title", n.tag == "button",
		n.tag == "th" && n.attributes["scope"] != "", n.tag == "a":
		if n.words(false) == "" && n.attributes["title"] == "" {
			c.fail("%s has no name", n.describe())
		}
	case n.tag == "img":
		if _, ok := n.attributes["alt"]; !ok {
			c.fail("%s has no alternative text", n.describe())
		}
	case n.tag == "select", n.tag == "textarea", n.tag == "input" && !slices.Contains([]string{"hidden", "submit", "button"}, n.attributes["type"]):
		if n.within("label") == nil && !c.labelled[n.attributes["id"]] {
			c.fail("%s has no label", n.describe())
		}
	}
}

var (
	strayInner = regexp.MustCompile(`· ·|\(\)|“”|, ,|: ·|,·|·\.| ,|0001-01-01| Jan 0001`)
)

// punctuation looks for separators with nothing to separate.
func (c *checker) punctuation(n *node) {
	if !slices.Contains(lines, n.tag) || n.hidden() {
		return
	}
	nested := false
	n.each(func(child *node) {
		nested = nested || slices.Contains(lines, child.tag) || slices.Contains(blocks, child.tag)
	})
	if nested {
		return
	}
	text := n.words(true)
	if text == "···" {
		return
	}
	if strings.HasSuffix(text, "·") || strings.HasPrefix(text, "·") || strayInner.MatchString(text) {
		c.fail("%s says %q", n.describe(), cut(text))
	}
}

// cut returns the ends of a long text.
func cut(text string) string {
	if len(text) <= 160 {
		return text
	}
	return text[:80] + " … " + text[len(text)-80:]
}
