package docx

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/apps/exambuddy/exchange/archive"
	"sortkey.dev/apps/exambuddy/exchange/xmltree"
)

// lists knows the numbers of numbered paragraphs, which are not part of their text.
type lists struct {
	levels   map[string]map[int]level // by the id of the list
	abstract map[string]string        // the definition of a list by its id
	styles   map[string]numbering     // by the id of the paragraph style
	counts   map[string]map[int]int   // by definition and level
}

// A level says how a level of a list is numbered.
type level struct {
	format string // decimal, upperLetter, …
	text   string // such as "%1."
	start  int
}

type numbering struct {
	id    string
	level int
}

const (
	maxLevels = 9
	maxLabel  = 100 // bytes of the text of a level: each paragraph of the list gets it
)

// readLists reads the definitions of lists; a document may have none.
func readLists(ctx context.Context, p *archive.Package) (*lists, error) {
	l := &lists{levels: map[string]map[int]level{}, abstract: map[string]string{}, styles: map[string]numbering{}, counts: map[string]map[int]int{}}
	for name, read := range map[string]func(*xmltree.Node){"word/numbering.xml": l.definitions, "word/styles.xml": l.readStyles} {
		if !p.Has(name) {
			continue
		}
		data, err := p.Read(name)
		if err != nil {
			return nil, err
		}
		root, err := xmltree.Parse(ctx, data)
		if err != nil {
			return nil, err
		}
		read(root)
	}
	return l, nil
}

func (l *lists) definitions(root *xmltree.Node) {
	for _, a := range root.Outermost("abstractNum") {
		levels := map[int]level{}
		for _, n := range a.Outermost("lvl") {
			i, _ := strconv.Atoi(n.Attrs["ilvl"])
			one := level{format: value(n, "numFmt"), text: value(n, "lvlText"), start: 1}
			one.text = one.text[:min(len(one.text), maxLabel)]
			if start, err := strconv.Atoi(value(n, "start")); err == nil {
				one.start = start
			}
			levels[i] = one
		}
		l.levels[a.Attrs["abstractNumId"]] = levels
	}
	for _, n := range root.Outermost("num") {
		l.abstract[n.Attrs["numId"]] = value(n, "abstractNumId")
	}
}

func (l *lists) readStyles(root *xmltree.Node) {
	for _, s := range root.Outermost("style") {
		if n, ok := numberingOf(s.Child("pPr")); ok {
			l.styles[s.Attrs["styleId"]] = n
		}
	}
}

// value returns the attribute val of a child.
func value(n *xmltree.Node, name string) string {
	if c := n.Child(name); c != nil {
		return c.Attrs["val"]
	}
	return ""
}

// numberingOf reads the numbering of paragraph properties.
func numberingOf(properties *xmltree.Node) (numbering, bool) {
	if properties == nil {
		return numbering{}, false
	}
	n := properties.Child("numPr")
	if n == nil {
		return numbering{}, false
	}
	i, _ := strconv.Atoi(value(n, "ilvl"))
	return numbering{id: value(n, "numId"), level: min(max(i, 0), maxLevels-1)}, true
}

// label returns the number of a paragraph as Word shows it; "" if it has none.
func (l *lists) label(p *xmltree.Node) string {
	properties := p.Child("pPr")
	n, ok := numberingOf(properties)
	if !ok && properties != nil {
		n, ok = l.styles[value(properties, "pStyle")]
	}
	definition, known := l.abstract[n.id]
	if !ok || !known || n.id == "0" {
		return ""
	}
	counts := l.counts[definition]
	if counts == nil {
		counts = map[int]int{}
		l.counts[definition] = counts
	}
	levels := l.levels[definition]
	if _, begun := counts[n.level]; begun {
		counts[n.level]++
	} else {
		counts[n.level] = levels[n.level].start
	}
	for i := n.level + 1; i < maxLevels; i++ {
		delete(counts, i)
	}
	if levels[n.level].format == "bullet" {
		return "•"
	}
	text := levels[n.level].text
	for i := 0; i <= n.level; i++ {
		count, begun := counts[i]
		if !begun {
			count = levels[i].start
		}
		text = strings.ReplaceAll(text, fmt.Sprintf("%%%d", i+1), format(count, levels[i].format))
	}
	return text
}

// format writes a number.
func format(n int, style string) string {
	switch {
	case style == "upperLetter" && n >= 1 && n <= 26:
		return string(rune('A' + n - 1))
	case style == "lowerLetter" && n >= 1 && n <= 26:
		return string(rune('a' + n - 1))
	case style == "lowerRoman" || style == "upperRoman":
		return roman(n, style == "upperRoman")
	case style == "none":
		return ""
	}
	return strconv.Itoa(n)
}

func roman(n int, upper bool) string {
	if n < 1 || n > 100 {
		return strconv.Itoa(n)
	}
	text := ""
	for _, d := range []struct {
		value int
		text  string
	}{{100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for n >= d.value {
			text += d.text
			n -= d.value
		}
	}
	if upper {
		return strings.ToUpper(text)
	}
	return text
}
