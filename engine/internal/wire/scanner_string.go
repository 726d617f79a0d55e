package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// quoted decodes a string; the scanner is at its opening quote. The result shares memory
// with the text, or with a buffer that the next string with escapes reuses.
func (s *scanner) quoted() []byte {
	text, _ := s.quotedText()
	return text
}

// quotedText is quoted. A plain text was sent without escapes and needs none in an answer.
func (s *scanner) quotedText() (text []byte, plain bool) {
	src, start := s.src, s.pos+1
	end, high := plainRun(src, start)
	if end == len(src) {
		s.fail(errNotJSON)
		return nil, false
	}
	if src[end] != '"' {
		return s.unquote(start, end), false
	}
	s.pos = end + 1
	text = src[start:end:end]
	if high && !utf8.Valid(text) {
		s.fail(errNotText)
		return nil, false
	}
	return text, true
}

const (
	everyByte = 0x0101010101010101
	topBits   = 0x8080808080808080
)

// plainRun finds the first byte from i on that ends a run of plain characters:
// a quote, a backslash or a control character; len(src) if there is none. high
// is set when the run may have bytes outside ASCII. It looks at eight bytes at once.
func plainRun(src []byte, i int) (end int, high bool) {
	var seen uint64
	for ; i+8 <= len(src); i += 8 {
		w := binary.LittleEndian.Uint64(src[i:])
		seen |= w
		if found := specials(w); found != 0 {
			return i + bits.TrailingZeros64(found)>>3, seen&topBits != 0
		}
	}
	for ; i < len(src); i++ {
		c := src[i]
		if c < 0x20 || c == '"' || c == '\\' {
			break
		}
		seen |= uint64(c)
	}
	return i, seen&topBits != 0
}

// specials finds the quotes, backslashes and control characters among the eight
// bytes of w: it sets the top bit of the first one, and perhaps of bytes above it.
//
// Subtracting from a byte borrows into its top bit when the byte is the smaller
// one. A borrow can spoil the bytes above it only.
func specials(w uint64) uint64 {
	quote, slash := w^(everyByte*'"'), w^(everyByte*'\\')
	return ((w-everyByte*0x20)&^w | (quote-everyByte)&^quote | (slash-everyByte)&^slash) & topBits
}

// unquote reads the rest of a string that has escapes (or an error) at place i.
func (s *scanner) unquote(start, i int) []byte {
	src, out := s.src, s.unquoted[:0]
	for {
		out = append(out, src[start:i]...)
		if i == len(src) || src[i] < 0x20 {
			s.fail(errNotJSON)
			return nil
		}
		if src[i] == '"' {
			break
		}
		s.pos = i + 1
		out = s.escape(out)
		if s.err != nil {
			return nil
		}
		start = s.pos
		i, _ = plainRun(src, start)
	}
	s.pos, s.unquoted = i+1, out
	if !utf8.Valid(out) {
		s.fail(errNotText)
		return nil
	}
	return out[:len(out):len(out)]
}

// escape appends the character of an escape; the scanner is after its backslash.
func (s *scanner) escape(out []byte) []byte {
	if s.pos == len(s.src) {
		s.fail(errNotJSON)
		return out
	}
	c := s.src[s.pos]
	s.pos++
	switch c {
	case '"', '\\', '/':
		return append(out, c)
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'u':
		return utf8.AppendRune(out, s.escapedRune())
	}
	s.fail(errNotJSON)
	return out
}

// escapedRune decodes the digits after \u, and the second half of a surrogate pair.
func (s *scanner) escapedRune() rune {
	r := s.hex4()
	if s.err != nil || !utf16.IsSurrogate(r) {
		return r
	}
	if s.pos+2 <= len(s.src) && string(s.src[s.pos:s.pos+2]) == `\u` {
		s.pos += 2
		if pair := utf16.DecodeRune(r, s.hex4()); pair != utf8.RuneError {
			return pair
		}
	}
	s.fail(errNotText)
	return 0
}

func (s *scanner) hex4() (r rune) {
	if s.pos+4 > len(s.src) {
		s.fail(errNotJSON)
		return 0
	}
	for _, c := range s.src[s.pos : s.pos+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			s.fail(errNotJSON)
			return 0
		}
		r = r<<4 | rune(c)
	}
	s.pos += 4
	return r
}

// borrow returns bytes as a string without copying them. The string is valid only
// as long as the bytes are: it is for calls that copy their arguments.
func borrow(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
