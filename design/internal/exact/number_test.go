package exact

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]*big.Rat{
		"0": big.NewRat(0, 1), "12": big.NewRat(12, 1), "0.625": big.NewRat(5, 8), "-3.5": big.NewRat(-7, 2), "007": big.NewRat(7, 1),
		"-0": big.NewRat(0, 1),
	} {
		if got, err := Parse(text); err != nil || got.rat().Cmp(want) != 0 {
			t.Errorf("Parse(%q) = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-", ".", ".5", "5.", "1e5", "1/2", "+1", "--1", "1.2.3", " 1", "1_000", "0x10", "١", "NaN", "Inf"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", text, got)
		}
	}
}

func TestParseAcceptsUpTo60Characters(t *testing.T) {
	if _, err := Parse(strings.Repeat("9", 60)); err != nil {
		t.Error(err)
	}
	if _, err := Parse(strings.Repeat("9", 61)); err == nil {
		t.Error("61 digits were read")
	}
}

func TestMustParsePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a constant that is no number went unnoticed")
		}
	}()
	MustParse("x")
}

func TestString(t *testing.T) {
	for _, test := range []struct {
		number Number
		want   string
	}{
		{Zero, "0"}, {One, "1"}, {Int(-7), "-7"}, {Int(1_000_000), "1000000"}, {Ratio(1, 2), "0.5"}, {Ratio(1, 3), "0.3333333"},
		{Ratio(-1, 3), "-0.3333333"}, {Ratio(10, 3), "3.333333"}, {MustParse("0.000000125"), "0.000000125"},
		{MustParse("100"), "100"}, {MustParse("1.50"), "1.5"}, {MustParse("0.0000000000000000000001"), "0"},
	} {
		if got := test.number.String(); got != test.want {
			t.Errorf("%v prints as %q, want %q", test.number.rat(), got, test.want)
		}
	}
}

func TestFixedAndRound(t *testing.T) {
	for _, test := range []struct {
		number   string
		decimals int
		want     string
	}{
		{"1.005", 2, "1.01"}, {"-1.005", 2, "-1.01"}, {"1.004", 2, "1.00"}, {"2.5", 0, "3"}, {"-2.5", 0, "-3"},
		{"-0.001", 2, "0.00"}, {"0", 2, "0.00"}, {"0.1", 3, "0.100"}, {"999.995", 2, "1000.00"},
	} {
		n := MustParse(test.number)
		if got := n.Fixed(test.decimals); got != test.want {
			t.Errorf("%s to %d decimals is %q, want %q", test.number, test.decimals, got, test.want)
		}
		if got := n.Round(test.decimals); !got.Equal(MustParse(test.want)) {
			t.Errorf("%s rounded to %d decimals is %v, want %s", test.number, test.decimals, got, test.want)
		}
	}
}

func TestFloorCeilAndInt64(t *testing.T) {
	for _, test := range []struct {
		number             Number
		floor, ceil, int64 int64
		whole              bool
	}{
		{Ratio(7, 2), 3, 4, 3, false}, {Ratio(-7, 2), -4, -3, -3, false}, {Int(5), 5, 5, 5, true}, {Int(-5), -5, -5, -5, true}, {Zero, 0, 0, 0, true},
	} {
		n := test.number
		if !n.Floor().Equal(Int(test.floor)) || !n.Ceil().Equal(Int(test.ceil)) || n.Int64() != test.int64 || n.IsInt() != test.whole {
			t.Errorf("%v: floor %v, ceil %v, int64 %d, whole %v", n, n.Floor(), n.Ceil(), n.Int64(), n.IsInt())
		}
	}
	huge := Int(math.MaxInt64).Mul(Int(2))
	if huge.Int64() != math.MaxInt64 || Zero.Sub(huge).Int64() != math.MinInt64 {
		t.Error("numbers beyond int64 become its ends")
	}
}

func TestDividingByZero(t *testing.T) {
	if got, ok := One.Div(Zero); ok || !got.IsZero() {
		t.Errorf("1 / 0 = %v, %v", got, ok)
	}
	if got, ok := One.Div(Int(4)); !ok || !got.Equal(Ratio(1, 4)) {
		t.Errorf("1 / 4 = %v, %v", got, ok)
	}
}

func TestJSONCarriesDigits(t *testing.T) {
	type bill struct{ Total Number }
	text, err := json.Marshal(bill{MustParse("0.1")})
	if err != nil || string(text) != `{"Total":"0.1"}` {
		t.Fatalf("%s, %v", text, err)
	}
	var back bill
	if err := json.Unmarshal(text, &back); err != nil || !back.Total.Equal(MustParse("0.1")) {
		t.Errorf("read back as %v, %v", back.Total, err)
	}
	if err := json.Unmarshal([]byte(`{"Total":"x"}`), &back); err == nil {
		t.Error("x was read as a number")
	}
}

// TestArithmetic compares random sums with big.Rat, and makes sure no operand changed.
func TestArithmetic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func() (Number, *big.Rat) {
		a, b := random.Int64N(2_000_001)-1_000_000, random.Int64N(1000)+1
		if random.IntN(10) == 0 {
			return Zero, new(big.Rat) // the zero value has no rational inside
		}
		return Ratio(a, b), big.NewRat(a, b)
	}
	for range 2000 {
		n, x := pick()
		m, y := pick()
		whole := random.Int64N(100) + 1
		for _, test := range []struct {
			name string
			got  Number
			want *big.Rat
		}{
			{"+", n.Add(m), new(big.Rat).Add(x, y)},
			{"-", n.Sub(m), new(big.Rat).Sub(x, y)},
			{"*", n.Mul(m), new(big.Rat).Mul(x, y)},
			{"times", n.Times(whole), new(big.Rat).Mul(x, big.NewRat(whole, 1))},
			{"over", n.Over(whole), new(big.Rat).Quo(x, big.NewRat(whole, 1))},
		} {
			if test.got.rat().Cmp(test.want) != 0 {
				t.Fatalf("%v %s %v = %v, want %v", x, test.name, y, test.got.rat(), test.want)
			}
		}
		if n.rat().Cmp(x) != 0 || m.rat().Cmp(y) != 0 {
			t.Fatalf("arithmetic changed %v or %v", x, y)
		}
		checkOrder(t, n, m, x.Cmp(y))
	}
}

// checkOrder checks that all comparisons agree with want.
func checkOrder(t *testing.T, n, m Number, want int) {
	t.Helper()
	if n.Cmp(m) != want || n.Less(m) != (want < 0) || n.Equal(m) != (want == 0) || n.Sub(m).Sign() != want || n.Sub(m).IsZero() != (want == 0) {
		t.Fatalf("comparing %v and %v: want %d", n, m, want)
	}
	if n.Max(m).Less(n.Min(m)) || !n.Max(m).Add(n.Min(m)).Equal(n.Add(m)) {
		t.Fatalf("the larger of %v and %v is %v, the smaller %v", n, m, n.Max(m), n.Min(m))
	}
	if floor := n.Floor(); n.Less(floor) || !n.Less(floor.Add(One)) || !floor.IsInt() || !n.Ceil().Equal(Zero.Sub(Zero.Sub(n).Floor())) {
		t.Fatalf("the floor of %v is %v, its ceiling %v", n, floor, n.Ceil())
	}
}

func TestFloat64(t *testing.T) {
	if got := Ratio(1, 4).Float64(); got != 0.25 {
		t.Errorf("1/4 is drawn as %v", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"12", "0.625", "-3.5", "1e9", "", "."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(n.Fixed(maxDigits))
		if err == nil && !again.Equal(n) {
			t.Errorf("%q is read as %v, and that as %v", text, n, again)
		}
		if _, err := Parse(n.String()); err != nil {
			t.Errorf("%q prints as %q: %v", text, n, err)
		}
	})
}
