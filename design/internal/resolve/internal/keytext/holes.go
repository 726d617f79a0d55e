package keytext

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/model"
)

// part adds the texts of a part of a key. A natural key and an open hole may hold the delimiter.
func (b *builder) part(p model.Part, natural bool) {
	if !p.IsHole() {
		b.text(p.Literal)
		return
	}
	b.hole(p, natural || p.Open)
}

func (b *builder) hole(p model.Part, natural bool) {
	for _, f := range p.Filters {
		switch f.Name {
		case model.Lower:
			b.fold = lower
		case model.Upper:
			b.fold = upper
		}
	}
	b.filtered(p, natural)
	b.fold = nil
}

func (b *builder) filtered(p model.Part, natural bool) {
	t := p.Attribute.Type
	if f, ok := p.Filter(model.Shard); ok {
		b.choice(numbersBelow(f.N))
		return
	}
	for name, shape := range timeShapes {
		if _, ok := p.Filter(name); ok {
			b.shape(shape)
			return
		}
	}
	if f, ok := p.Filter(model.Prefix); ok {
		if t.Base == model.Geohash {
			b.times(geoChar, f.N)
		} else if _, grows := p.Filter(model.Escape); grows {
			b.some(textChar(false, p.Delimiter))
		} else {
			b.upTo(textChar(natural, p.Delimiter), f.N)
		}
		return
	}
	if f, ok := p.Filter(model.Pad); ok {
		b.times(digit, f.N) // longer and negative numbers are refused when a key is built
		return
	}
	b.value(t, textChar(natural, p.Delimiter))
}

// timeShapes maps the filters for times to examples of what they write.
var timeShapes = map[model.FilterName]string{
	model.ByYear: "0000",
	model.ByMon:  "0000-00",
	model.ByDate: "0000-00-00",
	model.ByHour: "0000-00-00T00",
}

// shapes maps the types that are always written in the same shape to examples.
var shapes = map[model.Base]string{
	model.Timestamp: "0000-00-00T00:00:00.000Z",
	model.Date:      "0000-00-00",
	model.Week:      "0000-W00",
	model.UUID:      "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
	model.UUIDv7:    "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx",
}

const ulidLength = 26

// value adds the texts of the values of a type, with the characters of free text.
func (b *builder) value(t model.Type, text charset) {
	if shape, ok := shapes[t.Base]; ok {
		b.shape(shape)
		return
	}
	switch t.Base {
	case model.Integer, model.Unixtime:
		b.optional('-')
		b.some(digit)
	case model.Numeric, model.Decimal:
		b.some(number)
	case model.Bool:
		b.choice([]string{"true", "false"})
	case model.Enum:
		b.choice(t.Values)
	case model.ULID:
		b.one(charset{{'0', '7'}})
		b.times(crockford, ulidLength-1)
	case model.Geohash:
		b.some(geoChar)
	default:
		b.some(text)
	}
}

// textChar returns the characters of free text, with or without the delimiter.
func textChar(with bool, d model.Delimiter) charset {
	if with {
		return anyChar
	}
	c := first(d.String())
	return charset{{0, c - 1}, {c + 1, Largest}}
}

// first returns the first character of a text.
func first(s string) rune {
	c, _ := utf8.DecodeRuneInString(s)
	return c
}

func numbersBelow(n int) []string {
	words := make([]string, n)
	for i := range n {
		words[i] = strconv.Itoa(i)
	}
	return words
}

// FixedWidth reports whether all texts of a hole have the same number of characters.
func FixedWidth(p model.Part) bool {
	if f, ok := p.Filter(model.Shard); ok {
		return f.N <= 10
	}
	if _, ok := p.Filter(model.Prefix); ok && !IsBucket(p) {
		return p.Attribute.Type.Base == model.Geohash
	}
	if _, ok := p.Filter(model.Pad); ok || IsBucket(p) {
		return true
	}
	t := p.Attribute.Type
	return t.Base == model.ULID || shapes[t.Base] != "" || t.Base == model.Enum && sameWidth(t.Values)
}

// sameWidth reports whether all texts have the same number of characters.
func sameWidth(texts []string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		return utf8.RuneCountInString(s) != utf8.RuneCountInString(texts[0])
	})
}

// IsBucket reports whether a part is the year, month, day or hour of its attribute.
func IsBucket(p model.Part) bool { return p.Period() != "" }

// KeepsValue reports whether a part that has the right text means that the attribute has
// the right value. Lower and upper are there so that spelling does not matter; the other
// filters only narrow the search.
func KeepsValue(p model.Part) bool {
	for _, f := range p.Filters {
		switch f.Name {
		case model.Pad, model.Lower, model.Upper, model.Escape:
		default:
			return false
		}
	}
	return true
}

// SortsBeforeDelimiter reports whether a hole can hold a character that sorts before the
// delimiter, such as a space before #, so that a b# comes before a#.
func SortsBeforeDelimiter(p model.Part) bool {
	delimiter := first(p.Delimiter.String())
	for _, at := range holeLanguage(p).states {
		if slices.ContainsFunc(at.steps, func(s step) bool { return s.low < delimiter }) {
			return true
		}
	}
	return false
}

// Unsorted reports whether keys do not sort by the value of the hole at i, because the
// delimiter behind it sorts after characters of the value: ab| comes before a|. Before #
// sort only a space, ! and ", for which there is a finding of its own.
func Unsorted(parts []model.Part, i int) bool {
	p := parts[i]
	if p.Delimiter.IsDefault() || FixedWidth(p) || !FollowedByDelimiter(parts, i) {
		return false
	}
	if p.Attribute.Type.Base != model.Enum {
		return SortsBeforeDelimiter(p)
	}
	sorted := slices.Sorted(slices.Values(p.Attribute.Type.Values))
	return !slices.IsSortedFunc(sorted, func(a, b string) int {
		return strings.Compare(a+p.Delimiter.String(), b+p.Delimiter.String())
	})
}

// RunsOn reports whether nothing marks the end of the hole at i: it has no fixed width,
// and the next character may be part of its value.
func RunsOn(parts []model.Part, i int) bool {
	if i+1 == len(parts) || FixedWidth(parts[i]) {
		return false
	}
	if parts[i+1].IsHole() {
		return true
	}
	next := first(parts[i+1].Literal)
	if FollowedByDelimiter(parts, i) && parts[i].Attribute.Type.Base != model.Enum {
		return false
	}
	return holeLanguage(parts[i]).holds(next)
}

func holeLanguage(p model.Part) *language {
	b := newBuilder()
	b.hole(p, p.Open)
	return b.done()
}

// FollowedByDelimiter reports whether the delimiter comes right after part i.
func FollowedByDelimiter(parts []model.Part, i int) bool {
	return i+1 < len(parts) && strings.HasPrefix(parts[i+1].Literal, parts[i].Delimiter.String())
}
