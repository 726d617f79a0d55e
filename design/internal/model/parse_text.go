package model

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/diag"
)

// A SyntaxError is a small text of a design file that cannot be read: a type, a
// template, a condition, a quantity. Whoever has the text's place adds it.
type SyntaxError struct {
	Offset  int // characters of the text before the mistake
	Length  int // characters of the mistake, at least 1
	Message string
	Unknown bool // a name that does not exist, not a broken text
}

// Error is the message.
func (e *SyntaxError) Error() string { return e.Message }

// A reader walks over a text. Positions inside count bytes; what leaves the package
// counts characters.
type reader struct {
	text string
	pos  int
}

func (r *reader) atEnd() bool { return r.pos >= len(r.text) }

// next is the byte ahead, 0 at the end.
func (r *reader) next() byte {
	if r.atEnd() {
		return 0
	}
	return r.text[r.pos]
}

// skip passes over one given byte, and reports whether it was there.
func (r *reader) skip(c byte) bool {
	if r.next() != c || r.atEnd() {
		return false
	}
	r.pos++
	return true
}

func (r *reader) spaces() {
	for !r.atEnd() && isSpace(r.text[r.pos]) {
		r.pos++
	}
}

// run passes over the bytes that belong and gives them.
func (r *reader) run(belongs func(byte) bool) string {
	start := r.pos
	for !r.atEnd() && belongs(r.text[r.pos]) {
		r.pos++
	}
	return r.text[start:r.pos]
}

// fail is an error about the bytes from start up to the current position.
func (r *reader) fail(start int, format string, args ...any) *SyntaxError {
	return failAt(r.text, start, r.pos, format, args...)
}

// failHere is an error about the character ahead.
func (r *reader) failHere(format string, args ...any) *SyntaxError {
	return failAt(r.text, r.pos, r.pos+1, format, args...)
}

// unknown is an error about a name that does not exist, with the nearest that does.
func (r *reader) unknown(start int, name, what string, candidates []string) *SyntaxError {
	e := r.fail(start, "%s%s", what, didYouMean(name, candidates))
	e.Unknown = true
	return e
}

func failAt(text string, start, end int, format string, args ...any) *SyntaxError {
	start = min(start, len(text))
	end = max(start, min(end, len(text)))
	return &SyntaxError{
		Offset:  utf8.RuneCountInString(text[:start]),
		Length:  max(1, utf8.RuneCountInString(text[start:end])),
		Message: fmt.Sprintf(format, args...),
	}
}

// failAll is an error about the whole text.
func failAll(text, format string, args ...any) *SyntaxError {
	return failAt(text, 0, len(text), format, args...)
}

// longestName bounds what is compared with candidates and shown in messages: no
// name a person wrote is longer, and comparing long texts is slow.
const longestName = 64

func didYouMean(name string, candidates []string) string {
	if len(name) > longestName {
		return ""
	}
	return diag.DidYouMean(name, candidates)
}

// shown is a text in quotes, cut if it is long.
func shown(text string) string {
	if utf8.RuneCountInString(text) > longestName {
		text = string([]rune(text)[:longestName]) + "…"
	}
	return `"` + strings.ToValidUTF8(text, "\uFFFD") + `"`
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func isName(c byte) bool { return isLetter(c) || isDigit(c) }

// attributeNames are the names of an entity's attributes, for suggestions.
func attributeNames(e *Entity) []string {
	names := make([]string, len(e.Attributes))
	for i, a := range e.Attributes {
		names[i] = a.Name
	}
	return names
}

// attribute finds an attribute whose name ends at the current position.
func (r *reader) attribute(start int, name string, e *Entity) (*Attribute, *SyntaxError) {
	if a := e.Attribute(name); a != nil {
		return a, nil
	}
	what := fmt.Sprintf("%s has no attribute %s", e.Name, shown(name))
	return nil, r.unknown(start, name, what, attributeNames(e))
}
