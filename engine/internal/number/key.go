package number

import "errors"

// A number as a part of a key:
//
//	80                          zero
//	81, exp + 129, pairs…       positive: 0.d1d2… × 10^exp
//	7F, and the rest of the     negative
//	positive form complemented
//
// The digits are paired, the last one padded with a zero. A pair p from 0 to
// 99 is the byte 2p+1, and 2p if it is the last: so it is self-terminating, and a number
// whose digits are a prefix of another's sorts before it. Equal numbers have equal bytes,
// and bytes sort like numbers. The exponents from -129 to 126 fill a byte exactly.
//
// These bytes are on disk; they cannot change.
const (
	keyNegative = 0x7F
	keyZero     = 0x80
	keyPositive = 0x81

	keyExpBias = -minExp
)

var errKey = errors.New("number: malformed key encoding")

// AppendKey appends the key encoding of a canonical number to dst: at most 21
// bytes that need no separator after them and, compared as bytes, sort like the
// numbers. dst must not share memory with canonical.
func AppendKey(dst, canonical []byte) []byte {
	var buf [maxDigits]byte
	digits, exp := significant(&buf, canonical)
	if len(digits) == 0 {
		return append(dst, keyZero)
	}
	marker, flip := byte(keyPositive), byte(0)
	if canonical[0] == '-' {
		marker, flip = keyNegative, 0xFF
	}
	dst = append(dst, marker, byte(exp+keyExpBias)^flip)
	for len(digits) > 2 {
		pair := (digits[0]-'0')*10 + digits[1] - '0'
		dst = append(dst, (2*pair+1)^flip)
		digits = digits[2:]
	}
	pair := (digits[0] - '0') * 10
	if len(digits) == 2 {
		pair += digits[1] - '0'
	}
	return append(dst, (2*pair)^flip)
}

// DecodeKey appends the canonical form of the number whose key encoding starts
// src to dst, and returns the rest of src. Bytes that AppendKey
// cannot have written are an error; dst and src are then returned unchanged.
func DecodeKey(dst, src []byte) (canonical, rest []byte, err error) {
	var d decimal
	var flip byte
	switch {
	case len(src) == 0:
		return dst, src, errKey
	case src[0] == keyZero:
		return append(dst, '0'), src[1:], nil
	case src[0] == keyPositive:
	case src[0] == keyNegative:
		d.neg, flip = true, 0xFF
	default:
		return dst, src, errKey
	}
	if len(src) < 3 {
		return dst, src, errKey
	}
	d.exp = int(src[1]^flip) - keyExpBias
	size, ok := d.decodePairs(src[2:], flip)
	if !ok {
		return dst, src, errKey
	}
	return d.append(dst), src[2+size:], nil
}

// decodePairs decodes the digits of d and returns the number of bytes they took.
func (d *decimal) decodePairs(src []byte, flip byte) (size int, ok bool) {
	for i, c := range src {
		c ^= flip
		pair, last := c/2, c%2 == 0
		if pair > 99 || d.n == maxDigits {
			return 0, false
		}
		d.digits[d.n] = '0' + pair/10
		d.digits[d.n+1] = '0' + pair%10
		d.n += 2
		if !last {
			continue
		}
		if d.digits[0] == '0' || pair == 0 {
			return 0, false
		}
		if pair%10 == 0 {
			d.n--
		}
		return i + 1, true
	}
	return 0, false
}
