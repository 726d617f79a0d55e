package marshal

import (
	"errors"
	"strings"
)

// What Escape replaces, and by what.
const (
	escapable        = `"#`
	escapedMark      = `"1`
	escapedDelimiter = `"2`
)

func escapeOf(c byte) string {
	if c == delimiter {
		return escapedDelimiter
	}
	return escapedMark
}

var errNotEscaped = errors.New("is not escaped text")

// ParseEscaped returns the text that KeyText.Escape wrote.
func ParseEscaped(text string) (string, error) {
	if strings.IndexByte(text, '"') < 0 {
		return text, nil
	}
	var b strings.Builder
	b.Grow(len(text))
	for {
		before, after, found := strings.Cut(text, `"`)
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		switch {
		case strings.HasPrefix(after, "1"):
			b.WriteByte('"')
		case strings.HasPrefix(after, "2"):
			b.WriteByte(delimiter)
		default:
			return "", errNotEscaped
		}
		text = after[1:]
	}
}
