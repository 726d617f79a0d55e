package resolve

import (
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"sortkey.dev/design/internal/model"
)

// keyTexts is what a key can be: quick to compare by the literal it begins with, exact
// by its language, which is made only if the literals do not decide.
type keyTexts struct {
	key   *model.Key
	kind  string
	begin string // the literal before the first hole
	once  sync.Once
	lang  *language
}

func newTexts(k *model.Key) *keyTexts {
	t := &keyTexts{key: k, kind: k.Kind()}
	for _, part := range k.Parts() {
		if part.IsHole() {
			break
		}
		t.begin += part.Literal
	}
	return t
}

func (t *keyTexts) language() *language {
	t.once.Do(func() {
		b := newBuilder()
		for _, part := range t.key.Parts() {
			b.part(part, t.key.Template == nil)
		}
		t.lang = b.done()
	})
	return t.lang
}

// CanEqual reports whether two keys can have the same value. It treats the holes of a
// template as independent of each other.
func CanEqual(a, b *model.Key) bool { return meet(newTexts(a), newTexts(b)) }

func meet(a, b *keyTexts) bool {
	switch {
	case a.kind != b.kind:
		return false
	case a.kind != "S":
		return true // any number or bytes
	case apart(a.begin, b.begin):
		return false
	}
	return a.language().intersects(b.language())
}

// apart reports whether no text can begin with both.
func apart(a, b string) bool {
	n := min(len(a), len(b))
	return a[:n] != b[:n]
}

// part adds what a part of a key can be. A natural key may hold the delimiter.
func (b *builder) part(p model.Part, natural bool) {
	if !p.IsHole() {
		b.text(p.Literal)
		return
	}
	b.hole(p.Attribute, p.Filters, natural)
}

func (b *builder) hole(a *model.Attribute, filters []model.Filter, natural bool) {
	for _, f := range filters {
		switch f.Name {
		case model.Lower:
			b.fold = lower
		case model.Upper:
			b.fold = upper
		}
	}
	b.filtered(a, model.Part{Attribute: a, Filters: filters}, natural)
	b.fold = nil
}

func (b *builder) filtered(a *model.Attribute, p model.Part, natural bool) {
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
		if a.Type.Base == model.Geohash {
			b.times(geoChar, f.N)
		} else {
			b.upTo(valueChar, f.N)
		}
		return
	}
	if f, ok := p.Filter(model.Pad); ok {
		b.times(digit, f.N) // longer and negative numbers are refused when a key is built
		return
	}
	b.value(a.Type, natural)
}

// timeShapes are what the filters for times write.
var timeShapes = map[model.FilterName]string{
	model.ByDate: "0000-00-00",
	model.ByMon:  "0000-00",
	model.ByHour: "0000-00-00T00",
}

// shapes are the types that are always written in the same shape.
var shapes = map[model.Base]string{
	model.Timestamp: "0000-00-00T00:00:00.000Z",
	model.Date:      "0000-00-00",
	model.Week:      "0000-W00",
	model.UUID:      "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
	model.UUIDv7:    "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx",
}

const ulidLength = 26

// value adds what a value of the type is as text.
func (b *builder) value(t model.Type, natural bool) {
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
		if natural {
			b.some(anyChar)
		} else {
			b.some(valueChar)
		}
	}
}

func numbersBelow(n int) []string {
	words := make([]string, n)
	for i := range n {
		words[i] = strconv.Itoa(i)
	}
	return words
}

// fixedWidth reports whether all texts of a hole have the same number of characters.
func fixedWidth(p model.Part) bool {
	if f, ok := p.Filter(model.Shard); ok {
		return f.N <= 10
	}
	for name := range timeShapes {
		if _, ok := p.Filter(name); ok {
			return true
		}
	}
	base := p.Attribute.Type.Base
	if _, ok := p.Filter(model.Prefix); ok {
		return base == model.Geohash
	}
	if _, ok := p.Filter(model.Pad); ok {
		return true
	}
	if _, ok := shapes[base]; ok {
		return true
	}
	switch base {
	case model.ULID:
		return true
	case model.Enum:
		values := p.Attribute.Type.Values
		for _, v := range values {
			if utf8.RuneCountInString(v) != utf8.RuneCountInString(values[0]) {
				return false
			}
		}
		return true
	}
	return false
}

// runsOn reports whether a hole cannot be told from what follows it: neither has it a
// fixed width nor does a character follow that it never holds.
func runsOn(parts []model.Part, i int) bool {
	if i+1 == len(parts) || fixedWidth(parts[i]) {
		return false
	}
	if parts[i+1].IsHole() {
		return true
	}
	next, _ := utf8.DecodeRuneInString(parts[i+1].Literal)
	if next == '#' && parts[i].Attribute.Type.Base != model.Enum {
		return false
	}
	return holeLanguage(parts[i]).holds(next)
}

func holeLanguage(p model.Part) *language {
	b := newBuilder()
	b.hole(p.Attribute, p.Filters, false)
	return b.done()
}

// followedByDelimiter reports whether the delimiter comes right after part i.
func followedByDelimiter(parts []model.Part, i int) bool {
	return i+1 < len(parts) && strings.HasPrefix(parts[i+1].Literal, model.Delimiter)
}
