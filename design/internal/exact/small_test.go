package exact

import (
	"math"
	"math/big"
	"testing"
)

// edges returns numbers around the limit of small fractions.
func edges() []Number {
	list := []Number{Zero, One, Int(-1), Ratio(1, 3), Ratio(-7, 2), Ratio(1, math.MaxInt64), Ratio(6, -4)}
	for _, n := range []int64{math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 1 << 62, 1<<53 + 1, 1 << 32, 3037000500} {
		list = append(list, Int(n), Ratio(n, 3), Ratio(n, math.MaxInt64))
	}
	return append(list, Int(math.MaxInt64).Mul(Int(math.MaxInt64)), Int(math.MaxInt64).Times(2).Sub(Int(math.MaxInt64)))
}

// Small and large representations must give the same results.
func TestSmallAndLargeAgree(t *testing.T) {
	for _, n := range edges() {
		checkForm(t, n)
		for _, m := range edges() {
			agree(t, n, "+", m, n.Add(m), new(big.Rat).Add(n.rat(), m.rat()))
			agree(t, n, "-", m, n.Sub(m), new(big.Rat).Sub(n.rat(), m.rat()))
			agree(t, n, "*", m, n.Mul(m), new(big.Rat).Mul(n.rat(), m.rat()))
			if quotient, ok := n.Div(m); ok {
				agree(t, n, "/", m, quotient, new(big.Rat).Quo(n.rat(), m.rat()))
			}
			if n.Cmp(m) != n.rat().Cmp(m.rat()) {
				t.Errorf("%s compared with %s is %d", n.rat(), m.rat(), n.Cmp(m))
			}
		}
	}
}

func agree(t *testing.T, n Number, op string, m, got Number, want *big.Rat) {
	t.Helper()
	if got.rat().Cmp(want) != 0 {
		t.Errorf("%s %s %s = %s, want %s", n.rat(), op, m.rat(), got.rat(), want)
	}
	checkForm(t, got)
}

// checkForm checks that a number is in canonical form and rounds as a big.Rat does.
func checkForm(t *testing.T, n Number) {
	t.Helper()
	r := n.rat()
	if fits := exactly(new(big.Rat).Set(r)); (fits.big == nil) != (n.big == nil) || fits.num != n.num || fits.den != n.den {
		t.Errorf("%s is kept as %d/%d, %v", r, n.num, n.den, n.big)
	}
	floor := new(big.Int).Div(r.Num(), r.Denom())
	if n.Floor().rat().Cmp(new(big.Rat).SetInt(floor)) != 0 {
		t.Errorf("the floor of %s is %s, want %s", r, n.Floor().rat(), floor)
	}
	if want, _ := r.Float64(); n.Float64() != want {
		t.Errorf("%s as a float is %v, want %v", r, n.Float64(), want)
	}
	if n.Sign() != r.Sign() || n.IsInt() != r.IsInt() {
		t.Errorf("%s: sign %d, whole %v", r, n.Sign(), n.IsInt())
	}
}

func FuzzSmallAndLargeAgree(f *testing.F) {
	f.Add(int64(1), int64(3), int64(-7), int64(2))
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64-1), int64(math.MinInt64), int64(5))
	f.Fuzz(func(t *testing.T, a, b, c, d int64) {
		if b == 0 || d == 0 {
			return
		}
		n, m := Ratio(a, b), Ratio(c, d)
		x, y := big.NewRat(a, b), big.NewRat(c, d)
		agree(t, n, "+", m, n.Add(m), new(big.Rat).Add(x, y))
		agree(t, n, "-", m, n.Sub(m), new(big.Rat).Sub(x, y))
		agree(t, n, "*", m, n.Mul(m), new(big.Rat).Mul(x, y))
		if n.Cmp(m) != x.Cmp(y) {
			t.Errorf("%s compared with %s is %d", x, y, n.Cmp(m))
		}
	})
}
