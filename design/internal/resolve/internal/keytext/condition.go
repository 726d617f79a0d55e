package keytext

import (
	"slices"
	"unicode/utf8"

	"sortkey.dev/design/internal/model"
)

// A Condition is a condition on one key attribute.
type Condition struct {
	Name string // of the key attribute
	Kind string // S, N or B
	Op   model.Op
	Low  Text // the value; for between the lower bound
	High Text // for between the upper bound

	natural bool // the key attribute is an attribute of the entity, not a template
}

// NewCondition returns a condition on a key.
func NewCondition(key *model.Key, op model.Op, value Text) Condition {
	return Condition{Name: key.Name, Kind: key.Kind(), Op: op, Low: value, natural: key.Template == nil}
}

// String returns the condition as people read it: SK begins_with ATTEMPT#.
func (c Condition) String() string {
	s := c.Name + " " + string(c.Op) + " " + c.Low.String()
	if c.Op == model.Between {
		s += " and " + c.High.String()
	}
	return s
}

// SameKeys reports whether two lists of conditions ask for the same keys.
func SameKeys(a, b []Condition) bool {
	return slices.EqualFunc(a, b, func(x, y Condition) bool {
		return x.Kind == y.Kind && slices.EqualFunc(x.Low, y.Low, samePart)
	})
}

// MayInvert reports whether the values of the caller decide which end of a range is the
// lower one. DynamoDB refuses a range whose lower end is above the upper one.
func (c Condition) MayInvert() bool {
	isValue := func(p TextPart) bool { return p.Value != nil }
	_, low, high := Split(c.Low, c.High)
	return c.Op == model.Between && slices.ContainsFunc(low, isValue) && slices.ContainsFunc(high, isValue)
}

// matched returns the language of the keys that a condition matches, for some values of
// its parameters.
func (c Condition) matched() *language {
	b := newBuilder()
	switch c.Op {
	case model.Eq:
		b.textOf(c.Low, c.natural)
	case model.BeginsWith:
		b.textOf(c.Low, c.natural)
		b.more(anyChar)
	case model.Between:
		same, low, high := Split(c.Low, c.High)
		b.textOf(same, false)
		b.between(low, high)
	case model.Lt, model.Lte:
		b.between(nil, c.Low)
	case model.Gt, model.Gte:
		b.between(c.Low, nil)
	}
	return b.done()
}

// textOf adds all values of a text.
func (b *builder) textOf(t Text, natural bool) {
	for _, p := range t {
		switch words := p.constants(); {
		case p.Value == nil:
			b.text(p.Literal)
		case len(words) > 0:
			b.choice(words)
		default:
			b.hole(p.Part(), natural || p.Open)
		}
	}
}

// between adds everything that begins with a character between those the two texts can
// begin with; a text that is one character ends there itself.
func (b *builder) between(low, high Text) {
	first, last := rune(0), rune(Largest)
	end := b.add()
	if len(low) > 0 {
		first, _ = languageOf(low).firsts()
		if low[0].Value == nil && low[0].Literal == string(first)+string(Largest) {
			first++ // just before what begins with the next character
		}
	} else {
		b.skip(end)
	}
	if len(high) > 0 {
		_, last = languageOf(high).firsts()
		if len(high) == 1 && high[0].Value == nil && utf8.RuneCountInString(high[0].Literal) == 1 {
			b.connect(b.at, end, charset{{last, last}})
			last--
		}
	}
	to := b.add()
	if first <= last {
		b.connect(b.at, to, charset{{first, last}})
	}
	b.at = to
	b.more(anyChar)
	b.skip(end)
	b.at = end
}

func languageOf(t Text) *language {
	b := newBuilder()
	b.textOf(t, true)
	return b.done()
}
