package model

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/diag"
)

// A SyntaxError is an error in a text of a design file: a type, a template, a condition, a
// quantity. Its offset is relative to the text.
type SyntaxError struct {
	Offset  int // characters of the text before the error
	Length  int // characters of the error, at least 1
	Message string
	Unknown bool // a name that does not exist, not a broken text
}

// Error returns the message.
func (e *SyntaxError) Error() string { return e.Message }

// A reader scans a text. Its positions are bytes; those in errors are characters.
type reader struct {
	text string
	pos  int
}

func (r *reader) atEnd() bool { return r.pos >= len(r.text) }

// next returns the next byte, 0 at the end.
func (r *reader) next() byte {
	if r.atEnd() {
		return 0
	}
	return r.text[r.pos]
}

// skip consumes the given byte, and reports whether it was next.
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

// run consumes and returns the bytes for which belongs returns true.
func (r *reader) run(belongs func(byte) bool) string {
	start := r.pos
	for !r.atEnd() && belongs(r.text[r.pos]) {
		r.pos++
	}
	return r.text[start:r.pos]
}

// fail returns an error about the bytes from start up to the current position.
func (r *reader) fail(start int, format string, args ...any) *SyntaxError {
	return failAt(r.text, start, r.pos, format, args...)
}

// failHere returns an error about the next character.
func (r *reader) failHere(format string, args ...any) *SyntaxError {
	return failAt(r.text, r.pos, r.pos+1, format, args...)
}

// unknown returns an error about an unknown name, with the nearest known one.
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

// failAll returns an error about the whole text.
func failAll(text, format string, args ...any) *SyntaxError {
	return failAt(text, 0, len(text), format, args...)
}

// longestName is the maximum length of names that are compared with candidates and shown in
// messages, because comparing long texts is slow.
const longestName = 64

func didYouMean(name string, candidates []string) string {
	if len(name) > longestName {
		return ""
	}
	return diag.DidYouMean(name, candidates)
}

// shown returns a text in quotes, truncated if it is long.
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

// attributeNames returns the names of an entity's attributes, for suggestions.
func attributeNames(e *Entity) []string {
	names := make([]string, len(e.Attributes))
	for i, a := range e.Attributes {
		names[i] = a.Name
	}
	return names
}

// attribute returns the attribute whose name ends at the current position.
func (r *reader) attribute(start int, name string, e *Entity) (*Attribute, *SyntaxError) {
	if a := e.Attribute(name); a != nil {
		return a, nil
	}
	what := fmt.Sprintf("%s has no attribute %s", e.Name, shown(name))
	return nil, r.unknown(start, name, what, attributeNames(e))
}
