package model

import "strings"

// A Delimiter is the character that separates the parts of the keys of a table. The zero value
// is #. A value that contains it is rejected when a key is built, unless its placeholder is open
// or escaped.
type Delimiter byte

// Delimiters lists the characters that a table can have as its delimiter, the default first.
var Delimiters = []string{"#", ":", "|", "/", "_"}

func (d Delimiter) char() byte {
	if d == 0 {
		return '#'
	}
	return byte(d)
}

// String returns the character.
func (d Delimiter) String() string { return string(rune(d.char())) }

// After returns the character after the delimiter: what begins with it sorts after everything
// that begins with the delimiter.
func (d Delimiter) After() string { return string(rune(d.char() + 1)) }

// Sooner names characters that sort before the delimiter.
func (d Delimiter) Sooner() string {
	switch d.char() {
	case '#':
		return `a space, ! or "`
	case '/':
		return "a space, - or ."
	case ':':
		return "a digit, a space, - or ."
	}
	return "a letter or a digit"
}

// IsDefault reports whether the delimiter is #.
func (d Delimiter) IsDefault() bool { return d.char() == '#' }

// Mark returns the character that begins what the filter escape writes: a neighbour of the
// delimiter, so that the order of texts stays as it is.
func (d Delimiter) Mark() string {
	if d.char() == ':' {
		return ";" // the character before it is 9
	}
	return string(rune(d.char() - 1))
}

// Escape returns a text as the filter escape writes it: the mark and the delimiter are replaced
// by the mark and a digit, 1 for the one that sorts first and 2 for the other.
func (d Delimiter) Escape(text string) string {
	mark, delimiter := d.Mark(), d.String()
	if !strings.ContainsAny(text, mark+delimiter) {
		return text
	}
	first, second := min(mark, delimiter), max(mark, delimiter)
	var b strings.Builder
	for i := range len(text) {
		switch text[i] {
		case first[0]:
			b.WriteString(mark + "1")
		case second[0]:
			b.WriteString(mark + "2")
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// IsIn reports whether the text of a placeholder of a type always contains the delimiter, as
// timestamps contain colons.
func (d Delimiter) IsIn(t Type) bool { return d.char() == ':' && t.Base == Timestamp }
