package number

import "bytes"

// The functions here do not check canonical text, which was checked when it was
// created. Other text gives a meaningless result, but never a panic.

// Compare compares two canonical numbers by value: -1 if a < b, 0 if they are
// equal, +1 if a > b.
func Compare(a, b []byte) int {
	aNeg := len(a) > 0 && a[0] == '-'
	bNeg := len(b) > 0 && b[0] == '-'
	switch {
	case aNeg && bNeg:
		return compareMagnitude(b[1:], a[1:])
	case aNeg:
		return -1
	case bNeg:
		return +1
	default:
		return compareMagnitude(a, b)
	}
}

// compareMagnitude compares canonical numbers without a sign. With the same number of
// digits before the dot, they sort like their text.
func compareMagnitude(a, b []byte) int {
	aInt, bInt := integerLen(a), integerLen(b)
	switch {
	case aInt < bInt:
		return -1
	case aInt > bInt:
		return +1
	default:
		return bytes.Compare(a, b)
	}
}

// integerLen returns the number of digits before the dot, or of all digits if there is no dot.
func integerLen(text []byte) int {
	if dot := bytes.IndexByte(text, '.'); dot >= 0 {
		return dot
	}
	return len(text)
}

// Size returns the number of bytes that a canonical number adds to the size of an item: 1, and
// 1 for every two significant digits or part of two, counted separately before
// and after the dot, and 1 for a minus sign.
func Size(canonical []byte) int {
	size := 1
	if len(canonical) > 0 && canonical[0] == '-' {
		size++
	}
	var buf [maxDigits]byte
	digits, exp := significant(&buf, canonical)
	before := min(max(exp, 0), len(digits))
	after := len(digits) - before
	return size + (before+1)/2 + (after+1)/2
}

// significant returns the digits of a canonical number, from the first to the
// last that is not zero, and the exp of 0.digits × 10^exp. The digits are a subslice
// of canonical if they are contiguous there, and otherwise are copied to buf.
func significant(buf *[maxDigits]byte, canonical []byte) (digits []byte, exp int) {
	if len(canonical) > 0 && canonical[0] == '-' {
		canonical = canonical[1:]
	}
	dot := bytes.IndexByte(canonical, '.')
	if dot < 0 {
		exp = len(canonical)
		for len(canonical) > 0 && canonical[len(canonical)-1] == '0' {
			canonical = canonical[:len(canonical)-1]
		}
		return canonical, exp
	}
	whole, fraction := canonical[:dot], canonical[dot+1:]
	if dot == 1 && whole[0] == '0' {
		for len(fraction) > 0 && fraction[0] == '0' {
			fraction = fraction[1:]
			exp--
		}
		return fraction, exp
	}
	n := copy(buf[:], whole)
	n += copy(buf[n:], fraction)
	return buf[:n], dot
}
