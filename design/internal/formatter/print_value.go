package formatter

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/design/internal/yaml"
)

// inBrackets returns a mapping or list on one line if it was in brackets, contains no comment
// and fits after the given columns.
func (p *printer) inBrackets(n *node, taken int) (string, bool) {
	if len(n.entries) == 0 { // the only way to write it
		return map[kind]string{mapping: "{}", list: "[]"}[n.kind], true
	}
	if !n.flow || p.commentInside(n) {
		return "", false
	}
	line := &flowLine{room: maxWidth - taken}
	fits := line.add(n)
	return line.String(), fits
}

func (p *printer) commentInside(n *node) bool {
	i, _ := slices.BinarySearchFunc(p.comments, n.line, func(c yaml.Comment, line int) int { return cmp.Compare(int(c.Line), line) })
	return i < len(p.comments) && int(p.comments[i].Line) < n.end
}

// A flowLine builds a line with brackets up to the maximum width.
type flowLine struct {
	strings.Builder
	room int
}

// put appends a text and reports whether it fits.
func (l *flowLine) put(text string) bool {
	l.room -= utf8.RuneCountInString(text)
	if l.room < 0 {
		return false
	}
	l.WriteString(text)
	return true
}

// add appends a node; it returns false if the node does not fit or needs several lines.
func (l *flowLine) add(n *node) bool {
	switch n.kind {
	case null:
		return true
	case scalar:
		return !strings.Contains(n.raw, "\n") && l.put(oneLine(n))
	case list:
		return l.put("[") && l.addEntries(n) && l.put("]")
	case mapping:
		if len(n.entries) == 0 {
			return l.put("{}")
		}
		return l.put("{ ") && l.addEntries(n) && l.put(" }")
	}
	return false
}

func (l *flowLine) addEntries(n *node) bool {
	for i, e := range n.entries {
		if i > 0 && !l.put(", ") || e.key != nil && !l.addKey(e) || !l.add(e.value) {
			return false
		}
	}
	return true
}

func (l *flowLine) addKey(e *entry) bool {
	colon := ": "
	if e.value.kind == null {
		colon = ":"
	}
	return !strings.Contains(e.key.raw, "\n") && l.put(oneLine(e.key)) && l.put(colon)
}

// oneLine returns a scalar of one line, with double quotes instead of single ones if it needs
// no escapes.
func oneLine(n *node) string {
	if len(n.raw) < 2 || n.raw[0] != '\'' || strings.ContainsFunc(n.value, needsEscape) {
		return n.raw
	}
	return `"` + n.value + `"`
}

func needsEscape(c rune) bool { return c == '"' || c == '\\' || !unicode.IsGraphic(c) }

// scalar writes a text that may span several lines, keeping its line breaks.
func (p *printer) scalar(n *node, start string, indent int) {
	if !strings.Contains(n.raw, "\n") {
		p.write(start + " " + oneLine(n))
		return
	}
	lines := strings.Split(n.raw, "\n")
	p.write(start + " " + strings.TrimSpace(lines[0]))
	for _, line := range lines[1:] {
		if line = strings.TrimSpace(line); line != "" {
			line = strings.Repeat(" ", indent) + line
		}
		p.write(line)
	}
}

// literal writes a text block with its lines moved to an indentation.
func (p *printer) literal(n *node, start string, indent int) {
	p.write(start + " " + n.raw)
	if len(p.pending) > 0 && int(p.pending[0].Line) == n.line {
		p.out[len(p.out)-1] += " " + p.takeComment()
	}
	lines := p.lines[min(n.line, len(p.lines)):min(n.end, len(p.lines))]
	margin := 0
	for _, line := range lines {
		if text := strings.TrimLeft(line, " "); text != "" {
			margin = len(line) - len(text)
			break
		}
	}
	for _, line := range lines {
		if text := line[min(margin, len(line)-len(strings.TrimLeft(line, " "))):]; text != "" {
			p.out = append(p.out, strings.Repeat(" ", indent)+text)
		} else {
			p.out = append(p.out, "")
		}
	}
	p.open = false
}
