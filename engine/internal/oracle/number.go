package oracle

import (
	"math/big"
	"strings"
)

// rat returns the value of a number. Its text must be valid.
func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return new(big.Rat)
	}
	return r
}

// places is a sufficient number of digits after the point for every number: those of 1E-130 with 38 digits.
const places = 170

// canonicalNumber spells a number the way DynamoDB returns it.
func canonicalNumber(text string) string { return spell(rat(text)) }

func spell(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(places), "0")
}

// digits returns the significant digits of a canonical number, before the point and after it.
func digits(canonical string) (before, after string) {
	before, after, _ = strings.Cut(strings.TrimPrefix(canonical, "-"), ".")
	before = strings.TrimLeft(before, "0")
	if after == "" {
		before = strings.TrimRight(before, "0")
	}
	if before == "" {
		after = strings.TrimLeft(after, "0")
	}
	return before, after
}

// numberSize returns the size of a number in bytes.
func numberSize(canonical string) int {
	before, after := digits(canonical)
	size := 1 + (len(before)+1)/2 + (len(after)+1)/2
	if strings.HasPrefix(canonical, "-") {
		size++
	}
	return size
}

var (
	tooBig   = new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(126), nil))
	tooLong  = new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(38), nil))
	tooSmall = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(130), nil))
)

// sum adds two numbers, or subtracts the second. If the result is not a valid number it
// returns DynamoDB's error.
func sum(a, b string, minus bool) (result, complaint string) {
	x, y := rat(a), rat(b)
	if minus {
		y.Neg(y)
	}
	x.Add(x, y)
	text := spell(x)
	before, after := digits(text)
	switch abs := new(big.Rat).Abs(x); {
	case abs.Cmp(tooBig) >= 0, len(before)+len(after) > 38 && abs.Cmp(tooLong) >= 0:
		return "", "Number overflow. Attempting to store a number with magnitude larger than supported range"
	case x.Sign() != 0 && abs.Cmp(tooSmall) < 0:
		return "", "Number underflow. Attempting to store a number with magnitude smaller than supported range"
	case len(before)+len(after) > 38:
		return "", "Attempting to store more than 38 significant digits in a Number"
	}
	return text, ""
}
