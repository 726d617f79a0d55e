package keytext

import (
	"regexp"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/model"
)

// Form returns the regular expression of the texts that a key can have: those of its language.
func Form(k *model.Key) string {
	b := newBuilder()
	b.expr = &expression{}
	for _, part := range k.Parts() {
		b.part(part, k.Template == nil)
	}
	return b.expr.String()
}

// LooseForm returns the regular expression of the texts that a key has if its values are not what
// their types say: only their ends and fixed widths count. Generated code tells items by it where
// that is enough.
func LooseForm(k *model.Key) string {
	b := newBuilder()
	b.expr = &expression{}
	b.loose(k)
	return b.expr.String()
}

// Alike reports whether the forms of two keys do not tell them apart by literals and widths alone,
// so that the characters of their values must.
func Alike(a, b *model.Key) bool {
	x, y := newValues(a), newValues(b)
	switch {
	case x.kind != y.kind:
		return false
	case x.kind != "S":
		return true
	case a.Template != nil && b.Template != nil && apart(x.begin, y.begin):
		return false
	}
	return looseLanguage(a).intersects(looseLanguage(b))
}

func looseLanguage(k *model.Key) *language {
	b := newBuilder()
	b.loose(k)
	return b.done()
}

func (b *builder) loose(k *model.Key) {
	for _, part := range k.Parts() {
		switch width := part.Width(); {
		case !part.IsHole():
			b.text(part.Literal)
		case part.Open || k.Template == nil:
			b.some(anyChar)
		case len(part.Filters) == 0 && part.Delimiter.IsIn(part.Attribute.Type):
			b.times(anyChar, width)
		case width > 0:
			b.times(textChar(false, part.Delimiter), width)
		default:
			b.some(textChar(false, part.Delimiter))
		}
	}
}

// An expression is a regular expression in the making: characters, each with how often it comes.
// A nil expression writes nothing.
type expression struct {
	atoms  []atom
	paused bool
}

type atom struct {
	text     string
	min, max int // max is -1 without a limit
}

// one adds a character of a set.
func (x *expression) one(b *builder, set charset) {
	if x == nil || x.paused {
		return
	}
	text := classOf(b.folded(set))
	if last := len(x.atoms) - 1; last >= 0 && x.atoms[last].text == text && x.atoms[last].min == x.atoms[last].max {
		x.atoms[last].min++
		x.atoms[last].max++
		return
	}
	x.atoms = append(x.atoms, atom{text, 1, 1})
}

// fewer lets up to n of the last characters be missing.
func (x *expression) fewer(n int) {
	if x != nil && !x.paused {
		x.atoms[len(x.atoms)-1].min -= n
	}
}

// more lets the last character come more often.
func (x *expression) more() {
	if x != nil && !x.paused {
		x.atoms[len(x.atoms)-1].max = -1
	}
}

// pause stops writing until the function it returns writes a choice of words.
func (x *expression) pause() func(*builder, []string) {
	if x == nil || x.paused {
		return func(*builder, []string) {}
	}
	x.paused = true
	return func(b *builder, words []string) {
		x.paused = false
		quoted := make([]string, len(words))
		for i, word := range words {
			if b.fold != nil {
				word = b.fold(word)
			}
			quoted[i] = regexp.QuoteMeta(word)
		}
		x.atoms = append(x.atoms, atom{"(" + strings.Join(quoted, "|") + ")", 1, 1})
	}
}

// String returns the expression, which matches whole texts.
func (x *expression) String() string {
	var b strings.Builder
	b.WriteString("^")
	for _, a := range x.atoms {
		b.WriteString(a.text)
		switch {
		case a.min == 1 && a.max == 1:
		case a.max < 0 && a.min == 1:
			b.WriteString("+")
		case a.max < 0:
			b.WriteString("{" + strconv.Itoa(a.min) + ",}")
		case a.min == 0 && a.max == 1:
			b.WriteString("?")
		case a.min == a.max:
			b.WriteString("{" + strconv.Itoa(a.min) + "}")
		default:
			b.WriteString("{" + strconv.Itoa(a.min) + "," + strconv.Itoa(a.max) + "}")
		}
	}
	return b.String() + "$"
}

// classOf returns a set of characters as regular expressions write it.
func classOf(set charset) string {
	if len(set) == 1 && set[0].low == set[0].high {
		return regexp.QuoteMeta(string(set[0].low))
	}
	if len(set) == 1 && set[0] == anyChar[0] {
		return "(?s:.)"
	}
	if last := len(set) - 1; last > 0 && set[0].low == 0 && set[last].high == Largest { // all but a few
		var rest charset
		for i := range last {
			rest = append(rest, span{set[i].high + 1, set[i+1].low - 1})
		}
		return "[^" + spansOfClass(rest) + "]"
	}
	return "[" + spansOfClass(set) + "]"
}

func spansOfClass(set charset) string {
	var b strings.Builder
	for _, s := range set {
		b.WriteString(classChar(s.low))
		if s.high > s.low {
			b.WriteString("-" + classChar(s.high))
		}
	}
	return b.String()
}

func classChar(c rune) string {
	if strings.ContainsRune(`]^\-`, c) {
		return `\` + string(c)
	}
	return string(c)
}
