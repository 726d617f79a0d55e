package keytext

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/model"
)

// A Range is a range asked for at one hole of a key: everything before the hole is given,
// everything after it is not.
type Range struct {
	Key    *model.Key
	Prefix Text // the text before the hole
	Parts  []model.Part
	Hole   int
	Cond   *model.Condition
}

// Condition returns the range as a condition on the key attribute.
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
// compared: it matters only for texts with spaces, ! or ". With another delimiter of the
// table it stands in the place of #, and the character after it in the place of $; it
// matters for all texts with characters before it.
func (r Range) Condition() Condition {
	c := NewCondition(r.Key, r.Cond.Op, nil)
	values := make([]TextPart, len(r.Cond.Values))
	for i, v := range r.Cond.Values {
		values[i] = Hole(v, r.Parts[r.Hole])
		values[i].Up = values[i].Value != nil && RoundsUp(r.Cond, i)
	}
	if r.Cond.Op == model.BeginsWith || r.Key.Template == nil {
		c.Low = r.Prefix.With(values[0])
		if c.Op == model.Between {
			c.High = r.Prefix.With(values[1])
		}
		return c
	}
	c.Low, c.High = r.bounds(values)
	c.Op = model.Between
	if len(c.Low) == 0 { // DynamoDB refuses an empty key, even as a bound
		c.Op, c.Low, c.High = model.Lte, c.High, nil
	}
	return c
}

func (r Range) bounds(values []TextPart) (low, high Text) {
	first, last := values[0], values[len(values)-1]
	low, high = r.floor(), r.ceiling()
	switch r.Cond.Op {
	case model.Gte:
		low = r.from(first)
	case model.Gt:
		low = r.after(first)
	case model.Lte:
		high = r.upTo(last)
	case model.Lt:
		low, high = r.floorBelow(), r.below(last)
	case model.Between:
		low, high = r.from(first), r.upTo(last)
	}
	return low, high
}

// RoundsUp reports whether the i-th value of a condition is an instant that is rounded up
// to the precision that is stored. Then "not before it" and "before it" stay exact. All
// other instants are rounded down, which keeps "after it" and "not after it" exact.
func RoundsUp(c *model.Condition, i int) bool {
	if base := c.Attribute.Type.Base; base != model.Timestamp && base != model.Unixtime {
		return false
	}
	return c.Op == model.Gte || c.Op == model.Lt || c.Op == model.Between && i == 0
}

// Empty returns "below" or "above" if the range asks for values on that side of the
// smallest or the largest value there is, and "" if it is not known to be empty.
func (r Range) Empty() string {
	part, x := r.Parts[r.Hole], r.Cond.Values[0]
	if !x.IsConstant() || r.Key.Template == nil && part.Attribute.Type.Base != model.Enum {
		return ""
	}
	values := part.Attribute.Type.Values
	switch {
	case r.Cond.Op == model.Lt && (len(values) > 0 && x.Constant == slices.Min(values) || isPaddedZero(x.Constant, part)):
		return "below"
	case r.Cond.Op == model.Gt && len(values) > 0 && x.Constant == slices.Max(values):
		return "above"
	}
	return ""
}

// isPaddedZero reports whether a padded hole writes a constant as zeros only.
func isPaddedZero(constant string, part model.Part) bool {
	_, padded := part.Filter(model.Pad)
	text, _ := filterConstant(constant, part)
	return padded && text != "" && strings.Trim(text, "0") == ""
}

// EndUnmarked reports whether nothing shows where the value of the hole ends, so that
// keys do not sort by it.
func (r Range) EndUnmarked() bool {
	return r.Key.Template != nil && !r.isLast() && !r.delimited() && !FixedWidth(r.Parts[r.Hole])
}

// from returns the first key with the value.
func (r Range) from(x TextPart) Text {
	if r.delimited() {
		return r.Prefix.With(x, Literal(r.delimiter().String()))
	}
	return r.Prefix.With(x)
}

// after returns a text after the last key with the value.
func (r Range) after(x TextPart) Text {
	switch {
	case r.delimited():
		return r.Prefix.With(x, Literal(r.delimiter().After()))
	case r.isLast() && (FixedWidth(r.Parts[r.Hole]) || !SortsBeforeDelimiter(r.Parts[r.Hole])):
		return r.Prefix.With(x, Literal(r.delimiter().String()))
	case r.isLast():
		return r.Prefix.With(x, Literal("\x00"))
	}
	return r.Prefix.With(x, Literal(string(Largest)))
}

// upTo returns the last key with the value, or a text after it.
func (r Range) upTo(x TextPart) Text {
	if r.isLast() {
		return r.Prefix.With(x)
	}
	return r.after(x)
}

// below returns a text before the first key with the value and after all smaller ones.
func (r Range) below(x TextPart) Text {
	if r.delimited() && !r.endsWithDelimiter() {
		return r.Prefix.With(x, Literal(r.delimiter().String()))
	}
	return r.Prefix.With(before(x))
}

func (r Range) delimiter() model.Delimiter { return r.Parts[r.Hole].Delimiter }

func (r Range) isLast() bool    { return r.Hole+1 == len(r.Parts) }
func (r Range) delimited() bool { return FollowedByDelimiter(r.Parts, r.Hole) }

// endsWithDelimiter reports whether nothing but the delimiter follows the hole, so that
// x# is a key itself.
func (r Range) endsWithDelimiter() bool {
	return r.Hole+2 == len(r.Parts) && r.Parts[r.Hole+1].Literal == r.delimiter().String()
}

// floor returns a text that is not after any key with the prefix.
func (r Range) floor() Text {
	low, _ := holeLanguage(r.Parts[r.Hole]).firsts()
	if low == 0 {
		return r.Prefix
	}
	return r.Prefix.With(Literal(string(low)))
}

// floorBelow returns a text that is not after any key with the prefix, nor after the text
// that below makes of the smallest value.
func (r Range) floorBelow() Text {
	lang := holeLanguage(r.Parts[r.Hole])
	low, _ := lang.firsts()
	if low == 0 || r.delimited() && !r.endsWithDelimiter() || !lang.intersects(wordLanguage(string(low))) {
		return r.floor()
	}
	return r.Prefix.With(Literal(Before(string(low))))
}

// ceiling returns a text after all keys with the prefix.
func (r Range) ceiling() Text {
	_, high := holeLanguage(r.Parts[r.Hole]).firsts()
	return r.Prefix.With(Literal(string(min(high+1, Largest))))
}

func wordLanguage(word string) *language {
	b := newBuilder()
	b.text(word)
	return b.done()
}
