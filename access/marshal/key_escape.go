package marshal

import (
	"errors"
	"strings"
)

// markOf returns the character that begins what Escape writes: the one before the delimiter, or
// behind it where that is a digit. Both are replaced by the mark and a digit: 1 for the one that
// sorts first, 2 for the other.
func markOf(border byte) byte {
	if border == ':' {
		return ';'
	}
	return border - 1
}

// escapable returns where a text holds the mark or the delimiter first, -1 if it does not.
func escapable(text string, mark, border byte) int {
	at, other := strings.IndexByte(text, mark), strings.IndexByte(text, border)
	if at < 0 || other >= 0 && other < at {
		return other
	}
	return at
}

// digitOf returns the digit that stands for the mark or the delimiter behind the mark.
func digitOf(c, mark, border byte) byte {
	if c == min(mark, border) {
		return '1'
	}
	return '2'
}

var errNotEscaped = errors.New("is not escaped text")

// ParseEscaped returns the text that KeyText.Escape wrote.
func ParseEscaped(text string) (string, error) { return parseEscaped(text, delimiter) }

// ParseEscapedBy returns a function like ParseEscaped for keys with another delimiter.
func ParseEscapedBy(border string) func(string) (string, error) {
	return func(text string) (string, error) { return parseEscaped(text, border[0]) }
}

func parseEscaped(text string, border byte) (string, error) {
	mark := markOf(border)
	if strings.IndexByte(text, mark) < 0 {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	for {
		at := strings.IndexByte(text, mark)
		if at < 0 {
			b.WriteString(text)
			return b.String(), nil
		}
		b.WriteString(text[:at])
		text = text[at+1:]
		switch {
		case strings.HasPrefix(text, "1"):
			b.WriteByte(min(mark, border))
		case strings.HasPrefix(text, "2"):
			b.WriteByte(max(mark, border))
		default:
			return "", errNotEscaped
		}
		text = text[1:]
	}
}
