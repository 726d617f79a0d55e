package access_test

import (
	"math"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"sortkey.dev/access"
)

func TestDecimalsHaveOneSpelling(t *testing.T) {
	nines := strings.Repeat("9", 38)
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.0": "0", "0e500": "0", "+1": "1", "1": "1", "-1": "-1", "10": "10", "007": "7", "1.50": "1.5", "1.": "1", ".5": "0.5",
		"0.5": "0.5", "-0.05": "-0.05", "0042.1200": "42.12", "1e3": "1000", "1E+3": "1000", "1.5e-3": "0.0015", "12e-1": "1.2", "100e-2": "1",
		nines: nines, "-" + nines: "-" + nines, nines + "000": nines + "000", "0." + nines: "0." + nines,
		"1e125": "1" + strings.Repeat("0", 125), "1e-130": "0." + strings.Repeat("0", 129) + "1",
	} {
		got, err := access.ParseDecimal(text)
		if err != nil || string(got) != want {
			t.Errorf("ParseDecimal(%s) = %s, %v, want %s", text, got, err, want)
		}
		if again, err := access.ParseDecimal(want); err != nil || string(again) != want {
			t.Errorf("%s is spelled %s, %v", want, again, err)
		}
	}
	for _, text := range []string{"", "-", "+", ".", "e5", "1e", "1e+", "1e1.5", "abc", "1,5", "1.2.3", "--1", "0x10", "1_000", "NaN", "Inf", " 1",
		"1" + nines, "1.1" + nines[1:], "1e126", "1e-131", "1e99999999999999999999", "1e-99999999999999999999"} {
		if got, err := access.ParseDecimal(text); err == nil {
			t.Errorf("ParseDecimal(%s) = %s", text, got)
		}
		if access.Decimal(text).Valid() && text != "" {
			t.Errorf("%s is valid", text)
		}
	}
}

func TestDecimalsCountExactly(t *testing.T) {
	sum, err := access.Decimal("0.1").Add("0.2")
	if err != nil || sum != "0.3" {
		t.Errorf("0.1 + 0.2 = %s, %v", sum, err)
	}
	if rest, err := access.DecimalOf(1999, 2).Sub(access.DecimalOf(2000, 2)); err != nil || rest != "-0.01" {
		t.Errorf("19.99 - 20 = %s, %v", rest, err)
	}
	var none access.Decimal
	if sum, err := none.Add("1.50"); err != nil || sum != "1.5" || none.String() != "0" || !none.Valid() {
		t.Errorf("nothing + 1.50 = %s, %v", sum, err)
	}
	if sum, err := access.Decimal("1e37").Add("0.1"); err == nil {
		t.Errorf("a sum of 39 digits is %s", sum)
	}
	if sum, err := access.Decimal("9e125").Add("9e125"); err == nil {
		t.Errorf("a sum beyond the range is %s", sum)
	}
	if sum, err := access.Decimal("1").Add("x"); err == nil {
		t.Errorf("1 + x = %s", sum)
	}
	if got := access.DecimalOf(-5, -3); got != "-5000" {
		t.Errorf("-5 thousands are %s", got)
	}
	for _, scale := range []int{1000, -1000, math.MaxInt, math.MinInt} {
		if got := access.DecimalOf(5, scale); got.Valid() {
			t.Errorf("5 with scale %d is %s", scale, got)
		}
	}
	if got := access.Decimal("-0.0").Neg() + access.Decimal("1.0").Neg() + access.Decimal("x").Neg(); got != "0-1x" {
		t.Errorf("with the other sign: %s", got)
	}
	if got := access.Decimal("0.25").Float64(); got != 0.25 {
		t.Errorf("0.25 is %v", got)
	}
	if got := access.Decimal("x").Float64(); !math.IsNaN(got) {
		t.Errorf("x is %v", got)
	}
	if n, ok := access.Decimal("1.5e1").Int64(); !ok || n != 15 {
		t.Errorf("1.5e1 is %d, %v", n, ok)
	}
	for _, text := range []access.Decimal{"1.5", "9223372036854775808", "x"} {
		if n, ok := text.Int64(); ok {
			t.Errorf("%s is the whole number %d", text, n)
		}
	}
}

func TestDecimalsSortAsNumbers(t *testing.T) {
	sorted := []access.Decimal{"x", "-1e125", "-10", "-9.5", "-9", "-0.5", "-0.05", "", "0.05", "0.5", "0.55", "9", "9.5", "10", "1e125"}
	for i, a := range sorted {
		for j, b := range sorted {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := a.Cmp(b); got != want {
				t.Errorf("%q compared with %q is %d, want %d", a, b, got, want)
			}
		}
	}
	if access.Decimal("1.0").Cmp("1e0") != 0 {
		t.Error("1.0 is not 1e0")
	}
}

var plainNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$`)

// Decimals do what fractions of big numbers do.
func FuzzDecimal(f *testing.F) {
	for _, seed := range [][2]string{{"0.1", "0.2"}, {"1e37", "0.1"}, {"-0.0", "5."}, {"99999999999999999999999999999999999999", "1"}, {"1e-130", "-1e-130"}, {"00100", "1E2"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, s, u string) {
		a, errA := access.ParseDecimal(s)
		b, errB := access.ParseDecimal(u)
		if errA != nil || errB != nil {
			return
		}
		if !plainNumber.MatchString(string(a)) || strings.ContainsAny(string(a), "eE+") {
			t.Fatalf("%q is spelled %q", s, a)
		}
		if !plainNumber.MatchString(s) || !plainNumber.MatchString(u) {
			return // exponents of zero that big.Rat would write out
		}
		ratA, ratB := rational(t, s), rational(t, u)
		if ratA.Cmp(rational(t, string(a))) != 0 {
			t.Errorf("%s is read as %s", s, a)
		}
		if got := a.Cmp(b); got != ratA.Cmp(ratB) {
			t.Errorf("%s compared with %s is %d", s, u, got)
		}
		if (a == b) != (ratA.Cmp(ratB) == 0) {
			t.Errorf("%s and %s are spelled %s and %s", s, u, a, b)
		}
		if rational(t, string(a.Neg())).Cmp(new(big.Rat).Neg(ratA)) != 0 {
			t.Errorf("-(%s) = %s", s, a.Neg())
		}
		if sum, err := a.Add(b); err == nil && rational(t, string(sum)).Cmp(new(big.Rat).Add(ratA, ratB)) != 0 {
			t.Errorf("%s + %s = %s", s, u, sum)
		}
		if rest, err := a.Sub(b); err == nil && rational(t, string(rest)).Cmp(new(big.Rat).Sub(ratA, ratB)) != 0 {
			t.Errorf("%s - %s = %s", s, u, rest)
		}
	})
}

func rational(t *testing.T, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}
