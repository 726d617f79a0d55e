package resolve

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"sortkey.dev/design/internal/model"
)

// A stretch is a range asked for at one hole of a key: what comes before the hole is
// given, what comes after it is not.
type stretch struct {
	key    *model.Key
	prefix Text
	parts  []model.Part
	hole   int
	cond   *model.Condition
}

// condition writes the range as a condition on the key attribute.
//
// A natural key is compared as it is. For a hole in a template, keys are texts
// prefix + value + what follows, and the bounds must catch all of them and no other:
//
//	what follows    >= x   > x           <= x          < x
//	#…              x#     x$            x$            x#
//	nothing         x      x# or x\u{0}  x             before x
//	anything else   x      x\u{10FFFF}   x\u{10FFFF}   before x
//
// $ is the character after the delimiter, so x$ is after every x#… and before every
// longer value; the last instant of a range is never lost. After a last value comes x#
// if nothing that sorts before # can follow it there, else x and the smallest character
// there is. Anything else than # may only follow values of fixed width. A side that is
// not bound ends where values of the type begin or end: 0 and : (the character after 9)
// for a timestamp. So a range never leaves its prefix, and BETWEEN, which includes both
// of its ends, is exact. Its lower end is never above the upper one, which DynamoDB
// refuses: what is before 0 begins just before 0.
//
// Texts of varying length followed by # sort as if they ended with it, and so they are
// compared: it matters only for texts with spaces, ! or ".
func (s stretch) condition() KeyCondition {
	c := keyCondition(s.key, s.cond.Op, nil)
	values := make([]TextPart, len(s.cond.Values))
	for i, v := range s.cond.Values {
		values[i] = valueText(v, s.parts[s.hole])
		values[i].Up = values[i].Value != nil && RoundsUp(s.cond, i)
	}
	if s.cond.Op == model.BeginsWith || s.key.Template == nil {
		c.Low = s.prefix.with(values[0])
		if c.Op == model.Between {
			c.High = s.prefix.with(values[1])
		}
		return c
	}
	c.Low, c.High = s.bounds(values)
	c.Op = model.Between
	if len(c.Low) == 0 { // DynamoDB refuses an empty key, even as a bound
		c.Op, c.Low, c.High = model.Lte, c.High, nil
	}
	return c
}

func keyCondition(key *model.Key, op model.Op, value Text) KeyCondition {
	return KeyCondition{Name: key.Name, Kind: key.Kind(), Op: op, Low: value, natural: key.Template == nil}
}

func (s stretch) bounds(values []TextPart) (low, high Text) {
	first, last := values[0], values[len(values)-1]
	low, high = s.floor(), s.ceiling()
	switch s.cond.Op {
	case model.Gte:
		low = s.from(first)
	case model.Gt:
		low = s.after(first)
	case model.Lte:
		high = s.upTo(last)
	case model.Lt:
		low, high = s.floorBelow(), s.below(last)
	case model.Between:
		low, high = s.from(first), s.upTo(last)
	}
	return low, high
}

// RoundsUp reports whether the i-th value of a condition, an instant, has to be the first one
// that can be stored and is not before it, if it is finer than what is stored: then what is
// not before it, and what is before it, are the same. Else what is finer is cut off, so that
// what is after it, and what is not, are the same.
func RoundsUp(c *model.Condition, i int) bool {
	if base := c.Attribute.Type.Base; base != model.Timestamp && base != model.Unixtime {
		return false
	}
	return c.Op == model.Gte || c.Op == model.Lt || c.Op == model.Between && i == 0
}

// MayInvert reports whether the values of the caller decide which end of a range is the lower
// one. DynamoDB refuses a range whose lower end is above the upper one.
func (c KeyCondition) MayInvert() bool {
	isValue := func(p TextPart) bool { return p.Value != nil }
	_, low, high := split(c.Low, c.High)
	return c.Op == model.Between && slices.ContainsFunc(low, isValue) && slices.ContainsFunc(high, isValue)
}

// never reports a range that no value is in, or nil.
func (s stretch) never() *Problem {
	part, x := s.parts[s.hole], s.cond.Values[0]
	if !x.IsConstant() || s.key.Template == nil && part.Attribute.Type.Base != model.Enum {
		return nil
	}
	text, _ := filterConstant(x.Constant, part)
	values := part.Attribute.Type.Values
	_, padded := part.Filter(model.Pad)
	var where string
	switch {
	case s.cond.Op == model.Lt && len(values) > 0 && x.Constant == slices.Min(values),
		s.cond.Op == model.Lt && padded && text != "" && strings.Trim(text, "0") == "":
		where = "below"
	case s.cond.Op == model.Gt && len(values) > 0 && x.Constant == slices.Max(values):
		where = "above"
	default:
		return nil
	}
	return &Problem{
		Code: "F006", Place: s.cond.Place,
		Message: fmt.Sprintf("%s finds nothing: no %s is %s %s", s.cond, part.Attribute.Name, where, x.Constant),
		Fix:     "ask for another value, or remove the pattern",
	}
}

// from is the first key with the value.
func (s stretch) from(x TextPart) Text {
	if s.delimited() {
		return s.prefix.with(x, literal(model.Delimiter))
	}
	return s.prefix.with(x)
}

// after comes after the last key with the value.
func (s stretch) after(x TextPart) Text {
	switch {
	case s.delimited():
		return s.prefix.with(x, literal(afterDelimiter))
	case s.isLast() && (fixedWidth(s.parts[s.hole]) || !sortsBeforeDelimiter(s.parts[s.hole])):
		return s.prefix.with(x, literal(model.Delimiter))
	case s.isLast():
		return s.prefix.with(x, literal("\x00"))
	}
	return s.prefix.with(x, literal(string(largest)))
}

// upTo is or comes after the last key with the value.
func (s stretch) upTo(x TextPart) Text {
	if s.isLast() {
		return s.prefix.with(x)
	}
	return s.after(x)
}

// below comes before the first key with the value and after all smaller ones.
func (s stretch) below(x TextPart) Text {
	if s.delimited() && !s.endsWithDelimiter() {
		return s.prefix.with(x, literal(model.Delimiter))
	}
	return s.prefix.with(before(x))
}

const afterDelimiter = "$"

func (s stretch) isLast() bool    { return s.hole+1 == len(s.parts) }
func (s stretch) delimited() bool { return followedByDelimiter(s.parts, s.hole) }

// endsWithDelimiter reports whether nothing but the delimiter follows the hole, so that
// x# is a key itself.
func (s stretch) endsWithDelimiter() bool {
	return s.hole+2 == len(s.parts) && s.parts[s.hole+1].Literal == model.Delimiter
}

// floor is not after any key with the prefix.
func (s stretch) floor() Text {
	low, _ := holeLanguage(s.parts[s.hole]).firsts()
	if low == 0 {
		return s.prefix
	}
	return s.prefix.with(literal(string(low)))
}

// floorBelow is not after any key with the prefix, nor after what below makes of the
// smallest value.
func (s stretch) floorBelow() Text {
	lang := holeLanguage(s.parts[s.hole])
	low, _ := lang.firsts()
	if low == 0 || s.delimited() && !s.endsWithDelimiter() || !lang.intersects(wordLanguage(string(low))) {
		return s.floor()
	}
	return s.prefix.with(literal(Before(string(low))))
}

func wordLanguage(word string) *language {
	b := newBuilder()
	b.text(word)
	return b.done()
}

// sortsBeforeDelimiter reports whether a hole can hold a character that sorts before the
// delimiter: a space, ! or ", so that a b# comes before a#.
func sortsBeforeDelimiter(p model.Part) bool {
	first, _ := utf8.DecodeRuneInString(model.Delimiter)
	for _, at := range holeLanguage(p).states {
		if slices.ContainsFunc(at.steps, func(s step) bool { return s.low < first }) {
			return true
		}
	}
	return false
}

// SortsLoosely is the free text of a sort key that a read orders by or asks a range of
// and that # follows, or nil: such texts sort as if they ended with #, so that Ann Lee
// comes before Ann. It returns the key and the number of the part.
func (r *Read) SortsLoosely() (*model.Key, int) {
	for _, key := range r.Entry.SK {
		for i, part := range key.Parts() {
			if !part.IsHole() || !keepsValue(part) || !followedByDelimiter(key.Parts(), i) || !sortsBeforeDelimiter(part) {
				continue
			}
			ordered := r.Ordered != nil && r.Ordered.Attribute == part.Attribute
			ranged := slices.ContainsFunc(slices.Concat(r.Pattern.Where, r.Pattern.Filter), func(c *model.Condition) bool {
				return c.Attribute == part.Attribute && c.Op.IsRange() && c.Op != model.BeginsWith && !slices.Contains(r.Filter, c)
			})
			if ordered || ranged {
				return key, i
			}
		}
	}
	return nil, 0
}

// ceiling is after all keys with the prefix.
func (s stretch) ceiling() Text {
	_, high := holeLanguage(s.parts[s.hole]).firsts()
	return s.prefix.with(literal(string(min(high+1, largest))))
}

// matched is the language of what a condition matches, for some values of its
// parameters.
func (c KeyCondition) matched() *language {
	b := newBuilder()
	switch c.Op {
	case model.Eq:
		b.textOf(c.Low, c.natural)
	case model.BeginsWith:
		b.textOf(c.Low, c.natural)
		b.more(anyChar)
	case model.Between:
		same, low, high := split(c.Low, c.High)
		b.textOf(same, false)
		b.between(low, high)
	case model.Lt, model.Lte:
		b.between(nil, c.Low)
	case model.Gt, model.Gte:
		b.between(c.Low, nil)
	}
	return b.done()
}

// textOf adds what a text can be.
func (b *builder) textOf(t Text, natural bool) {
	for _, p := range t {
		switch words := p.constants(); {
		case p.Value == nil:
			b.text(p.Literal)
		case len(words) > 0:
			b.choice(words)
		default:
			b.hole(p.Attribute, p.Filters, natural)
		}
	}
}

// constants are the texts of the values a part takes one after the other, if the design
// lists them all.
func (p TextPart) constants() []string {
	var words []string
	for _, v := range p.Values {
		word, ok := filterConstant(v.Constant, model.Part{Attribute: p.Attribute, Filters: p.Filters})
		if !ok || !v.IsConstant() {
			return nil
		}
		words = append(words, word)
	}
	return words
}

// between adds everything that begins with a character between those the two texts can
// begin with; a text that is one character ends there itself.
func (b *builder) between(low, high Text) {
	first, last := rune(0), rune(largest)
	end := b.add()
	if len(low) > 0 {
		first, _ = languageOf(low).firsts()
		if low[0].Value == nil && low[0].Literal == string(first)+string(largest) {
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

// split takes the beginning two texts share off both.
func split(a, b Text) (same, restA, restB Text) {
	n := 0
	for n < min(len(a), len(b)) && samePart(a[n], b[n]) {
		n++
	}
	same, restA, restB = a[:n], a[n:], b[n:]
	if len(restA) == 0 || len(restB) == 0 || restA[0].Value != nil || restB[0].Value != nil {
		return same, restA, restB
	}
	shared := sharedPrefix(restA[0].Literal, restB[0].Literal)
	cut := func(t Text) Text { return Text{}.with(literal(t[0].Literal[len(shared):])).with(t[1:]...) }
	return same.with(literal(shared)), cut(restA), cut(restB)
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

// Shared is the beginning two texts share, as far as it is the same for all values.
func Shared(a, b Text) Text {
	same, _, _ := split(a, b)
	return same
}
