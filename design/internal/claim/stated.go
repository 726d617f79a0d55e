package claim

import (
	"strings"

	"sortkey.dev/design/internal/exact"
	"sortkey.dev/design/internal/figures"
	"sortkey.dev/design/internal/model"
)

// about is the tolerance of a number stated with ~, as a share of the true value.
var about = exact.Ratio(1, 10)

// A bound is the relation of a stated number to the true one.
type bound byte

const (
	equal bound = '='
	near  bound = '~'
	below bound = '<'
	above bound = '>'
)

// A statement is a parsed stated number: its bound and its value.
type statement struct {
	bound bound
	value value
	// round rounds a number to the digits of the statement.
	round func(exact.Number) exact.Number
}

// read parses a stated value; it returns false for a text.
func read(s model.Stated) (statement, bool) {
	text := strings.TrimSpace(s.Text)
	kind := equal
	if text != "" && strings.ContainsRune("~<>", rune(text[0])) {
		kind = bound(text[0])
		text = strings.TrimSpace(strings.TrimLeft(text, "~<>= "))
	}
	if s.IsNumber {
		return statement{kind, plain(s.Value), s.Rounded}, true
	}
	if plainer, err := model.ParseStated(text); err == nil && plainer.IsNumber {
		return statement{kind, plain(plainer.Value), plainer.Rounded}, true
	}
	return readWithUnit(text, kind)
}

// readWithUnit parses a number with a unit: 400KB, 90d, 0.6 km.
func readWithUnit(text string, kind bound) (statement, bool) {
	p := &parser{text: []rune(strings.ReplaceAll(text, " ", ""))}
	if c := p.peek(); c != '$' && !isDigit(c) {
		return statement{}, false
	}
	v, bad := p.number()
	if bad != nil || p.at < len(p.text) {
		return statement{}, false
	}
	digits, _, _ := strings.Cut(strings.TrimLeft(text, "$"), " ")
	digits = strings.TrimRight(digits, "BKMGTkmshdwy%")
	_, fraction, _ := strings.Cut(digits, ".")
	round := func(n exact.Number) exact.Number {
		return v.withShown(v.withRaw(n).shown().Round(len(fraction))).number
	}
	return statement{kind, v, round}, true
}

// withRaw returns v with another number of bytes or seconds.
func (v value) withRaw(n exact.Number) value {
	v.number = n
	return v
}

// agrees reports whether a result equals the statement to the stated digits; comparable is
// false if one is a text and the other a number.
func agrees(says model.Stated, result value) (holds, comparable bool) {
	if result.isText {
		return says.Text == result.text, true
	}
	stated, ok := read(says)
	if !ok {
		return false, false
	}
	if stated.value.isPlain() {
		result = plain(result.shown())
	} else if result.isPlain() {
		stated.value = plain(stated.value.shown())
		stated.round = says.Rounded
	}
	return stated.allows(result.number), true
}

func (s statement) allows(n exact.Number) bool {
	stated := s.value.number
	switch s.bound {
	case below:
		return n.Less(stated)
	case above:
		return stated.Less(n)
	case near:
		margin := n.Mul(about).Max(exact.Zero.Sub(n.Mul(about)))
		off := n.Sub(stated)
		if off.Sign() < 0 {
			off = exact.Zero.Sub(off)
		}
		if !margin.Less(off) {
			return true
		}
	}
	rounded := s.round(n)
	return rounded.Equal(stated) || isTie(n, rounded, stated)
}

// isTie reports whether n is exactly halfway between the number it rounds to and a stated one,
// and hardly differs from either. A document may round 67.5 to 68, to 67 or to the even one;
// none of them is wrong. Two units instead of 2.5 are.
func isTie(n, rounded, stated exact.Number) bool {
	off := n.Sub(stated)
	if off.Sign() < 0 {
		off = exact.Zero.Sub(off)
	}
	return rounded.Add(stated).Equal(n.Times(2)) && !n.Over(100).Less(off)
}

// show formats a result like the statement: with its unit and at least its digits, and with
// more if fewer would hide the difference.
func show(result value, says model.Stated) string {
	if result.isText {
		return result.text
	}
	result = result.inUnitsOf(says)
	n := result.shown()
	switch {
	case says.Unit == "%" || strings.HasSuffix(says.Text, "%"):
		return digits(n.Times(100), says) + "%"
	case strings.Contains(says.Text, "$"):
		return "$" + digits(n, says)
	case strings.HasSuffix(says.Text, "k") && says.IsNumber:
		return digits(n.Over(1000), says) + "k"
	case strings.HasSuffix(says.Text, "M") && says.IsNumber:
		return digits(n.Over(1_000_000), says) + "M"
	}
	return digits(n, says) + unitName(result)
}

// inUnitsOf returns the value in the stated unit: bytes as MB, and a plain number in the unit
// it was compared with.
func (v value) inUnitsOf(says model.Stated) value {
	stated, ok := read(says)
	switch {
	case !ok || v.isText:
		return v
	case v.isPlain():
		return stated.value.withShown(v.number)
	case v.isData() && stated.value.isData(), v.isTime() && stated.value.isTime():
		v.data.unit, v.time.unit = stated.value.data.unit, stated.value.time.unit
	}
	return v
}

// digits formats n with the stated digits, or three significant digits if those are more.
func digits(n exact.Number, says model.Stated) string {
	decimals, size := 2, n.Max(exact.Zero.Sub(n))
	for limit := exact.Int(10); decimals > 0 && !size.Less(limit); limit = limit.Times(10) {
		decimals--
	}
	for limit := exact.One; decimals < 12 && !size.IsZero() && size.Less(limit); limit = limit.Over(10) {
		decimals++
	}
	text := n.Fixed(max(decimals, says.Decimals))
	for strings.Contains(text, ".") && decimals > says.Decimals && strings.HasSuffix(text, "0") {
		text = strings.TrimSuffix(text, "0")
		decimals--
	}
	return figures.Grouped(strings.TrimSuffix(text, "."))
}

// unitName returns the unit of an amount of data or time in the syntax of formulas.
func unitName(v value) string {
	switch {
	case v.isData():
		return map[int64]string{1: " B", 1 << 10: " KB", 1 << 20: " MB", 1 << 30: " GB", 1 << 40: " TB"}[v.data.unit]
	case v.isTime():
		return map[int64]string{1: " s", 3600: " h", 24 * 3600: " d", 7 * 24 * 3600: " w", 365 * 24 * 3600: " y"}[v.time.unit]
	}
	return ""
}

// apart describes how far a statement is from the true value.
func apart(says model.Stated, result value) string {
	stated, ok := read(says)
	if !ok || result.isText {
		return ""
	}
	said, is := stated.value.shown(), result.inUnitsOf(says).shown()
	if said.Sign() <= 0 || is.Sign() <= 0 {
		return ""
	}
	larger, smaller, word := said, is, "too much"
	if said.Less(is) {
		larger, smaller, word = is, said, "too little"
	}
	ratio, _ := larger.Div(smaller)
	if exact.Ratio(3, 2).Less(ratio) {
		return ": " + times(ratio) + " times " + word
	}
	share, _ := larger.Sub(smaller).Div(is)
	return ": " + percent(share) + " " + word
}

func times(ratio exact.Number) string {
	if ratio.Less(exact.Int(10)) {
		return ratio.Round(1).String()
	}
	return figures.Grouped(ratio.Fixed(0))
}

func percent(share exact.Number) string {
	if share.Less(exact.Ratio(1, 100)) {
		return "less than 1%"
	}
	return share.Times(100).Fixed(0) + "%"
}
