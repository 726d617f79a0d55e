// Package keytext knows the texts of keys: which values a key of a template can have, as
// small automata, and how requests write the values and ranges of keys.
//
// It knows neither reads nor writes. The rooms of resolve that plan them build the keys
// of their requests here.
package keytext

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/model"
)

// A Text is the value of a key in a request: literals and values given by the caller.
type Text []TextPart

// A TextPart is a literal, or a value with the filters that shape it: it is a literal
// if Value is nil. Constants are literals with their filters applied.
type TextPart struct {
	Literal   string
	Value     *model.Operand
	Attribute *model.Attribute
	Filters   []model.Filter
	Open      bool // the text may contain the delimiter, see [model.Part]
	Delimiter model.Delimiter
	Before    bool // the last text that sorts before this one, see [Before]: writes an exclusive bound
	Up        bool // an instant finer than what is stored is rounded up, see [RoundsUp]
	// Each says that there is one request for each value: each of Values, each of the
	// values the parameter lists, or with a shard filter each number below its N.
	Each   bool
	Values []model.Operand // of Each, if the design lists them
	// Shards is not 0 if the part is the number of a shard: with Each every number below
	// it, else any from FirstShard on, chosen when the request is made.
	Shards, FirstShard int64
	// Span is not nil if the part is a period of a range of time, with Each: there is one
	// request for each period that the range touches.
	Span *Span
}

// A Span is a range of an attribute whose items are divided into partitions by periods of time.
type Span struct {
	Range *model.Condition // between two instants
	Unit  model.FilterName // the shortest period in the key: year, month, date or hour
	Most  int64            // maximum number of periods; a longer range is an error
}

// Units returns the periods in the words of people: months.
func (s *Span) Units() string {
	word, _ := s.Unit.Period()
	return word + "s"
}

// With returns the text followed by more parts. Adjacent literals become one.
func (t Text) With(parts ...TextPart) Text {
	all := slices.Clone(t)
	for _, p := range parts {
		last := len(all) - 1
		switch {
		case p.Value == nil && p.Literal == "":
		case p.Value == nil && last >= 0 && all[last].Value == nil:
			all[last].Literal += p.Literal
		default:
			all = append(all, p)
		}
	}
	return all
}

// Literal returns a part that is the same in every request.
func Literal(s string) TextPart { return TextPart{Literal: s} }

// Hole returns the part that the hole of a key makes of a value.
func Hole(v model.Operand, p model.Part) TextPart {
	if v.IsConstant() {
		if text, ok := filterConstant(v.Constant, p); ok {
			return Literal(text)
		}
	}
	return TextPart{Value: &v, Attribute: p.Attribute, Filters: p.Filters, Open: p.Open, Delimiter: p.Delimiter}
}

// Part returns the hole that wrote the part.
func (p TextPart) Part() model.Part {
	return model.Part{Attribute: p.Attribute, Filters: p.Filters, Open: p.Open, Delimiter: p.Delimiter}
}

// Of returns the text of a key whose holes have the given values.
func Of(key *model.Key, value func(*model.Attribute) model.Operand) Text {
	var text Text
	for _, part := range key.Parts() {
		if part.IsHole() {
			text = text.With(Hole(value(part.Attribute), part))
		} else {
			text = text.With(Literal(part.Literal))
		}
	}
	return text
}

// filterConstant writes a constant as a hole would. It refuses shards, whose number only
// the code that writes items computes, and times that it cannot parse.
func filterConstant(text string, p model.Part) (string, bool) {
	for _, f := range p.Filters {
		switch f.Name {
		case model.Pad:
			if strings.HasPrefix(text, "-") {
				return "", false // no key holds it
			}
			text = strings.Repeat("0", max(0, f.N-len(text))) + text
		case model.Lower:
			text = lower(text)
		case model.Upper:
			text = upper(text)
		case model.Prefix:
			runes := []rune(text)
			text = string(runes[:min(f.N, len(runes))])
		case model.Escape:
			text = p.Delimiter.Escape(text)
		case model.Shard:
			return "", false
		default:
			width := len(timeShapes[f.Name])
			if p.Attribute.Type.Base != model.Timestamp || len(text) < width {
				return "", false
			}
			text = text[:width]
		}
	}
	return text, true
}

// Before returns the last text that sorts before another: its last character lowered by
// one, then the largest character there is. Only texts that go on with that character,
// which is not assigned and never will be, lie between the two.
func Before(text string) string {
	last, size := utf8.DecodeLastRuneInString(text)
	rest := text[:len(text)-size]
	switch {
	case last == 0 || text == "":
		return rest
	case last == 0xE000: // surrogates are no characters
		return rest + "\uD7FF" + string(Largest)
	}
	return rest + string(last-1) + string(Largest)
}

// before returns the exclusive upper bound that a value makes.
func before(p TextPart) TextPart {
	if p.Value == nil {
		return Literal(Before(p.Literal))
	}
	p.Before = true
	return p
}

// String returns the text as people read it: USER#{email|lower}.
func (t Text) String() string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.String())
	}
	return b.String()
}

// Exact returns the text as a request holds it, with the characters that cannot be seen.
func (t Text) Exact() string {
	var b strings.Builder
	for _, p := range t {
		if p.Value == nil {
			b.WriteString(p.Literal)
		} else {
			b.WriteString(p.String())
		}
	}
	return b.String()
}

// String returns the literal, or the value in braces with its filters.
func (p TextPart) String() string {
	if p.Value == nil {
		return visible.Replace(p.Literal)
	}
	var b strings.Builder
	b.WriteString("{" + strings.TrimPrefix(p.Value.String(), "$"))
	for _, f := range p.Filters {
		b.WriteString("|" + string(f.Name))
		if f.N > 0 {
			b.WriteString(" " + strconv.Itoa(f.N))
		}
	}
	if p.Before {
		b.WriteString("|before")
	}
	b.WriteString("}")
	return b.String()
}

// visible writes the smallest and the largest character so that they can be seen.
var visible = strings.NewReplacer("\x00", `\u{0}`, string(Largest), `\u{10FFFF}`)

// constants returns the texts of the values that a part takes one after the other, if the
// design lists them all.
func (p TextPart) constants() []string {
	var words []string
	for _, v := range p.Values {
		word, ok := filterConstant(v.Constant, p.Part())
		if !ok || !v.IsConstant() {
			return nil
		}
		words = append(words, word)
	}
	return words
}

// Split cuts off the beginning that two texts share.
func Split(a, b Text) (same, restA, restB Text) {
	n := 0
	for n < min(len(a), len(b)) && samePart(a[n], b[n]) {
		n++
	}
	same, restA, restB = a[:n], a[n:], b[n:]
	if len(restA) == 0 || len(restB) == 0 || restA[0].Value != nil || restB[0].Value != nil {
		return same, restA, restB
	}
	shared := sharedPrefix(restA[0].Literal, restB[0].Literal)
	cut := func(t Text) Text { return Text{}.With(Literal(t[0].Literal[len(shared):])).With(t[1:]...) }
	return same.With(Literal(shared)), cut(restA), cut(restB)
}

func sharedPrefix(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) {
		x, size := utf8.DecodeRuneInString(a[n:])
		if y, _ := utf8.DecodeRuneInString(b[n:]); x != y {
			break
		}
		n += size
	}
	return a[:n]
}

func samePart(a, b TextPart) bool {
	if a.Value == nil || b.Value == nil {
		return a.Value == nil && b.Value == nil && a.Literal == b.Literal
	}
	return *a.Value == *b.Value && a.String() == b.String() && a.Up == b.Up
}

// Shared returns the beginning that two texts share, as far as it is the same for all
// values.
func Shared(a, b Text) Text {
	same, _, _ := Split(a, b)
	return same
}
