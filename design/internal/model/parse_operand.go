package model

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/internal/lazyregexp"
)

// mostValues is the maximum number of operands of DynamoDB's IN.
const mostValues = 100

// An operandReader parses the operands of a comparison.
type operandReader struct {
	reader
	left *Attribute
	e    *Entity // whose attributes may be named as values; nil: none
}

// word is one value as written.
type word struct {
	text   string
	start  int // in the text, of its first character
	quoted bool
}

// word parses a value: a quoted text, or characters up to a space or a delimiter.
func (r *operandReader) word() (word, *SyntaxError) {
	r.spaces()
	start := r.pos
	quote := r.next()
	if quote != '\'' && quote != '"' {
		return word{text: r.run(isBare), start: start}, nil
	}
	end := strings.IndexByte(r.text[start+1:], quote)
	if end < 0 {
		return word{}, r.failHere("the quote is not closed")
	}
	r.pos = start + 1 + end + 1
	return word{text: r.text[start+1 : r.pos-1], start: start, quoted: true}, nil
}

func isBare(c byte) bool { return !isSpace(c) && !strings.ContainsRune(`(),[]<>=!'"`, rune(c)) }

// operand parses one value and checks it against the attribute on the left.
func (r *operandReader) operand(op Op) (Operand, *SyntaxError) {
	w, err := r.word()
	switch {
	case err != nil:
		return Operand{}, err
	case w.text == "" && !w.quoted:
		return Operand{}, r.failHere("a value is missing after %s", op)
	case !w.quoted && w.text[0] == '$':
		return r.param(w)
	case !w.quoted && r.e != nil && !slices.Contains(r.left.Type.Values, w.text):
		if a := r.e.Attribute(w.text); a != nil {
			return r.other(a, w)
		}
	}
	return r.constant(w, op)
}

// param returns the parameter $name, or $ alone, which is named after the attribute.
func (r *operandReader) param(w word) (Operand, *SyntaxError) {
	name := w.text[1:]
	if name == "" {
		return Operand{Param: r.left.Name}, nil
	}
	if strings.IndexFunc(name, func(c rune) bool { return c > 127 || !isName(byte(c)) }) >= 0 || isDigit(name[0]) {
		return Operand{}, r.fail(w.start, "%s is not a parameter: $ and a name of letters, digits and _, or $ alone", shown(w.text))
	}
	return Operand{Param: name}, nil
}

// other returns another attribute as an operand.
func (r *operandReader) other(a *Attribute, w word) (Operand, *SyntaxError) {
	switch {
	case a == r.left:
		return Operand{}, r.fail(w.start, "%s is compared with itself; put the value in quotes if it is a text", a.Name)
	case !comparable(a.Type, r.left.Type):
		return Operand{}, r.fail(w.start, "%s is %s and %s is %s: they cannot be compared", r.left.Name, r.left.Type, a.Name, a.Type)
	}
	return Operand{Attribute: a}, nil
}

// comparable reports whether two attributes can be compared: both have the same type, are
// numbers, or are texts of any form. Instants, dates and weeks are stored in forms of their own.
func comparable(a, b Type) bool { return kindOf(a) == kindOf(b) }

// kindOf returns the part of a type that decides what it can be compared with.
func kindOf(t Type) string {
	switch t.Base {
	case Integer, Numeric, Decimal:
		return string(Numeric)
	case String, UUID, UUIDv7, ULID, Geohash, Enum:
		return string(String)
	}
	t.Optional = false
	return t.String()
}

func (r *operandReader) constant(w word, op Op) (Operand, *SyntaxError) {
	if op == BeginsWith {
		if w.text == "" {
			return Operand{}, r.fail(w.start, "everything begins with the empty text")
		}
		return Operand{Constant: w.text}, nil
	}
	if message, unknown := checkConstant(r.left, w.text); message != "" {
		err := r.fail(w.start, "%s", message)
		err.Unknown = unknown
		return Operand{}, err
	}
	return Operand{Constant: w.text}, nil
}

// values parses the operands of in: $names or (A, B).
func (r *operandReader) values() ([]Operand, *SyntaxError) {
	r.spaces()
	closing := map[byte]byte{'(': ')', '[': ']'}[r.next()]
	if closing == 0 {
		if r.next() != '$' {
			return nil, r.failHere("in needs its values: in (A, B) or in $names")
		}
		one, err := r.operand(In)
		return []Operand{one}, err
	}
	open := r.pos
	r.pos++
	var values []Operand
	for {
		r.spaces()
		start := r.pos
		value, err := r.operand(In)
		if err != nil {
			return nil, err
		}
		if slices.Contains(values, value) {
			return nil, r.fail(start, "%s is listed twice", r.text[start:r.pos])
		}
		values = append(values, value)
		r.spaces()
		if r.skip(closing) {
			break
		}
		if !r.skip(',') {
			return nil, r.failHere("a comma or %c is missing: in (A, B)", closing)
		}
	}
	switch {
	case len(values) > mostValues:
		return nil, r.fail(open, "in takes at most %d values, and there are %d", mostValues, len(values))
	case len(values) == 1 && values[0].Param != "":
		return nil, r.fail(open, "write in $%s if it holds several values, or = $%s if it holds one", values[0].Param, values[0].Param)
	}
	return values, nil
}

// fits returns why an operator does not apply to the attribute's type, or "".
func fits(a *Attribute, op Op) string {
	switch {
	case op == BeginsWith && a.Type.KeyKind() != "S" && a.Type.KeyKind() != "B":
		return fmt.Sprintf("begins_with is for texts; %s is %s", a.Name, a.Type)
	case op.IsRange() && (a.Type.KeyKind() == "" || a.Type.Base == JSON):
		return fmt.Sprintf("%s is %s, which has no order: compare with = or in", a.Name, a.Type)
	}
	return ""
}

var (
	wholeNumber = lazyregexp.New(`^-?[0-9]{1,38}$`)
	uuidText    = lazyregexp.New(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	ulidText    = lazyregexp.New(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`)
	geohashText = lazyregexp.New(`^[0-9b-hjkmnp-z]{1,12}$`)
	weekText    = lazyregexp.New(`^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$`)
)

// timestampForm is the stored format of a timestamp.
const timestampForm = "2006-01-02T15:04:05.000Z"

// checkConstant returns why a text is not a value of the attribute's type, or "", and
// whether the text is an unknown value of an enum.
func checkConstant(a *Attribute, text string) (message string, unknown bool) {
	ok, form := true, ""
	switch a.Type.Base {
	case Enum:
		if !slices.Contains(a.Type.Values, text) {
			return fmt.Sprintf("%s is never %s: %s%s", a.Name, shown(text), a.Type, didYouMean(text, a.Type.Values)), true
		}
	case Bool:
		ok, form = text == "true" || text == "false", "true or false"
	case Integer, Unixtime:
		ok, form = wholeNumber.MatchString(text), "a whole number such as 42"
	case Numeric, Decimal:
		_, err := exact.Parse(text)
		ok, form = err == nil, "a number such as 42 or 0.5"
	case Timestamp:
		ok, form = isTime(timestampForm, text), "a time such as 2026-02-17T10:00:00.000Z"
	case Date:
		ok, form = isTime(time.DateOnly, text), "a date such as 2026-02-17"
	case Week:
		ok, form = weekText.MatchString(text), "a week such as 2026-W07"
	case UUID, UUIDv7:
		ok, form = uuidText.MatchString(text), "a lower-case UUID"
	case ULID:
		ok, form = ulidText.MatchString(text), "a ULID of 26 characters"
	case Geohash:
		ok, form = geohashText.MatchString(text), "a geohash of 1 to 12 characters"
	case Bytes, JSON, ListOf, SetOf, MapOf, StructOf:
		return fmt.Sprintf("%s is %s: compare it with a parameter, not with a constant", a.Name, a.Type), false
	}
	if !ok {
		return fmt.Sprintf("%s is %s: %s is not %s", a.Name, a.Type, shown(text), form), false
	}
	return "", false
}

func isTime(form, text string) bool {
	t, err := time.Parse(form, text)
	return err == nil && t.Format(form) == text // Parse alone accepts other widths too
}
