package number

import "strconv"

// AppendAdd appends the canonical form of a + b to dst; dst may share memory
// with a and b. The sum is exact: out of range the error is ErrOverflow or ErrUnderflow,
// and for a sum of more than 38 significant digits it is ErrPrecision, or ErrOverflow
// if more than 38 of its digits are before the dot.
func AppendAdd(dst, a, b []byte) ([]byte, error) {
	return appendSum(dst, a, b, false)
}

// AppendSub appends the canonical form of a - b to dst, like AppendAdd.
func AppendSub(dst, a, b []byte) ([]byte, error) {
	return appendSum(dst, a, b, true)
}

func appendSum(dst, a, b []byte, subtract bool) ([]byte, error) {
	if x, ok := shortInteger(a); ok {
		if y, ok := shortInteger(b); ok {
			if subtract {
				y = -y
			}
			return strconv.AppendInt(dst, x+y, 10), nil
		}
	}
	var x, y decimal
	if err := x.parse(a); err != nil {
		return dst, err
	}
	if err := y.parse(b); err != nil {
		return dst, err
	}
	if subtract {
		y.neg = !y.neg
	}
	switch {
	case y.n == 0:
		return x.append(dst), nil
	case x.n == 0:
		return y.append(dst), nil
	case x.compareMagnitude(&y) < 0:
		x, y = y, x
	}
	if err := x.add(&y); err != nil {
		return dst, err
	}
	return x.append(dst), nil
}

// shortInteger parses an integer of at most 18 digits: the sum of two fits an int64.
func shortInteger(text []byte) (v int64, ok bool) {
	neg := len(text) > 0 && text[0] == '-'
	if neg {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	for _, c := range text {
		if c-'0' > 9 {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if neg {
		v = -v
	}
	return v, true
}

// add sets d to d + e. Neither is zero, and |d| is not less than |e|.
func (d *decimal) add(e *decimal) error {
	// column[0] is for the carry; the first digit of d comes next.
	// Two numbers whose digits overlap or touch take at most 1+38+38 columns. More
	// columns than there are here mean a gap, so nothing is carried out of d, at
	// most one digit of it is lost, and the sum is in range but far too long.
	var column [2*maxDigits + 4]int8
	top := d.exp + 1
	width := top - min(d.exp-d.n, e.exp-e.n)
	if width > len(column) {
		exp := d.exp
		if d.neg != e.neg && d.n == 1 && d.digits[0] == '1' {
			exp-- // 100 - 0.1 has a digit less than 100
		}
		return tooLong(exp)
	}
	for i, c := range d.digits[:d.n] {
		column[1+i] = int8(c - '0')
	}
	sign := int8(1)
	if d.neg != e.neg {
		sign = -1
	}
	shift := top - e.exp
	for i, c := range e.digits[:e.n] {
		column[shift+i] += sign * int8(c-'0')
	}
	carry(column[:width])
	return d.set(column[:width], top)
}

// carry normalizes every column to 0 to 9, from right to left.
func carry(column []int8) {
	over := int8(0)
	for i := len(column) - 1; i >= 0; i-- {
		v := column[i] + over
		switch {
		case v < 0:
			v, over = v+10, -1
		case v > 9:
			v, over = v-10, 1
		default:
			over = 0
		}
		column[i] = v
	}
}

// set makes 0.column × 10^exp the magnitude of d, if it can be stored.
func (d *decimal) set(column []int8, exp int) error {
	for len(column) > 0 && column[0] == 0 {
		column = column[1:]
		exp--
	}
	for len(column) > 0 && column[len(column)-1] == 0 {
		column = column[:len(column)-1]
	}
	if len(column) == 0 {
		*d = decimal{}
		return nil
	}
	if err := checkRange(int64(exp)); err != nil {
		return err
	}
	if len(column) > maxDigits {
		return tooLong(exp)
	}
	d.n, d.exp = len(column), exp
	for i, v := range column {
		d.digits[i] = '0' + byte(v)
	}
	return nil
}

// tooLong returns the error for a sum 0.d1d2… × 10^exp with more than 38 digits.
func tooLong(exp int) error {
	if exp > maxDigits {
		return ErrOverflow
	}
	return ErrPrecision
}
