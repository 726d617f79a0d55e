package timewords

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"sortkey.dev/apps/homeops/understanding"
)

// A table holds the time words of one language.
type table struct {
	phrases  map[string]Expression // several words are joined by a space
	longest  int                   // words of the longest phrase
	numbers  map[string]int
	units    map[string]span
	weekdays map[string]time.Weekday
	months   map[string]time.Month
	// grammar finds expressions that have a number or a weekday in them, at position i.
	grammar func(t *table, words []string, i int) (Expression, int)
}

// tables holds the table of each language.
var tables = sync.OnceValue(func() map[understanding.Locale]*table {
	return map[understanding.Locale]*table{
		understanding.Swedish: swedish(),
		understanding.English: english(),
	}
})

// at returns the longest expression at position i and the number of its words.
func (t *table) at(words []string, i int) (Expression, int) {
	e, length := t.grammar(t, words, i)
	for n := min(t.longest, len(words)-i); n > length; n-- {
		if found, ok := t.phrases[strings.Join(words[i:i+n], " ")]; ok {
			return found, n
		}
	}
	return e, length
}

// newTable returns a table with the phrases of lists. Phrases are separated by commas.
func newTable(lists map[string]Expression) *table {
	t := &table{phrases: map[string]Expression{}}
	for list, e := range lists {
		for phrase := range strings.SplitSeq(list, ",") {
			phrase = strings.TrimSpace(phrase)
			t.phrases[phrase] = e
			t.longest = max(t.longest, len(strings.Fields(phrase)))
		}
	}
	return t
}

// word returns the word at position i, or "".
func word(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i]
}

// number returns the value of a number in digits or words.
func (t *table) number(w string) (int, bool) {
	if n, ok := t.numbers[w]; ok {
		return n, true
	}
	n, err := strconv.Atoi(w)
	return n, err == nil && n >= 0 && n <= 999
}

// distance reads "en timme", "20 min", "en halv timme" or "ett par timmar" at position i, and
// returns the number of words.
func (t *table) distance(words []string, i int) (span, int) {
	if u, ok := t.units[word(words, i)]; ok && u.set && u.seconds == 30*60 { // halvtimme
		return u, 1
	}
	n, ok := t.number(word(words, i))
	if !ok {
		return span{}, 0
	}
	length := 1
	half := false
	switch next := word(words, i+1); {
	case next == "halv", next == "half":
		half, length = true, 2
		if w := word(words, i+2); w == "a" || w == "an" {
			length = 3
		}
	case next == "par", next == "couple", next == "few":
		n, length = 2, 2
		if word(words, i+2) == "of" {
			length = 3
		}
	}
	u, ok := t.units[word(words, i+length)]
	if !ok {
		return span{}, 0
	}
	if half {
		return span{set: true, seconds: u.seconds / 2}, length + 1
	}
	return span{set: true, months: n * u.months, days: n * u.days, seconds: n * u.seconds}, length + 1
}

// hours reads a time of day such as 16, 15.30, 8:00, 4pm or "4 pm", and returns the number of
// words. bare reports that it stands without minutes and without pm, so that it needs a word such
// as "kl" before it.
func (t *table) hours(words []string, i int) (c clock, length int, bare bool) {
	text := word(words, i)
	half := ""
	for _, suffix := range []string{"am", "pm"} {
		if digits, ok := strings.CutSuffix(text, suffix); ok && digits != "" {
			text, half = digits, suffix
		}
	}
	length = 1
	if next := word(words, i+1); half == "" && (next == "am" || next == "pm") {
		half, length = next, 2
	}
	h, m, minutes := strings.Cut(strings.Replace(text, ".", ":", 1), ":")
	hour, ok := t.hour(h, minutes || half != "")
	minute := 0
	if minutes {
		n, err := strconv.Atoi(m)
		if ok = ok && err == nil && len(m) == 2 && n < 60; ok {
			minute = n
		}
	}
	if !ok || hour > 24 || half != "" && (hour == 0 || hour > 12) {
		return clock{}, 0, false
	}
	c = clock{set: true, hour: hour % 24, minute: minute, exact: hour > 12 || hour == 0 || half != "" || len(h) == 2 && h[0] == '0'}
	switch {
	case half == "pm" && hour < 12:
		c.hour += 12
	case half == "am" && hour == 12:
		c.hour = 0
	}
	return c, length, !minutes && half == ""
}

// hour returns an hour in digits, or in words unless digits are demanded.
func (t *table) hour(w string, digits bool) (int, bool) {
	if !digits {
		if n, ok := t.numbers[w]; ok {
			return n, n >= 1 && n <= 12
		}
	}
	n, err := strconv.Atoi(w)
	return n, err == nil && len(w) <= 2 && n >= 0
}
