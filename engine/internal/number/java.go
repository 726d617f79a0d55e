package number

import (
	"math"
	"strconv"
	"strings"
)

// CheckJava returns the error for a number that Java's BigDecimal parses differently
// than AppendCanonical, as PartiQL statements do: the exponent and the scale
// have 32 bits, and a text in which they do not fit is not a number. The magnitude is
// computed in 32 bits, too, so that the largest ones wrap around and count as too
// small. The text must otherwise be a number.
func CheckJava(text string) error {
	precision, scale, ok := javaParts(text)
	switch {
	case !ok:
		return &SyntaxError{Text: text}
	case precision-scale > math.MaxInt32:
		return ErrUnderflow
	default:
		return nil
	}
}

// javaParts returns the number of digits of the unscaled number and the scale. It reports
// false when they do not fit.
func javaParts(text string) (precision, scale int64, ok bool) {
	mantissa, exponent := strings.TrimLeft(text, "+-"), int64(0)
	if e := strings.IndexAny(mantissa, "eE"); e >= 0 {
		var err error
		if exponent, err = strconv.ParseInt(mantissa[e+1:], 10, 32); err != nil {
			return 0, 0, false
		}
		mantissa = mantissa[:e]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	scale = int64(len(fraction)) - exponent
	return max(1, int64(len(digits))), scale, scale >= math.MinInt32 && scale <= math.MaxInt32
}
