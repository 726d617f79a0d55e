package exact

import (
	"math"
	"math/big"
)

// Nearly all numbers of a design are fractions of two small integers and stored as such: a
// big.Rat takes five allocations and ten times as long for every sum. Numbers that do not fit
// are stored as a big.Rat until they fit again.

// fraction returns n/d in lowest terms, for a d above zero.
func fraction(n, d int64) Number {
	if n == 0 {
		return Zero
	}
	g := gcd(magnitude(n), uint64(d))
	return Number{num: n / int64(g), den: d / int64(g)}
}

// exactly returns the number of a big.Rat, as a small fraction if it fits. It retains r.
func exactly(r *big.Rat) Number {
	if r.Num().IsInt64() && r.Denom().IsInt64() && r.Num().Int64() != math.MinInt64 {
		if r.Sign() == 0 {
			return Zero
		}
		return Number{num: r.Num().Int64(), den: r.Denom().Int64()}
	}
	return Number{big: r}
}

// small returns n as a fraction of int64, unless it is too large for that.
func (n Number) small() (num, den int64, ok bool) {
	if n.big != nil {
		return 0, 0, false
	}
	if n.den == 0 {
		return 0, 1, true
	}
	return n.num, n.den, true
}

// addSmall returns n + m if all of it fits into int64.
func addSmall(n, m Number) (Number, bool) {
	a, b, ok1 := n.small()
	c, d, ok2 := m.small()
	if !ok1 || !ok2 {
		return Zero, false
	}
	if b == d {
		sum, ok := plus(a, c)
		return fraction(sum, b), ok
	}
	g := int64(gcd(uint64(b), uint64(d)))
	left, ok1 := times(a, d/g)
	right, ok2 := times(c, b/g)
	sum, ok3 := plus(left, right)
	den, ok4 := times(b, d/g)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return Zero, false
	}
	return fraction(sum, den), true
}

// mulSmall returns n * m if all of it fits into int64.
func mulSmall(n, m Number) (Number, bool) {
	a, b, ok1 := n.small()
	c, d, ok2 := m.small()
	if !ok1 || !ok2 {
		return Zero, false
	}
	if a == 0 || c == 0 {
		return Zero, true
	}
	// Both are in lowest terms; common factors are cancelled crosswise first, so the product is
	// in lowest terms too and overflows only if it must.
	g, h := int64(gcd(magnitude(a), uint64(d))), int64(gcd(magnitude(c), uint64(b)))
	num, ok1 := times(a/g, c/h)
	den, ok2 := times(b/h, d/g)
	return Number{num: num, den: den}, ok1 && ok2
}

// cmpSmall compares n and m if that fits into int64.
func cmpSmall(n, m Number) (int, bool) {
	a, b, ok1 := n.small()
	c, d, ok2 := m.small()
	if !ok1 || !ok2 {
		return 0, false
	}
	left, ok1 := times(a, d)
	right, ok2 := times(c, b)
	switch {
	case !ok1 || !ok2:
		return 0, false
	case left < right:
		return -1, true
	case left > right:
		return 1, true
	}
	return 0, true
}

// inverse returns 1/n for an n that is not zero.
func (n Number) inverse() Number {
	if num, den, ok := n.small(); ok {
		if num < 0 {
			num, den = -num, -den
		}
		return Number{num: den, den: num}
	}
	return exactly(new(big.Rat).Inv(n.big))
}

// plus returns a + b and whether it fits. The smallest int64 does not fit, so that every
// number has a negation.
func plus(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0) && sum != math.MinInt64
}

// times returns a * b and whether it fits.
func times(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	product := a * b
	return product, product/b == a && product != math.MinInt64 && a != math.MinInt64 && b != math.MinInt64
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-n)
	}
	return uint64(n)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
