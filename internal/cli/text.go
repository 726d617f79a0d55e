package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// helpWidth is the width of help texts in columns.
const helpWidth = 80

// A block is a part of the text about a command.
type block struct {
	kind blockKind
	text string // lines
}

type blockKind int

const (
	prose   blockKind = iota // lines that are filled
	example                  // indented lines that stay as they are
	gap                      // an empty line
)

// blocks splits the text about a command. Indented lines are examples, other lines are prose.
func blocks(about string) []block {
	var all []block
	for line := range strings.SplitSeq(about, "\n") {
		kind := prose
		switch {
		case line == "":
			kind = gap
		case strings.HasPrefix(line, "  "):
			kind = example
		}
		if last := len(all) - 1; last >= 0 && kind != gap && all[last].kind == kind {
			all[last].text += "\n" + line
			continue
		}
		all = append(all, block{kind, line})
	}
	return all
}

// fillAll returns the text about a command with its prose filled.
func fillAll(about string) string {
	var parts []string
	for _, b := range blocks(about) {
		if b.kind == prose {
			b.text = fill(b.text, 0)
		}
		parts = append(parts, b.text)
	}
	return strings.Join(parts, "\n")
}

// fill breaks a text into lines of at most helpWidth columns. The first line begins in column indent, where
// the caller has written something, and the others are indented to it.
func fill(text string, indent int) string {
	var b strings.Builder
	column := indent
	for i, word := range strings.Fields(text) {
		wide := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+wide > helpWidth:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += wide
	}
	return b.String()
}

// A definition is a row of a list: a term, and text that is filled beside it.
type definition struct{ term, text string }

// writeDefinitions writes rows with aligned texts.
func writeDefinitions(b *strings.Builder, rows []definition) {
	wide := 0
	for _, row := range rows {
		wide = max(wide, utf8.RuneCountInString(row.term))
	}
	for _, row := range rows {
		fmt.Fprintf(b, "  %-*s   %s\n", wide, row.term, fill(row.text, wide+5))
	}
}
