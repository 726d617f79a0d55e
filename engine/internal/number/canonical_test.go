package number_test

import (
	"errors"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/number"
)

func zeros(n int) string { return strings.Repeat("0", n) }
func nines(n int) string { return strings.Repeat("9", n) }

func TestCanonicalForm(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "+0": "0", "0.0": "0", "+0.0": "0", "-0.00e7": "0", "000": "0", ".0": "0", "0.": "0",
		"5": "5", "+5": "5", "-7": "-7", "5.": "5", ".5": "0.5", "+.5": "0.5", "-.5": "-0.5", "-5.": "-5",
		"0042.1200": "42.12", "00042": "42", "1.0": "1", "100": "100", "-100.00": "-100", "10.01": "10.01",
		"0.5": "0.5", "00.5": "0.5", "-0.50": "-0.5", "0.000001": "0.000001",
		"1e5": "100000", "1E+5": "100000", "1e-5": "0.00001", "1.5E2": "150", "1.5e1": "15", "1.5e0": "1.5",
		"15e-1": "1.5", "5.e3": "5000", ".5e3": "500", "+1e2": "100", "123.456e1": "1234.56", "1e00005": "100000",
		"0.00012e4": "1.2", "-1200e-3": "-1.2", "1e0": "1", "1e-0": "1",
		"1E125": "1" + zeros(125), "-1E125": "-1" + zeros(125),
		"1E-130": "0." + zeros(129) + "1", "-1e-130": "-0." + zeros(129) + "1",
		"1.5E-130":                 "0." + zeros(129) + "15",
		"9." + nines(37) + "E+125": nines(38) + zeros(88), "-9." + nines(37) + "E+125": "-" + nines(38) + zeros(88),
		nines(38): nines(38), "-" + nines(38): "-" + nines(38), nines(38) + "0": nines(38) + "0",
		"0." + nines(38): "0." + nines(38), "1." + nines(37): "1." + nines(37), nines(37) + ".9": nines(37) + ".9",
		"1" + zeros(125): "1" + zeros(125), "0.1e126": "1" + zeros(125), "10e-131": "0." + zeros(129) + "1",
		"0e125": "0", "0e-130": "0", "-0e125": "0", "00e125": "0", "0.0e126": "0", "-0.00E127": "0", ".0e126": "0", "0.0e-129": "0", "0." + zeros(131): "0", "0.0e-130": "0",
		zeros(300) + "7": "7", "7." + zeros(300): "7", "7" + zeros(300) + "e-300": "7", "0." + zeros(300) + "7e301": "7",
	} {
		got, err := number.AppendCanonical([]byte("x"), []byte(text))
		if err != nil || string(got) != "x"+want {
			t.Errorf("%q: got %q, %v; want x%s", text, got, err, want)
		}
	}
}

func TestNumbersOutOfLimits(t *testing.T) {
	const (
		overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
		underflow = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
		precision = "Attempting to store more than 38 significant digits in a Number"
	)
	for text, want := range map[string]string{
		"1e126": overflow, "-1e126": overflow, "10e125": overflow, "1" + zeros(126): overflow, "0.1e127": overflow,
		"1e2147483648": overflow, "-1e99999999999": overflow, "1e9223372036854775807": overflow,
		"0e126": overflow, "-0e126": overflow, "00e126": overflow, "0.e126": overflow, "0.0e127": overflow, "0e9223372036854775807": overflow,
		"1e-131": underflow, "-1e-131": underflow, "9." + nines(37) + "e-131": underflow, "0.1e-130": underflow,
		"1e-9223372036854775808": underflow, "0e-131": underflow, "0.0e-131": underflow, "0." + zeros(130) + "1": underflow,
		"1" + zeros(37) + "1": precision, "-1.23456789012345678901234567890123456789": precision,
		nines(39): precision, "0." + nines(39): precision, "1" + zeros(100) + "1": precision, "9" + zeros(37) + ".1": precision,
		"1." + zeros(37) + "1E125":           precision,
		nines(39) + "e126":                   overflow,
		nines(39) + "e-200":                  underflow,
		"1" + zeros(60) + "1e9999999999":     overflow,
		"9." + nines(38) + "e125":            precision,
		"-0." + zeros(129) + "1" + nines(38): precision,
	} {
		got, err := number.AppendCanonical([]byte("x"), []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: got error %v, want %s", text, err, want)
		}
		if string(got) != "x" {
			t.Errorf("%q: an error came with %q, want dst unchanged", text, got)
		}
	}
}

func TestInvalidNumbers(t *testing.T) {
	for _, text := range []string{
		" ", " 5", "5 ", "1 5", "\t5", "5\n", "abc", "b", "NaN", "Infinity", "-Infinity", "inf", "0x5", "0x1p4", "1_000", "1,5",
		"+", "-", ".", "+.", "-.", "--1", "++5", "+-5", "-+5", "1+2", "+1+2", "1-", "1.2.3", "..5", "5..", "+1.2.3",
		"e", "e2", "+e2", ".e2", "1e", "1E", "1e+", "1e-", "1e+-5", "1ee5", "1e5e5", "1.2e3.4", "1e 5", "1e5 ", "1e5x", "5f", "5d",
		"1e9223372036854775808", "1e-9223372036854775809", "0e9223372036854775808", "1e18446744073709551617", "1e" + nines(40),
		"٣", "５", "½", "1\x00", "\xff",
	} {
		got, err := number.AppendCanonical([]byte("x"), []byte(text))
		var syntax *number.SyntaxError
		if !errors.As(err, &syntax) || syntax.Text != text || string(got) != "x" {
			t.Errorf("%q: got %q, error %v; want a SyntaxError", text, got, err)
			continue
		}
		if want := "The parameter cannot be converted to a numeric value: " + text; err.Error() != want {
			t.Errorf("%q: got error %q, want %q", text, err, want)
		}
	}
	_, err := number.AppendCanonical(nil, nil)
	if err == nil || err.Error() != "The parameter cannot be converted to a numeric value" {
		t.Errorf("empty text: got error %v", err)
	}
}

// Ten megabytes of digits are parsed in one pass and without allocations.
func TestVeryLongText(t *testing.T) {
	const long = 10_000_000
	for name, c := range map[string]struct {
		text, want string
		err        error
	}{
		"LeadingZeros":  {text: zeros(long) + "42", want: "42"},
		"Fraction":      {text: "42." + zeros(long), want: "42"},
		"BroughtBack":   {text: "42" + zeros(long) + "e-10000000", want: "42"},
		"SmallNotSmall": {text: "0." + zeros(long) + "42e10000002", want: "42"},
		"Zeros":         {text: zeros(long) + "." + zeros(long), want: "0"},
		"Exponent":      {text: "42e" + zeros(long) + "1", want: "420"},
		"Large":         {text: nines(long), err: number.ErrOverflow},
		"Small":         {text: "0." + zeros(long) + "1", err: number.ErrUnderflow},
		"Precise":       {text: "0." + nines(long), err: number.ErrPrecision},
		"PreciseLate":   {text: "1." + zeros(long) + "1", err: number.ErrPrecision},
	} {
		t.Run(name, func(t *testing.T) {
			text, dst := []byte(c.text), make([]byte, 0, 200)
			var got []byte
			var err error
			allocs := testing.AllocsPerRun(1, func() { got, err = number.AppendCanonical(dst, text) })
			if string(got) != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v; want %q, %v", got, err, c.want, c.err)
			}
			if allocs != 0 {
				t.Errorf("%v allocations, want none", allocs)
			}
		})
	}
}

func TestCompareOrdersNumbers(t *testing.T) {
	ascending := []string{
		"-" + nines(38) + zeros(88), "-1" + zeros(125), "-100", "-99.99", "-99", "-10.5", "-10", "-9", "-1.01", "-1", "-0.5", "-0.05",
		"-0." + zeros(129) + "1", "0", "0." + zeros(129) + "1", "0.05", "0.051", "0.5", "1", "1.01", "1.1", "9", "9.5", "10", "10.5", "11",
		"99", "99.99", "100", "1699999999999", nines(38), "1" + zeros(125), nines(38) + zeros(88),
	}
	for i, a := range ascending {
		for j, b := range ascending {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := number.Compare([]byte(a), []byte(b)); got != want {
				t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestSize(t *testing.T) {
	for canonical, want := range map[string]int{
		"0": 1, "1": 2, "42": 2, "-42": 3, "461": 3, "1000": 2, "1010": 3, "1" + zeros(125): 2, "-1" + zeros(125): 3,
		"3.14159": 5, "-3.14159": 6, "0.5": 2, "0.0000001": 2, "-0.0000001": 3, "0.123": 3, "100.5": 4, "10.05": 3, "1.05": 3,
		"1700000000": 2, "1786461547": 6, nines(38): 20, "-" + nines(38): 21, "1." + nines(37): 21, "-1." + nines(37): 22,
		"0." + zeros(129) + "1": 2,
	} {
		if got := number.Size([]byte(canonical)); got != want {
			t.Errorf("Size(%s) = %d, want %d", canonical, got, want)
		}
	}
}

// Callers pass only canonical numbers; a bug elsewhere must still not cause a panic here.
func TestUncheckedTextDoesNotPanic(t *testing.T) {
	for _, text := range []string{"", "-", ".", "-.", "abc", "00.100", zeros(500), nines(500) + "." + nines(500), "-0." + zeros(500) + "1", "1e5"} {
		number.Compare([]byte(text), []byte("1"))
		number.Compare([]byte("-1"), []byte(text))
		number.Size([]byte(text))
		number.AppendKey(nil, []byte(text))
	}
}
