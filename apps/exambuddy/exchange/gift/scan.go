package gift

import (
	"html"
	"strings"
	"unicode"

	"sortkey.dev/internal/lazyregexp"
)

// A char is a character of a question. A literal one was escaped and has no meaning for the syntax.
type char struct {
	r       rune
	literal bool
}

// scan resolves the escapes of a text.
func scan(text string) []char {
	var all []char
	escaped := false
	for _, r := range text {
		switch {
		case escaped && r == 'n':
			all = append(all, char{'\n', true})
			escaped = false
		case escaped && strings.ContainsRune(`~=#{}:\>%[]/$-`, r):
			all = append(all, char{r, true})
			escaped = false
		case escaped: // not an escape of the format
			all = append(all, char{'\\', true}, char{r, false})
			escaped = false
		case r == '\\':
			escaped = true
		default:
			all = append(all, char{r, false})
		}
	}
	if escaped {
		all = append(all, char{'\\', true})
	}
	return all
}

// plain returns the text of characters without white space around it.
func plain(chars []char) string {
	start, end := 0, len(chars)
	for start < end && !chars[start].literal && unicode.IsSpace(chars[start].r) {
		start++
	}
	for end > start && !chars[end-1].literal && unicode.IsSpace(chars[end-1].r) {
		end--
	}
	var b strings.Builder
	for _, c := range chars[start:end] {
		b.WriteRune(c.r)
	}
	return b.String()
}

// index returns the place of a sequence without escapes; -1 if there is none.
func index(chars []char, sequence string) int {
	want := []rune(sequence)
next:
	for i := 0; i+len(want) <= len(chars); i++ {
		for j, r := range want {
			if chars[i+j].r != r || chars[i+j].literal {
				continue next
			}
		}
		return i
	}
	return -1
}

// cut splits characters at a sequence without escapes.
func cut(chars []char, sequence string) (before, after []char, found bool) {
	i := index(chars, sequence)
	if i < 0 {
		return chars, nil, false
	}
	return chars[:i], chars[i+len([]rune(sequence)):], true
}

// trimLeft removes white space from the beginning.
func trimLeft(chars []char) []char {
	for len(chars) > 0 && !chars[0].literal && unicode.IsSpace(chars[0].r) {
		chars = chars[1:]
	}
	return chars
}

var (
	tag       = lazyregexp.New(`<[^<>]*>`)
	lineBreak = lazyregexp.New(`(?i)<(br|/p|/div|/li|/tr|/h[1-6])\b[^<>]*>`)
	silentTag = lazyregexp.New(`(?i)^</?(p|br|div|span|b|i|em|strong|u|font|li|ul|ol)\b`)
)

// fromHTML returns the text of HTML, and the tags whose loss changes the question.
func fromHTML(text string) (string, []string) {
	var lost []string
	for _, t := range tag.FindAllString(text, -1) {
		if !silentTag.MatchString(t) {
			lost = append(lost, t)
		}
	}
	text = lineBreak.ReplaceAllString(text, "\n")
	return strings.TrimSpace(html.UnescapeString(tag.ReplaceAllString(text, ""))), lost
}

// escape writes a text so that no character has a meaning for the syntax.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `~`, `\~`, `=`, `\=`, `#`, `\#`, `{`, `\{`, `}`, `\}`, `:`, `\:`, "->", `-\>`, "\n", `\n`).Replace(text)
}
