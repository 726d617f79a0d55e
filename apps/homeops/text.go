package homeops

import (
	"strings"
	"unicode/utf8"

	"sortkey.dev/apps/homeops/understanding"
)

// ActivityKey returns the name under which an activity is stored: the id of the catalogue, or the
// words of a free activity, in lower case and shortened.
func ActivityKey(id understanding.ActivityID, name string) string {
	if id != understanding.Free {
		return string(id)
	}
	return Shorten(strings.Join(strings.Fields(strings.ToLower(name)), " "), MaxActivity)
}

// Shorten returns the beginning of a text, at most max bytes of whole characters.
func Shorten(text string, max int) string {
	if len(text) <= max {
		return text
	}
	for max > 0 && !utf8.RuneStart(text[max]) {
		max--
	}
	return strings.TrimSpace(text[:max])
}
