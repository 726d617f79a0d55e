package number

import "bytes"

// decimal is a parsed number: ±0.d1d2…dn × 10^exp, where d1 and dn are not
// zero. Zero has no digits and no sign.
type decimal struct {
	digits [maxDigits]byte // as ASCII
	n      int
	exp    int
	neg    bool
}

// parse sets d to the number in text. It takes one pass and allocates nothing,
// whatever the length of text.
func (d *decimal) parse(text []byte) error {
	rest := text
	if len(rest) > 0 && (rest[0] == '-' || rest[0] == '+') {
		d.neg = rest[0] == '-'
		rest = rest[1:]
	}
	m := mantissa{decimal: d}
	rest = m.scan(rest)
	var written int64
	ok := m.seen
	if ok && len(rest) > 0 {
		written, ok = parseExponent(rest)
	}
	if !ok {
		return &SyntaxError{Text: string(text)}
	}
	if d.n == 0 {
		// A zero has no magnitude; DynamoDB checks it as if its last digit were
		// not zero. That digits after the dot are too small is not known.
		d.neg = false
		return checkRange(max(m.point+written, min(written, 0)) + 1)
	}
	exp := m.point + written
	if err := checkRange(exp); err != nil {
		return err
	}
	if m.excess {
		return ErrPrecision
	}
	d.exp = int(exp)
	return nil
}

// mantissa is the state of a scan of digits into a decimal.
type mantissa struct {
	*decimal
	point  int64 // position of the dot, counted from the first digit that is not zero
	zeros  int   // zeros since the last digit that is not zero: significant only if another follows
	seen   bool  // there is at least one digit
	excess bool  // there are more than 38 significant digits
}

// scan parses digits and at most one dot, and returns the rest of the text.
func (m *mantissa) scan(text []byte) (rest []byte) {
	dot := false
	for i, c := range text {
		switch {
		case c-'1' < 9:
			m.push(c)
			if !dot {
				m.point++
			}
		case c == '0':
			switch {
			case m.n > 0 && dot:
				m.zeros++
			case m.n > 0:
				m.zeros++
				m.point++
			case dot:
				m.point--
			}
		case c == '.' && !dot:
			dot = true
			continue
		default:
			return text[i:]
		}
		m.seen = true
	}
	return nil
}

// push adds the pending zeros and the digit c, which is not zero.
func (m *mantissa) push(c byte) {
	if m.excess || m.n+m.zeros >= maxDigits {
		m.excess = true
		return
	}
	for ; m.zeros > 0; m.zeros-- {
		m.digits[m.n] = '0'
		m.n++
	}
	m.digits[m.n] = c
	m.n++
}

// parseExponent parses text such as "e5" or "E-130" to its end. DynamoDB parses
// the exponent as a 64-bit integer and treats a larger one as a syntax error.
// The result is clamped so that adding the length of a text cannot overflow.
func parseExponent(text []byte) (exp int64, ok bool) {
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	text = text[1:]
	limit := uint64(1<<63 - 1)
	neg := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		if neg = text[0] == '-'; neg {
			limit = 1 << 63
		}
		text = text[1:]
	}
	if len(text) == 0 {
		return 0, false
	}
	var v uint64
	for _, c := range text {
		if c-'0' > 9 || v > limit/10 {
			return 0, false
		}
		if v = v*10 + uint64(c-'0'); v > limit {
			return 0, false
		}
	}
	exp = int64(min(v, 1<<62))
	if neg {
		exp = -exp
	}
	return exp, true
}

// checkRange checks the range of a number 0.d1d2… × 10^exp.
func checkRange(exp int64) error {
	switch {
	case exp > maxExp:
		return ErrOverflow
	case exp < minExp:
		return ErrUnderflow
	default:
		return nil
	}
}

// compareMagnitude compares |d| with |e|; neither is zero.
func (d *decimal) compareMagnitude(e *decimal) int {
	if d.exp != e.exp {
		return d.exp - e.exp
	}
	return bytes.Compare(d.digits[:d.n], e.digits[:e.n])
}

// append appends the canonical form of d to dst.
func (d *decimal) append(dst []byte) []byte {
	// 1E125 has 125 zeros, 1E-130 has 129 after its dot.
	const zeros = "000000000000000000000000000000000000000000000000000000000000000000" +
		"000000000000000000000000000000000000000000000000000000000000000000"
	if d.n == 0 {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	digits := d.digits[:d.n]
	switch {
	case d.exp <= 0:
		dst = append(dst, "0."...)
		dst = append(dst, zeros[:-d.exp]...)
		return append(dst, digits...)
	case d.exp >= d.n:
		dst = append(dst, digits...)
		return append(dst, zeros[:d.exp-d.n]...)
	default:
		dst = append(dst, digits[:d.exp]...)
		dst = append(dst, '.')
		return append(dst, digits[d.exp:]...)
	}
}
