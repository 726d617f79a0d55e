// Package exact implements arithmetic without rounding: rates, capacity units and money are
// rational numbers, and become decimals only when printed.
//
// A bill must not be a cent off because 0.1 is not a binary fraction, and a month of 730 hours
// does not divide evenly into days. The whole design compiler computes with this package.
package exact

import (
	"fmt"
	"math"
	"math/big"
	"strings"
)

// A Number is an exact rational number. The zero value is 0. Numbers are values:
// no method changes its receiver.
type Number struct {
	num, den int64    // num/den in lowest terms, den positive; both zero for 0
	big      *big.Rat // the number, if it does not fit into the two
}

// Zero and One are common numbers.
var (
	Zero = Number{}
	One  = Int(1)
)

// Int returns n.
func Int(n int64) Number {
	switch n {
	case 0:
		return Zero
	case math.MinInt64:
		return Number{big: big.NewRat(n, 1)}
	}
	return Number{num: n, den: 1}
}

// Ratio returns a/b; b must not be 0.
func Ratio(a, b int64) Number {
	if a != math.MinInt64 && b > 0 {
		return fraction(a, b)
	}
	return exactly(big.NewRat(a, b))
}

// maxDigits limits the input of Parse.
const maxDigits = 60

// Parse reads a plain decimal such as 12, 0.625 or -3.5.
func Parse(s string) (Number, error) {
	digits := strings.TrimPrefix(s, "-")
	whole, fraction, dot := strings.Cut(digits, ".")
	if len(s) > maxDigits || !allDigits(whole) || (dot && !allDigits(fraction)) {
		return Zero, fmt.Errorf("%q is not a decimal number", s)
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return Zero, fmt.Errorf("%q is not a decimal number", s)
	}
	return exactly(r), nil
}

// MustParse is like Parse but panics if s is invalid. It is for constants.
func MustParse(s string) Number {
	n, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return n
}

func allDigits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

func (n Number) rat() *big.Rat {
	if num, den, ok := n.small(); ok {
		return big.NewRat(num, den)
	}
	return n.big
}

// Add returns n + m.
func (n Number) Add(m Number) Number {
	switch {
	case m.IsZero():
		return n
	case n.IsZero():
		return m
	}
	if sum, ok := addSmall(n, m); ok {
		return sum
	}
	return exactly(new(big.Rat).Add(n.rat(), m.rat()))
}

// Sub returns n - m.
func (n Number) Sub(m Number) Number { return n.Add(m.negated()) }

func (n Number) negated() Number {
	if n.big != nil {
		return exactly(new(big.Rat).Neg(n.big))
	}
	n.num = -n.num
	return n
}

// Mul returns n * m.
func (n Number) Mul(m Number) Number {
	if product, ok := mulSmall(n, m); ok {
		return product
	}
	return exactly(new(big.Rat).Mul(n.rat(), m.rat()))
}

// Div returns n / m, or zero and false if m is zero.
func (n Number) Div(m Number) (Number, bool) {
	if m.Sign() == 0 {
		return Zero, false
	}
	return n.Mul(m.inverse()), true
}

// Over returns n / m; m must not be zero.
func (n Number) Over(m int64) Number { return n.Mul(Ratio(1, m)) }

// Times returns n * m for whole m.
func (n Number) Times(m int64) Number { return n.Mul(Int(m)) }

// Cmp returns -1, 0 or +1 as n is below, equal to or above m.
func (n Number) Cmp(m Number) int {
	if order, ok := cmpSmall(n, m); ok {
		return order
	}
	return n.rat().Cmp(m.rat())
}

// Equal reports n == m.
func (n Number) Equal(m Number) bool { return n.Cmp(m) == 0 }

// Less reports n < m.
func (n Number) Less(m Number) bool { return n.Cmp(m) < 0 }

// Sign returns -1, 0 or +1.
func (n Number) Sign() int {
	switch {
	case n.big != nil:
		return n.big.Sign()
	case n.num > 0:
		return 1
	case n.num < 0:
		return -1
	}
	return 0
}

// IsZero reports n == 0.
func (n Number) IsZero() bool { return n.Sign() == 0 }

// Max returns the larger of n and m.
func (n Number) Max(m Number) Number {
	if n.Less(m) {
		return m
	}
	return n
}

// Min returns the smaller of n and m.
func (n Number) Min(m Number) Number {
	if m.Less(n) {
		return m
	}
	return n
}

// Floor returns the largest whole number not above n.
func (n Number) Floor() Number {
	if num, den, ok := n.small(); ok {
		whole := num / den
		if num < 0 && num%den != 0 {
			whole-- // Go rounds towards zero
		}
		return Int(whole)
	}
	q := new(big.Int)
	q.Div(n.big.Num(), n.big.Denom()) // Euclidean: rounds towards minus infinity for positive denominators
	return exactly(new(big.Rat).SetInt(q))
}

// Ceil returns the smallest whole number not below n.
func (n Number) Ceil() Number {
	floor := n.Floor()
	if floor.Equal(n) {
		return n
	}
	return floor.Add(One)
}

// Int64 returns n truncated to an int64, saturated at its limits.
func (n Number) Int64() int64 {
	if num, den, ok := n.small(); ok {
		return num / den
	}
	q := new(big.Int).Quo(n.big.Num(), n.big.Denom())
	if !q.IsInt64() {
		if q.Sign() < 0 {
			return -1 << 63
		}
		return 1<<63 - 1
	}
	return q.Int64()
}

// Float64 returns the nearest float, for drawing, not for sums.
func (n Number) Float64() float64 {
	if num, den, ok := n.small(); ok && num < 1<<53 && num > -1<<53 && den < 1<<53 {
		return float64(num) / float64(den) // both are exact, so the quotient is the nearest float
	}
	f, _ := n.rat().Float64()
	return f
}

// IsInt reports whether n is whole.
func (n Number) IsInt() bool {
	if _, den, ok := n.small(); ok {
		return den == 1
	}
	return n.big.IsInt()
}

// Round returns n rounded half away from zero to a number of decimals.
func (n Number) Round(decimals int) Number {
	r, _ := new(big.Rat).SetString(n.rat().FloatString(decimals))
	return exactly(r)
}

// Fixed formats n with the given number of decimals, rounded half away from zero.
func (n Number) Fixed(decimals int) string {
	s := n.rat().FloatString(decimals)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// String formats n with as many decimals as needed, at most six significant ones after the
// leading zeros.
func (n Number) String() string {
	decimals := 6
	for limit := Ratio(1, 1); decimals < 18 && !n.IsZero() && n.abs().Less(limit); limit = limit.Over(10) {
		decimals++
	}
	s := n.Fixed(decimals)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func (n Number) abs() Number {
	if n.Sign() < 0 {
		return n.negated()
	}
	return n
}

// MarshalText writes n as String does, so that JSON carries digits, not floats.
func (n Number) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText parses the output of MarshalText.
func (n *Number) UnmarshalText(text []byte) error {
	m, err := Parse(string(text))
	if err != nil {
		return err
	}
	*n = m
	return nil
}
