package ecobid

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"sortkey.dev/apps/internal/refusal"
	"sortkey.dev/internal/lazyregexp"
)

// Text returns a text of one line or several without white space around it, or the refusal of a
// length outside the bounds. Name is the domain's name of the value.
func Text(name, text string, least, most int) (string, error) {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' || r == utf8.RuneError {
			return -1
		}
		return r
	}, text))
	if n := utf8.RuneCountInString(text); n < least || n > most {
		message := fmt.Sprintf("Write at most %d characters.", most)
		if least > 0 {
			message = fmt.Sprintf("Write %d to %d characters.", least, most)
		}
		return "", refusal.OutOfRange(name, "length", least, most, "%s", message)
	}
	return text, nil
}

// Optional returns a text as an optional value: nil if it is empty.
func Optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// OneOf returns the refusal of a value that is not allowed; nil if it is.
func OneOf[T ~string](name string, value T, allowed ...T) error {
	texts := make([]string, len(allowed))
	for i, a := range allowed {
		if a == value {
			return nil
		}
		texts[i] = string(a)
	}
	return refusal.OfField(refusal.Field{Name: name, Constraint: "allowed", Allowed: texts}, "Choose one of %s.", strings.Join(texts, ", "))
}

// contact matches e-mail addresses, links and numbers of at least seven digits.
var contact = lazyregexp.New(`(?i)[\w.+-]+@[\w-]+\.[\w.-]+|https?://\S+|www\.\S+|\+?\d[\d ()/.-]{5,}\d`)

// Mask replaces phone numbers, e-mail addresses and links in a text. Messages are masked until a
// pickup is confirmed.
func Mask(text string) string { return contact.ReplaceAllString(text, "[hidden]") }
