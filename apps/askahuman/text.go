package askahuman

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkText refuses what is no text and control characters. Texts of several lines may have
// line ends and tabs.
func checkText(field, text string, lines bool) error {
	if !utf8.ValidString(text) {
		return invalid(FieldError{Field: field, Constraint: "format"}, "This is not text in UTF-8.")
	}
	for _, c := range text {
		if lines && (c == '\n' || c == '\t') {
			continue
		}
		if unicode.IsControl(c) {
			return invalid(FieldError{Field: field, Constraint: "format"}, "Control characters are not allowed here.")
		}
	}
	return nil
}

// tidy returns a text without space around it, with one kind of line end, and without what
// nobody sees. Invisible characters make two options look like one, hide words from people
// that programs read, and turn the order of letters around. They are left out and not
// refused: somebody who has copied one along with a word cannot see what to change. What is
// no text stays as it is, to be refused.
func tidy(text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	last := ' '       // what was written last
	joiner := rune(0) // what will be written if something visible follows
	write := func(c rune) { b.WriteRune(c); last = c }
	for _, c := range strings.NewReplacer("\r\n", "\n", "\u2028", "\n", "\u2029", "\n", "\u2800", " ").Replace(text) {
		switch {
		case isHidden(c):
		case isJoiner(c):
			switch {
			case joiner != 0 || unicode.IsSpace(last) || isJoiner(last):
			case unicode.Is(unicode.M, last) && !isVariation(last): // scripts of India end words so
				write(c)
			default:
				joiner = c
			}
		case isVariation(c):
			if joiner == 0 && !unicode.IsSpace(last) && !isVariation(last) && !isJoiner(last) {
				write(c)
			}
		default:
			if joiner != 0 && !unicode.IsSpace(c) {
				write(joiner)
			}
			joiner = 0
			write(c)
		}
	}
	return strings.TrimSpace(b.String())
}

// isHidden reports whether a character shows nothing and changes nothing that an honest text
// needs: those that override the direction of a text, spaces without width, fillers, and
// tags that only programs read.
func isHidden(c rune) bool {
	switch {
	case isJoiner(c), isVariation(c):
		return false
	case c == '\u200e', c == '\u200f', c == '\u061c':
		return true // marks of direction; a text has its own by its letters
	case c == '\u034f', c == '\u115f', c == '\u1160', c == '\u17b4', c == '\u17b5', c == '\u3164', c == '\uffa0':
		return true // letters and marks that are empty
	case c >= 0x600 && c <= 0x605, c == 0x6dd, c == 0x70f, c == 0x8e2, c == 0x110bd, c == 0x110cd:
		return false // signs of scripts that can be seen, although they count as formatting
	}
	return unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Co, c)
}

// isJoiner reports whether a character joins its neighbours or keeps them apart, as emoji and
// the scripts of Persia and India need it. It is worth nothing without neighbours.
func isJoiner(c rune) bool { return c == '\u200c' || c == '\u200d' }

// isVariation reports whether a character chooses a form of the one before it.
func isVariation(c rune) bool {
	return c >= 0xfe00 && c <= 0xfe0f || c >= 0xe0100 && c <= 0xe01ef || c >= 0x180b && c <= 0x180d || c == 0x180f
}
