package number_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sortkey.dev/engine/internal/number"
)

// The oracle implements the rules of numbers slowly and obviously with math/big.

var (
	grammar = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?$`)

	tooLarge, _ = new(big.Rat).SetString("1e126")
	smallest, _ = new(big.Rat).SetString("1e-130")
)

// oracleCanonical returns what AppendCanonical must return.
func oracleCanonical(text string) (string, error) {
	parts := grammar.FindStringSubmatch(text)
	if parts == nil {
		return "", &number.SyntaxError{Text: text}
	}
	exp, err := strconv.ParseInt("0"+parts[2], 10, 64)
	if parts[2] != "" {
		exp, err = strconv.ParseInt(parts[2], 10, 64)
	}
	if err != nil {
		return "", &number.SyntaxError{Text: text}
	}
	zero := !strings.ContainsAny(parts[1], "123456789")
	// An exponent that no mantissa of this length can bring back into range
	// would only make big.Rat exhaust the memory.
	far := int64(len(text)) + 200
	_, fraction, _ := strings.Cut(parts[1], ".")
	last := exp - int64(len(fraction)) // the exponent of the last digit
	switch {
	case exp > far, zero && last > 125:
		return "", number.ErrOverflow
	case exp < -far, zero && exp < -130:
		return "", number.ErrUnderflow
	case zero:
		return "0", nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return "", fmt.Errorf("big.Rat rejects %q", text)
	}
	return oracleStored(r, len(text)+int(max(-exp, 0)))
}

// oracleStored returns the canonical form of r, which has at most places digits after its dot.
func oracleStored(r *big.Rat, places int) (string, error) {
	if r.Sign() == 0 {
		return "0", nil
	}
	abs := new(big.Rat).Abs(r)
	if abs.Cmp(tooLarge) >= 0 {
		return "", number.ErrOverflow
	}
	if abs.Cmp(smallest) < 0 {
		return "", number.ErrUnderflow
	}
	s := strings.TrimRight(strings.TrimRight(r.FloatString(places), "0"), ".")
	if r.IsInt() {
		s = r.Num().String()
	}
	if len(strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(s), "0")) > 38 {
		return "", number.ErrPrecision
	}
	return s, nil
}

// scale makes every canonical number an integer: the smallest possible digit is that of 10^-167.
const scale = 170

// scaled returns a canonical number times 10^scale.
func scaled(t testing.TB, canonical string) *big.Int {
	whole, fraction, _ := strings.Cut(canonical, ".")
	v, ok := new(big.Int).SetString(whole+fraction+strings.Repeat("0", scale-len(fraction)), 10)
	if !ok {
		t.Fatalf("not a canonical number: %q", canonical)
	}
	return v
}

// oracleScaled returns the canonical form of v / 10^scale.
func oracleScaled(v *big.Int) (string, error) {
	if v.Sign() == 0 {
		return "0", nil
	}
	s := new(big.Int).Abs(v).String()
	switch {
	case len(s) > 126+scale:
		return "", number.ErrOverflow
	case len(s) <= scale-130:
		return "", number.ErrUnderflow
	case len(strings.TrimRight(s, "0")) > 38 && len(s) > 38+scale:
		return "", number.ErrOverflow
	case len(strings.TrimRight(s, "0")) > 38:
		return "", number.ErrPrecision
	}
	if len(s) <= scale {
		s = strings.Repeat("0", scale+1-len(s)) + s
	}
	s = strings.TrimRight(s[:len(s)-scale]+"."+strings.TrimRight(s[len(s)-scale:], "0"), ".")
	if v.Sign() < 0 {
		s = "-" + s
	}
	return s, nil
}

// oracleSize returns what Size must return, counted on the text.
func oracleSize(canonical string) int {
	size := 1
	abs, negative := strings.CutPrefix(canonical, "-")
	if negative {
		size++
	}
	whole, fraction, _ := strings.Cut(abs, ".")
	if fraction == "" {
		whole = strings.TrimRight(whole, "0")
	}
	if whole == "0" {
		whole, fraction = "", strings.TrimLeft(fraction, "0")
	}
	return size + (len(whole)+1)/2 + (len(fraction)+1)/2
}

// randomNumber returns a random number in a random style: now and then too long
// or out of range, with any sign, redundant zeros, and with or without exponent.
func randomNumber(rnd *rand.Rand) string {
	digits := randomDigits(rnd)
	exp := rnd.IntN(8) - 4
	switch rnd.IntN(8) {
	case 0: // at the upper limit
		exp = 126 - len(digits) - rnd.IntN(3)
	case 1: // at the lower limit
		exp = -129 - len(digits) + rnd.IntN(4)
	case 2, 3, 4:
		exp = rnd.IntN(280) - 150
	}
	if rnd.IntN(4) == 0 { // written out, without exponent
		if exp >= 0 {
			digits += strings.Repeat("0", exp)
		} else {
			digits = "0." + strings.Repeat("0", -exp) + digits
		}
		return randomSign(rnd) + digits
	}
	if dot := rnd.IntN(2 * len(digits)); dot <= len(digits) {
		exp += len(digits) - dot
		digits = digits[:dot] + "." + digits[dot:]
	}
	digits = strings.Repeat("0", rnd.IntN(3)) + digits
	switch {
	case exp == 0 && rnd.IntN(2) == 0:
		return randomSign(rnd) + digits
	case exp > 0 && rnd.IntN(2) == 0:
		return randomSign(rnd) + digits + "e+" + strconv.Itoa(exp)
	default:
		return randomSign(rnd) + digits + "E" + strconv.Itoa(exp)
	}
}

func randomSign(rnd *rand.Rand) string { return []string{"", "", "-", "-", "+"}[rnd.IntN(5)] }

// randomDigits prefers 0 and 9, which cause carries, borrows and zeros to trim.
func randomDigits(rnd *rand.Rand) string {
	b := make([]byte, 1+rnd.IntN([]int{3, 18, 38, 41}[rnd.IntN(4)]))
	alphabet := []string{"0123456789", "09", "0000000001", "9999999998"}[rnd.IntN(4)]
	for i := range b {
		b[i] = alphabet[rnd.IntN(len(alphabet))]
	}
	return string(b)
}

// randomCanonical returns a random number that can be stored.
func randomCanonical(rnd *rand.Rand) string {
	for {
		if c, err := number.AppendCanonical(nil, []byte(randomNumber(rnd))); err == nil {
			return string(c)
		}
	}
}

// randomNeighbour returns a number near c: the same, its opposite, or off by one or two digits.
func randomNeighbour(rnd *rand.Rand, c string) string {
	b := []byte(c)
	for range rnd.IntN(3) {
		if i := rnd.IntN(len(b)); b[i] != '.' && b[i] != '-' {
			b[i] = '0' + byte(rnd.IntN(10))
		}
	}
	s := string(b)
	if rnd.IntN(2) == 0 {
		s = strings.TrimPrefix("-"+s, "--")
	}
	near, err := number.AppendCanonical(nil, []byte(s))
	if err != nil {
		return c
	}
	return string(near)
}
