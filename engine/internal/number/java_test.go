package number

import (
	"errors"
	"testing"
)

func TestCheckJava(t *testing.T) {
	for _, c := range []struct {
		text string
		want error
	}{
		{"1", nil},
		{"-.73e1", nil},
		{"7.31E+6", nil},
		{"1e126", nil}, // too large, but within 32 bits
		{"1e2147483646", nil},
		{"1e2147483647", ErrUnderflow},
		{"12e2147483646", ErrUnderflow},
		{"0.1e2147483647", nil},
		{"1e2147483648", &SyntaxError{}},
		{"1e-2147483647", nil},
		{"1e-2147483648", &SyntaxError{}},
		{"1.5e-2147483647", &SyntaxError{}},
		{"1e99999999999999999999", &SyntaxError{}},
	} {
		got := CheckJava(c.text)
		if _, syntax := c.want.(*SyntaxError); syntax {
			if _, ok := errors.AsType[*SyntaxError](got); !ok {
				t.Errorf("%s: got %v, want a syntax error", c.text, got)
			}
		} else if got != c.want {
			t.Errorf("%s: got %v, want %v", c.text, got, c.want)
		}
	}
}
