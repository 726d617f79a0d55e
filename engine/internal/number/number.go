// Package number implements DynamoDB's Number type: decimal numbers of up to 38
// significant digits with a magnitude from 1E-130 to just below 1E+126, or zero.
//
// It converts the text of a request to the canonical text that DynamoDB returns, and
// compares, adds, subtracts, measures and key-encodes that text, always exactly.
// It is not a general decimal library: nothing is rounded, there is no
// multiplication, and numbers are represented by their text only.
//
// The value encoder, the expression evaluator and the key encoding call it.
// All functions are safe for concurrent use. Those that append allocate only
// when dst has to grow, and on an error return dst unchanged.
package number

import "errors"

// The limits of a number. Numbers are written 0.d1d2… × 10^exp here, with d1
// not zero, so 1E-130 has exp -129 and 9.99E+125 has exp 126.
const (
	maxDigits = 38
	maxExp    = 126
	minExp    = -129
)

// Errors of numbers that are well formed but cannot be stored.
// Their texts are DynamoDB's.
var (
	ErrOverflow  = errors.New("Number overflow. Attempting to store a number with magnitude larger than supported range")
	ErrUnderflow = errors.New("Number underflow. Attempting to store a number with magnitude smaller than supported range")
	ErrPrecision = errors.New("Attempting to store more than 38 significant digits in a Number")
)

// SyntaxError reports a text that is not a number. Functions return a *SyntaxError.
type SyntaxError struct {
	Text string // the text as the caller passed it
}

// Error returns DynamoDB's message about the text.
func (e *SyntaxError) Error() string {
	if e.Text == "" {
		return "The parameter cannot be converted to a numeric value"
	}
	return "The parameter cannot be converted to a numeric value: " + e.Text
}

// AppendCanonical appends the canonical form of the number in text to
// dst: no exponent, no redundant zero, sign or dot, and 0 for every zero. Equal
// numbers have the same canonical form.
//
// A text is an optional sign, digits with at most one dot anywhere among them,
// and an optional exponent; nothing else, not even white space. The error is
// a *SyntaxError, ErrOverflow, ErrUnderflow or ErrPrecision; a number that is
// both out of range and too precise is out of range.
func AppendCanonical(dst, text []byte) ([]byte, error) {
	if isCanonical(text) {
		return append(dst, text...), nil
	}
	var d decimal
	if err := d.parse(text); err != nil {
		return dst, err
	}
	return d.append(dst), nil
}

// isCanonical reports whether text is canonical and has at most 38 digits, like
// nearly all numbers that clients send. Such a number is also within range.
func isCanonical(text []byte) bool {
	neg := len(text) > 0 && text[0] == '-'
	if neg {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > maxDigits+1 {
		return false
	}
	dot := -1
	for i, c := range text {
		if c-'0' > 9 {
			if c != '.' || dot >= 0 {
				return false
			}
			dot = i
		}
	}
	switch {
	case dot < 0 && len(text) > maxDigits:
		return false
	case dot < 0:
		return text[0] != '0' || len(text) == 1 && !neg
	default:
		return dot > 0 && (text[0] != '0' || dot == 1) && text[len(text)-1]-'1' < 9
	}
}
