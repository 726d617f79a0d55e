package yaml

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

const byteOrderMark = "\uFEFF"

// admit checks the size and the characters of a text and looks for merge conflict markers.
// It also records the starts of lines.
func (d *Document) admit(text []byte) *Problem {
	d.starts = []int32{0}
	if len(text) > MaxBytes {
		return &Problem{Kind: TooLarge, Line: 1, Column: 1, EndColumn: 2, Message: fmt.Sprintf("the file is larger than %d MB", MaxBytes>>20)}
	}
	d.text = string(bytes.TrimPrefix(text, []byte(byteOrderMark)))
	if strings.IndexByte(d.text, '\r') >= 0 {
		d.text = strings.ReplaceAll(strings.ReplaceAll(d.text, "\r\n", "\n"), "\r", "\n")
	}
	d.starts = append(make([]int32, 0, strings.Count(d.text, "\n")+1), 0)
	d.ascii = true
	for i := 0; i < len(d.text); {
		switch c := d.text[i]; {
		case c == '\n':
			i++
			d.starts = append(d.starts, int32(i))
			continue
		case c >= ' ' && c < 0x7f || c == '\t':
			i++
			continue
		case c < utf8.RuneSelf:
			return d.badCharacter(i)
		}
		d.ascii = false
		c, size := utf8.DecodeRuneInString(d.text[i:])
		if c == utf8.RuneError && size == 1 || isNoText(c) {
			return d.badCharacter(i)
		}
		i += size
	}
	return d.conflict()
}

// isNoText reports whether a character beyond ASCII is not allowed in YAML, or is a line end
// for some parsers.
func isNoText(c rune) bool {
	return c < 0xa0 || c == '\u2028' || c == '\u2029' || c == '\uFEFF' || c == '\uFFFE' || c == '\uFFFF'
}

func (d *Document) badCharacter(at int) *Problem {
	line := len(d.starts)
	column := utf8.RuneCountInString(d.text[d.starts[line-1]:at]) + 1
	message := ""
	switch c, size := utf8.DecodeRuneInString(d.text[at:]); {
	case c == utf8.RuneError && size == 1:
		message = "the file is not UTF-8 text"
	case c == '\uFEFF':
		message = "a byte order mark in the middle of the file"
	default:
		message = fmt.Sprintf("a character that is no text: %U", c)
	}
	return &Problem{Line: line, Column: column, EndColumn: column + 1, Message: message}
}

// conflict finds the first merge conflict marker.
func (d *Document) conflict() *Problem {
	for i, start := range d.starts {
		if int(start) == len(d.text) {
			break
		}
		if c := d.text[start]; c != '<' && c != '=' && c != '>' {
			continue
		}
		line := d.Line(i + 1)
		if strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ") || line == "=======" {
			return &Problem{Line: i + 1, Column: 1, EndColumn: utf8.RuneCountInString(line) + 1, Message: "this line is the mark of a merge conflict"}
		}
	}
	return nil
}
