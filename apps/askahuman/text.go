package askahuman

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/apps/internal/refusal"
)

func UnlessEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// CheckText rejects invalid UTF-8 and control characters. Line breaks and tabs are allowed if
// lines is set.
func CheckText(field, text string, lines bool) error {
	if !utf8.ValidString(text) {
		return refusal.OfField(refusal.Field{Name: field, Constraint: "format"}, "This is not text in UTF-8.")
	}
	for _, c := range text {
		if lines && (c == '\n' || c == '\t') {
			continue
		}
		if unicode.IsControl(c) {
			return refusal.OfField(refusal.Field{Name: field, Constraint: "format"}, "Control characters are not allowed here.")
		}
	}
	return nil
}

// Tidy trims space, unifies line ends and removes invisible characters. Invisible characters
// make two options look alike, hide words from people that programs read, and reverse the
// order of letters. They are removed rather than rejected, because a person who pasted one
// cannot see what to change. Invalid UTF-8 is returned unchanged, to be rejected later.
func Tidy(text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	last := ' '       // last rune written
	joiner := rune(0) // pending joiner, written if something visible follows
	write := func(c rune) { b.WriteRune(c); last = c }
	for _, c := range strings.NewReplacer("\r\n", "\n", "\u2028", "\n", "\u2029", "\n", "\u2800", " ").Replace(text) {
		switch {
		case isHidden(c):
		case isJoiner(c):
			switch {
			case joiner != 0 || unicode.IsSpace(last) || isJoiner(last):
			case unicode.Is(unicode.M, last) && !isVariation(last): // Indic scripts end words this way
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

// isHidden reports whether a character is invisible and no honest text needs it: direction
// overrides, zero-width spaces, fillers and tag characters.
func isHidden(c rune) bool {
	switch {
	case isJoiner(c), isVariation(c):
		return false
	case c == '\u200e', c == '\u200f', c == '\u061c':
		return true // direction marks; letters already have a direction
	case c == '\u034f', c == '\u115f', c == '\u1160', c == '\u17b4', c == '\u17b5', c == '\u3164', c == '\uffa0':
		return true // empty letters and marks
	case unicode.Is(unicode.Prepended_Concatenation_Mark, c):
		return false // visible characters that count as formatting
	}
	return unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Co, c)
}

// isJoiner reports whether a character joins or separates its neighbours, as emoji and the
// Persian and Indic scripts need. It has no effect without neighbours.
func isJoiner(c rune) bool { return unicode.Is(unicode.Join_Control, c) }

// isVariation reports whether a character selects a variant of the previous one.
func isVariation(c rune) bool { return unicode.Is(unicode.Variation_Selector, c) }
