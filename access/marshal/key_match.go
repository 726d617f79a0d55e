package marshal

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// wideMark begins a part of a template that Wide made. No literal of a design does.
const wideMark = "\x00"

// Wide returns a part of a template that stands for a value of exactly n characters, such as
// a date. What follows such a value need not be a border.
func Wide(n int) string { return wideMark + string(rune(n)) }

// Rest is the last part of a template that ends with a value of any text, which may hold the
// delimiter.
const Rest = wideMark + "\x00"

// WideTime is like Wide for an instant in a key whose delimiter is the colon, which the instant
// holds.
const WideTime = wideMark + "\x18" + wideMark

// By returns the first part of a template whose delimiter is another than #.
func By(border string) string { return Rest + border }

// Matches reports whether a text can have been made from a template. A part of the
// template is a literal, "" for a value, which is not empty and holds no delimiter,
// what Wide makes, or Rest. What By makes may come first.
func Matches(text string, template ...string) bool {
	_, ok := match(text, template, -1)
	return ok
}

// forms keeps the regular expressions of HasForm.
var forms sync.Map // of *regexp.Regexp, by their text

// HasForm reports whether a text matches a regular expression: that of the keys of an entity where
// another entity has keys of the same template. A ULID is told from a padded number by it.
func HasForm(text, form string) bool {
	compiled, ok := forms.Load(form)
	if !ok {
		compiled, _ = forms.LoadOrStore(form, regexp.MustCompile(form))
	}
	return compiled.(*regexp.Regexp).MatchString(text)
}

// Part returns the text of the i-th value in a text made from a template. Where a value could
// end at several places, it ends at the first.
func Part(text string, template []string, i int) (string, bool) {
	if i < 0 {
		return "", false
	}
	m, ok := match(text, template, i)
	return m.part, ok && m.seen > i
}

// matching holds how far a text was compared with a template.
type matching struct {
	text string
	at   int    // the bytes of text compared
	seen int    // the values found
	want int    // the value to keep, and its text
	part string //
	by   byte   // the delimiter
}

func match(text string, template []string, want int) (matching, bool) {
	m := matching{text: text, want: want, by: delimiter}
	if len(template) > 0 && len(template[0]) > len(Rest) && strings.HasPrefix(template[0], Rest) {
		m.by, template = template[0][len(Rest)], template[1:]
	}
	for i := 0; i < len(template); {
		open := template[i] == "" // a value comes whose end is where what follows it begins
		if open {
			i++
		}
		end := i
		for end < len(template) && template[end] != "" {
			end++
		}
		fixed, last := template[i:end], end == len(template)
		switch {
		case !open:
			if !m.fixed(fixed, last) {
				return m, false
			}
		case !m.open(fixed, last):
			return m, false
		}
		i = end
	}
	return m, m.at == len(text)
}

// open compares a value of any width and the parts behind it. The first place where they
// fit is as good as any other: a later one leaves what follows less room, and no
// delimiter can lie between the two, because the value holds none.
func (m *matching) open(fixed []string, last bool) bool {
	start := m.at
	for at := start; at < len(m.text); {
		if m.text[at] == m.by {
			return false
		}
		_, size := utf8.DecodeRuneInString(m.text[at:])
		at += size
		if last && len(fixed) == 0 && at < len(m.text) {
			continue
		}
		next := *m
		next.value(start, at)
		if next.fixed(fixed, last) {
			*m = next
			return true
		}
	}
	return false
}

// fixed compares parts whose width is known. The last ones end where the text does.
func (m *matching) fixed(parts []string, last bool) bool {
	for _, part := range parts {
		if part == Rest {
			if m.at == len(m.text) {
				return false
			}
			m.value(m.at, len(m.text))
			continue
		}
		if n, ok := wide(part); ok {
			start := m.at
			for range n {
				if m.at == len(m.text) || m.text[m.at] == m.by && part != WideTime {
					return false
				}
				_, size := utf8.DecodeRuneInString(m.text[m.at:])
				m.at += size
			}
			m.value(start, m.at)
			continue
		}
		if !strings.HasPrefix(m.text[m.at:], part) {
			return false
		}
		m.at += len(part)
	}
	return !last || m.at == len(m.text)
}

func (m *matching) value(start, end int) {
	if m.seen == m.want {
		m.part = m.text[start:end]
	}
	m.seen++
	m.at = end
}

func wide(part string) (int, bool) {
	if len(part) < 2 || part[:1] != wideMark {
		return 0, false
	}
	n, _ := utf8.DecodeRuneInString(part[1:])
	return int(n), true
}
