package claim

import (
	"errors"

	"sortkey.dev/design/internal/exact"
)

// A value is the result of a formula: a number, possibly of bytes or of time, or a text.
//
// Numbers of bytes and of time have a dimension, so that 5GB * storage and 5 * storage are
// both dollars, 6KB / 4KB is a plain 1.5, and days cannot be added to kilobytes. Prices per
// gigabyte and per hour have the inverse dimensions.
type value struct {
	number exact.Number // in bytes and seconds
	data   dimension
	time   dimension
	text   string
	isText bool
}

// A dimension is a power of bytes or of seconds, and the unit as written.
type dimension struct {
	power int
	unit  int64 // in bytes or seconds; 0 counts as 1
}

func plain(n exact.Number) value { return value{number: n} }

func count(n int) value { return plain(exact.Int(int64(n))) }

func textual(s string) value { return value{text: s, isText: true} }

// bytes returns n units of data, each of unit bytes.
func bytes(n exact.Number, unit int64) value {
	return value{number: n.Times(unit), data: dimension{1, unit}}
}

// duration returns n units of time, each of unit seconds.
func duration(n exact.Number, unit int64) value {
	return value{number: n.Times(unit), time: dimension{1, unit}}
}

// perByte returns a price per unit of data.
func perByte(n exact.Number, unit int64) value {
	return value{number: n.Over(unit), data: dimension{-1, unit}}
}

// perTime returns a price per unit of time.
func perTime(n exact.Number, unit int64) value {
	return value{number: n.Over(unit), time: dimension{-1, unit}}
}

// shown returns the number in the units it was written in.
func (v value) shown() exact.Number {
	return v.data.show(v.time.show(v.number))
}

// withShown returns v with another number in the same units.
func (v value) withShown(n exact.Number) value {
	v.number = v.data.hide(v.time.hide(n))
	return v
}

func (d dimension) show(n exact.Number) exact.Number { return d.scale(n, d.power) }

func (d dimension) hide(n exact.Number) exact.Number { return d.scale(n, -d.power) }

// scale divides by the unit power times; it multiplies if power is negative.
func (d dimension) scale(n exact.Number, power int) exact.Number {
	unit := max(d.unit, 1)
	for ; power > 0; power-- {
		n = n.Over(unit)
	}
	for ; power < 0; power++ {
		n = n.Times(unit)
	}
	return n
}

// isPlain reports whether the value is a number without dimension.
func (v value) isPlain() bool { return !v.isText && v.data.power == 0 && v.time.power == 0 }

// isData reports whether the value is an amount of data.
func (v value) isData() bool { return !v.isText && v.data.power == 1 && v.time.power == 0 }

// isTime reports whether the value is a duration.
func (v value) isTime() bool { return !v.isText && v.data.power == 0 && v.time.power == 1 }

var (
	errTextArithmetic = errors.New("a text cannot be used in arithmetic")
	errMixedUnits     = errors.New("the two sides have different units; write the unit on both, such as 100B")
	errDivideByZero   = errors.New("division by zero")
	errTooLarge       = errors.New("the number becomes too large")
)

// largest is the limit of numbers in formulas, far above any number of a design.
var largest = exact.MustParse("1000000000000000000000000000000000000000000000")

func (v value) checked() (value, error) {
	if largest.Less(v.number) || v.number.Less(exact.Zero.Sub(largest)) {
		return value{}, errTooLarge
	}
	return v, nil
}

// plus returns v + w, or v - w.
func (v value) plus(w value, minus bool) (value, error) {
	if v.isText || w.isText {
		return value{}, errTextArithmetic
	}
	v, w = v.asBytesOf(w), w.asBytesOf(v)
	if v.data.power != w.data.power || v.time.power != w.time.power {
		v, w = v.asMoney(), w.asMoney()
	}
	if v.data.power != w.data.power || v.time.power != w.time.power {
		return value{}, errMixedUnits
	}
	if minus {
		v.number = v.number.Sub(w.number)
	} else {
		v.number = v.number.Add(w.number)
	}
	return v.checked()
}

// asBytesOf converts a plain number to bytes if the other operand is in bytes.
func (v value) asBytesOf(w value) value {
	if v.isPlain() && w.isData() && w.data.unit == 1 {
		v.data = w.data
	}
	return v
}

// asMoney converts a price multiplied with a plain number into an amount: 5 * storage means
// five gigabytes.
func (v value) asMoney() value {
	if v.data.power <= 0 && v.time.power <= 0 {
		return plain(v.shown())
	}
	return v
}

// maxPower is the limit of powers of dimensions.
const maxPower = 8

// times returns v * w.
func (v value) times(w value) (value, error) {
	if v.isText || w.isText {
		return value{}, errTextArithmetic
	}
	v.number = v.number.Mul(w.number)
	return v.combined(w, 1)
}

// over returns v / w.
func (v value) over(w value) (value, error) {
	if v.isText || w.isText {
		return value{}, errTextArithmetic
	}
	quotient, ok := v.number.Div(w.number)
	if !ok {
		return value{}, errDivideByZero
	}
	v.number = quotient
	return v.combined(w, -1)
}

func (v value) combined(w value, sign int) (value, error) {
	v.data = v.data.join(w.data, sign)
	v.time = v.time.join(w.time, sign)
	if max(v.data.power, -v.data.power, v.time.power, -v.time.power) > maxPower {
		return value{}, errTooLarge
	}
	return v.checked()
}

func (d dimension) join(e dimension, sign int) dimension {
	if d.power == 0 {
		d.unit = e.unit
	}
	d.power += sign * e.power
	if d.power == 0 {
		d.unit = 0
	}
	return d
}

// compare orders two values of the same dimensions.
func (v value) compare(w value) (int, error) {
	difference, err := v.plus(w, true)
	return difference.number.Sign(), err
}
