package access

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// What DynamoDB takes as a number.
const (
	maxDigits   = 38
	maxExponent = 125  // of the first digit
	minExponent = -130 // of the first digit
)

const notADecimal = "is not a decimal number of at most 38 digits"

var (
	errNotANumber = errors.New(notADecimal)
	errTooLarge   = errors.New("is a number beyond 1E-130 to 9.99E+125")
)

// A Decimal is an exact decimal number as DynamoDB stores it: up to 38 digits, without
// zeros that say nothing. The zero value is 0. Decimals made by this package are equal
// exactly if their texts are; others compare with Cmp.
type Decimal string

// ParseDecimal reads a number, also one with an exponent.
func ParseDecimal(s string) (Decimal, error) {
	if isSpelled(s) {
		return Decimal(s), nil
	}
	f, err := readFigures(s)
	if err != nil {
		return "", err
	}
	return f.decimal()
}

// DecimalOf returns unscaled · 10^-scale: DecimalOf(1999, 2) is 19.99. A scale beyond what
// DynamoDB stores gives a decimal that is not Valid.
func DecimalOf(unscaled int64, scale int) Decimal {
	d, err := newFigures(strconv.FormatInt(unscaled, 10), -scale).decimal()
	if err != nil {
		return Decimal(strconv.FormatInt(unscaled, 10) + "E" + strconv.Itoa(-scale))
	}
	return d
}

// Valid reports whether DynamoDB can store the number.
func (d Decimal) Valid() bool {
	_, err := ParseDecimal(d.String())
	return err == nil
}

// String returns the number as text.
func (d Decimal) String() string {
	if d == "" {
		return "0"
	}
	return string(d)
}

// Cmp returns -1, 0 or 1 as the number is less than, equal to or greater than another. What is
// not Valid sorts before every number.
func (d Decimal) Cmp(other Decimal) int {
	a, errA := readFigures(d.String())
	b, errB := readFigures(other.String())
	if errA != nil || errB != nil {
		return cmp.Compare(validity(errA), validity(errB))
	}
	if a.sign() != b.sign() {
		return cmp.Compare(a.sign(), b.sign())
	}
	size := cmp.Compare(a.first(), b.first())
	if size == 0 {
		size = strings.Compare(a.digits, b.digits) // neither ends with a zero
	}
	return a.sign() * size
}

func validity(err error) int {
	if err != nil {
		return 0
	}
	return 1
}

// Add returns the sum. It is an error if it has more than 38 digits, or if a number is not
// Valid.
func (d Decimal) Add(other Decimal) (Decimal, error) {
	a, errA := readFigures(d.String())
	b, errB := readFigures(other.String())
	if err := cmp.Or(errA, errB); err != nil {
		return "", err
	}
	exponent := min(a.exponent, b.exponent)
	sum := a.scaled(exponent)
	sum.Add(sum, b.scaled(exponent))
	return newFigures(sum.String(), exponent).decimal()
}

// Sub returns the difference, with the errors of Add.
func (d Decimal) Sub(other Decimal) (Decimal, error) { return d.Add(other.Neg()) }

// Neg returns the number with the other sign. What is not Valid stays as it is.
func (d Decimal) Neg() Decimal {
	f, err := readFigures(d.String())
	if err != nil {
		return d
	}
	f.negative = !f.negative
	negated, err := f.decimal()
	if err != nil {
		return d
	}
	return negated
}

// Float64 returns the nearest number a float64 holds; NaN if the decimal is not Valid.
func (d Decimal) Float64() float64 {
	if !d.Valid() {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(d.String(), 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// Int64 returns the number as a whole one; false if it is none or too large.
func (d Decimal) Int64() (int64, bool) {
	spelled, err := ParseDecimal(d.String())
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(spelled), 10, 64)
	return n, err == nil
}

// isSpelled reports whether a text is the one spelling of a short number: most are, and
// then nothing needs to be made.
func isSpelled(s string) bool {
	if s == "0" {
		return true
	}
	s = strings.TrimPrefix(s, "-")
	if s == "" || len(s) > maxDigits {
		return false
	}
	point := -1
	for i := range len(s) {
		switch {
		case s[i] == '.' && point < 0:
			point = i
		case s[i] < '0' || s[i] > '9':
			return false
		}
	}
	switch {
	case point == 0 || s[0] == '0' && point != 1:
		return false // also -0
	case point > 0:
		return s[len(s)-1] != '0' && point < len(s)-1
	}
	return true
}

// figures are the digits of a number without zeros at either end, and what the last one
// counts: digits · 10^exponent. Zero has no digits.
type figures struct {
	negative bool
	digits   string
	exponent int
}

func newFigures(digits string, exponent int) figures {
	digits, negative := strings.CutPrefix(digits, "-")
	digits = strings.TrimLeft(digits, "0")
	trimmed := strings.TrimRight(digits, "0")
	if trimmed == "" {
		return figures{}
	}
	return figures{negative: negative, digits: trimmed, exponent: exponent + len(digits) - len(trimmed)}
}

// readFigures reads a number. Exponents are kept far from where they could overflow; what
// is beyond them is beyond DynamoDB too.
func readFigures(s string) (figures, error) {
	body := s
	if s != "" && (s[0] == '-' || s[0] == '+') {
		body = s[1:]
	}
	mantissa, exponent := body, 0
	if at := strings.IndexAny(body, "eE"); at >= 0 {
		n, err := strconv.ParseInt(body[at+1:], 10, 32)
		if errors.Is(err, strconv.ErrRange) {
			return figures{}, errTooLarge
		}
		if err != nil {
			return figures{}, errNotANumber
		}
		mantissa, exponent = body[:at], int(n)
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || !onlyDigits(whole) || !onlyDigits(fraction) {
		return figures{}, errNotANumber
	}
	digits := whole
	if point {
		digits += fraction
	}
	f := newFigures(digits, exponent-len(fraction))
	f.negative = f.digits != "" && s[0] == '-'
	return f, f.check()
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func (f figures) check() error {
	switch {
	case f.digits == "":
		return nil
	case len(f.digits) > maxDigits:
		return errNotANumber
	case f.first() > maxExponent || f.first() < minExponent:
		return errTooLarge
	}
	return nil
}

// first returns the exponent of the first digit.
func (f figures) first() int { return f.exponent + len(f.digits) - 1 }

func (f figures) sign() int {
	switch {
	case f.digits == "":
		return 0
	case f.negative:
		return -1
	}
	return 1
}

// scaled returns the number counted in 10^exponent, which is at most its own.
func (f figures) scaled(exponent int) *big.Int {
	n := new(big.Int)
	if f.digits == "" {
		return n
	}
	n.SetString(f.digits, 10)
	n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(f.exponent-exponent)), nil))
	if f.negative {
		n.Neg(n)
	}
	return n
}

// decimal returns the number in its one spelling.
func (f figures) decimal() (Decimal, error) {
	if err := f.check(); err != nil {
		return "", err
	}
	if f.digits == "" {
		return "0", nil
	}
	var b strings.Builder
	if f.negative {
		b.WriteByte('-')
	}
	switch point := len(f.digits) + f.exponent; { // how many digits come before the point
	case f.exponent >= 0:
		b.WriteString(f.digits)
		b.WriteString(strings.Repeat("0", f.exponent))
	case point <= 0:
		b.WriteString("0.")
		b.WriteString(strings.Repeat("0", -point))
		b.WriteString(f.digits)
	default:
		b.WriteString(f.digits[:point])
		b.WriteByte('.')
		b.WriteString(f.digits[point:])
	}
	return Decimal(b.String()), nil
}
