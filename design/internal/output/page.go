// Package output prints the results of the design compiler: as text for a terminal, and as
// JSON and SARIF for programs. It computes nothing.
package output

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Style describes how text is formatted.
type Style struct {
	Color bool
	Width int // columns; 0 means 100
}

const defaultWidth = 100

func (s Style) width() int {
	if s.Width <= 0 {
		return defaultWidth
	}
	return max(s.Width, 40)
}

// The colours, as terminal escape sequences.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

// A page collects text. Its only possible error, that of writing, is returned by send.
type page struct {
	strings.Builder
	style Style
}

func (p *page) paint(colour, text string) string {
	if !p.style.Color || text == "" {
		return text
	}
	return escape + "[" + colour + "m" + text + escape + "[0m"
}

// escape replaces the terminal's escape character until the page is sent: a design may
// contain any character, but only the page itself may write escape sequences.
const escape = "\uFDD0"

// plain removes control characters and characters that change the text direction.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n':
			return c
		case unicode.IsControl(c), c >= 0x202A && c <= 0x202E, c >= 0x2066 && c <= 0x2069:
			return '\uFFFD'
		}
		return c
	}, text)
}

func (p *page) line(format string, args ...any) {
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

func (p *page) heading(text string) { p.line("%s", p.paint(bold, text)) }

// paragraph writes text wrapped to the page's width, each line indented.
func (p *page) paragraph(indent, text string) {
	for _, line := range wrap(text, p.style.width()-utf8.RuneCountInString(indent)) {
		p.line("%s%s", indent, line)
	}
}

// labelled writes a paragraph after a label, with the following lines aligned.
func (p *page) labelled(indent, label, text string) {
	hang := indent + strings.Repeat(" ", utf8.RuneCountInString(label)+1)
	for i, line := range wrap(text, p.style.width()-utf8.RuneCountInString(hang)) {
		if i == 0 {
			p.line("%s%s %s", indent, p.paint(dim, label), line)
		} else {
			p.line("%s%s", hang, line)
		}
	}
}

func (p *page) send(w io.Writer) error {
	_, err := io.WriteString(w, strings.ReplaceAll(plain(p.String()), escape, "\x1b"))
	return err
}

// wrap breaks text at spaces so that no line is wider than width, except for words
// that are.
func wrap(text string, width int) []string {
	var lines []string
	var line strings.Builder
	length := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if length > 0 && length+1+n > width {
			lines = append(lines, line.String())
			line.Reset()
			length = 0
		}
		if length > 0 {
			line.WriteByte(' ')
			length++
		}
		line.WriteString(word)
		length += n
	}
	return append(lines, line.String())
}

// A grid is a table of aligned columns. Columns whose head begins with > are right-aligned.
type grid struct {
	heads []string
	rows  [][]cell
}

type cell struct{ text, colour string }

func (g *grid) row(cells ...any) {
	row := make([]cell, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case cell:
			row[i] = c
		default:
			row[i] = cell{text: fmt.Sprint(c)}
		}
	}
	g.rows = append(g.rows, row)
}

// write writes the grid to a page. The last column is never padded.
func (g *grid) write(p *page, indent string) {
	widths := make([]int, len(g.heads))
	heads := make([]cell, len(g.heads))
	for i, head := range g.heads {
		heads[i] = cell{strings.TrimPrefix(head, ">"), dim}
	}
	all := append([][]cell{heads}, g.rows...)
	for _, row := range all {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c.text))
		}
	}
	for _, row := range all {
		var line strings.Builder
		for i, c := range row {
			if i > 0 {
				line.WriteString("  ")
			}
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c.text))
			text := c.text
			if c.colour != "" {
				text = p.paint(c.colour, text)
			}
			switch {
			case strings.HasPrefix(g.heads[i], ">"):
				line.WriteString(space + text)
			case i == len(row)-1:
				line.WriteString(text)
			default:
				line.WriteString(text + space)
			}
		}
		p.line("%s", strings.TrimRight(indent+line.String(), " "))
	}
}

// count formats a number with its noun: 1 error, 2 errors.
func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
