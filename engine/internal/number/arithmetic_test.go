package number_test

import (
	"errors"
	"testing"

	"sortkey.dev/engine/internal/number"
)

func TestAddAndSub(t *testing.T) {
	min130 := "0." + zeros(129) + "1"
	largest := nines(38) + zeros(88)
	for _, c := range []struct {
		a, b, sum, difference string
		sumErr, differenceErr error
	}{
		{a: "1", b: "2", sum: "3", difference: "-1"},
		{a: "0", b: "-5", sum: "-5", difference: "5"},
		{a: "-0.5", b: "0", sum: "-0.5", difference: "-0.5"},
		{a: "0", b: "0.5", sum: "0.5", difference: "-0.5"},
		{a: "0.1", b: "0.2", sum: "0.3", difference: "-0.1"},
		{a: "0.1", b: "0.1", sum: "0.2", difference: "0"},
		{a: "-0.1", b: "-0.1", sum: "-0.2", difference: "0"},
		{a: "99.99", b: "0.01", sum: "100", difference: "99.98"},
		{a: "1000", b: "0.001", sum: "1000.001", difference: "999.999"},
		{a: "-10", b: "9.99", sum: "-0.01", difference: "-19.99"},
		{a: nines(18), b: nines(18), sum: "1" + nines(17) + "8", difference: "0"},
		{a: "-" + nines(18), b: nines(18), sum: "0", difference: "-1" + nines(17) + "8"},
		{a: nines(19), b: "1", sum: "1" + zeros(19), difference: nines(18) + "8"},
		{a: nines(37) + "8", b: "1", sum: nines(38), difference: nines(37) + "7"},
		{a: nines(38), b: "1", sum: "1" + zeros(38), difference: nines(37) + "8"},
		{a: nines(38), b: "2", sumErr: number.ErrOverflow, difference: nines(37) + "7"},
		{a: "1" + zeros(37), b: "0.1", sumErr: number.ErrPrecision, difference: nines(37) + ".9"},
		{a: "1" + zeros(38), b: "0.1", sumErr: number.ErrOverflow, differenceErr: number.ErrPrecision},
		{a: "1" + zeros(38), b: "1", sumErr: number.ErrOverflow, difference: nines(38)},
		{a: "1" + zeros(39), b: "1", sumErr: number.ErrOverflow, differenceErr: number.ErrOverflow},
		{a: "-1" + zeros(50), b: "1", sumErr: number.ErrOverflow, differenceErr: number.ErrOverflow},
		{a: "1" + zeros(38), b: min130, sumErr: number.ErrOverflow, differenceErr: number.ErrPrecision},
		{a: "2" + zeros(38), b: min130, sumErr: number.ErrOverflow, differenceErr: number.ErrOverflow},
		{a: "1" + zeros(37), b: min130, sumErr: number.ErrPrecision, differenceErr: number.ErrPrecision},
		{a: "1" + zeros(125), b: min130, sumErr: number.ErrOverflow, differenceErr: number.ErrOverflow},
		{a: min130, b: "-1" + zeros(125), sumErr: number.ErrOverflow, differenceErr: number.ErrOverflow},
		{a: largest, b: largest, sumErr: number.ErrOverflow, difference: "0"},
		{a: largest, b: "-" + largest, sum: "0", differenceErr: number.ErrOverflow},
		// Too long and out of range: DynamoDB reports the range.
		{a: largest, b: "1" + zeros(125), sumErr: number.ErrOverflow, difference: "8" + nines(37) + zeros(88)},
		{a: largest, b: "1" + zeros(36) + "1" + zeros(52), sumErr: number.ErrOverflow, differenceErr: number.ErrOverflow},
		{a: largest, b: "1" + zeros(88), sumErr: number.ErrOverflow, difference: nines(37) + "8" + zeros(88)},
		{a: largest, b: "1", sumErr: number.ErrOverflow, differenceErr: number.ErrOverflow},
		{a: min130, b: min130, sum: "0." + zeros(129) + "2", difference: "0"},
		{a: min130 + "5", b: min130, sum: "0." + zeros(129) + "25", differenceErr: number.ErrUnderflow},
	} {
		check := func(op string, apply func(dst, a, b []byte) ([]byte, error), want string, wantErr error) {
			got, err := apply([]byte("x"), []byte(c.a), []byte(c.b))
			if string(got) != "x"+want || !errors.Is(err, wantErr) {
				t.Errorf("%s %s %s: got %s, %v; want x%s, %v", c.a, op, c.b, got, err, want, wantErr)
			}
		}
		check("+", number.AppendAdd, c.sum, c.sumErr)
		check("-", number.AppendSub, c.difference, c.differenceErr)
	}
}

func TestAddOfInvalidNumbers(t *testing.T) {
	for _, pair := range [][2]string{{"abc", "1"}, {"1", "abc"}, {"", "0.5"}, {"1.5", ""}} {
		got, err := number.AppendAdd([]byte("x"), []byte(pair[0]), []byte(pair[1]))
		if syntax := (*number.SyntaxError)(nil); !errors.As(err, &syntax) || string(got) != "x" {
			t.Errorf("%q: got %q, error %v; want a SyntaxError", pair, got, err)
		}
	}
}

// A counter can be updated in its own buffer.
func TestAddIntoItsOperand(t *testing.T) {
	counter := make([]byte, 0, 64)
	counter = append(counter, "99.75"...)
	for range 3 {
		var err error
		if counter, err = number.AppendAdd(counter[:0], counter, []byte("0.25")); err != nil {
			t.Fatal(err)
		}
	}
	if string(counter) != "100.5" {
		t.Errorf("got %s, want 100.5", counter)
	}
}
