// Package textfile decodes text files as people make them: UTF-8 with and without a byte order mark,
// UTF-16, Windows-1252, and all line ends. It does not guess other encodings. The parsers of package
// exchange call it.
package textfile

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// An Encoding names how a file was encoded.
type Encoding string

// The encodings.
const (
	UTF8        Encoding = "UTF-8"
	UTF16       Encoding = "UTF-16"
	Windows1252 Encoding = "Windows-1252"
)

// Decode returns the text of a file with "\n" as the end of each line, and its encoding. A file that
// is not valid UTF-8 is decoded as Windows-1252.
func Decode(data []byte) (string, Encoding) {
	encoding := UTF8
	var text string
	switch {
	case bytes.HasPrefix(data, []byte{0xef, 0xbb, 0xbf}) && utf8.Valid(data):
		text = string(data[3:])
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		text, encoding = decode16(data[2:], binary.LittleEndian), UTF16
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		text, encoding = decode16(data[2:], binary.BigEndian), UTF16
	case utf8.Valid(data):
		text = string(data)
	default:
		text, encoding = Decode1252(data), Windows1252
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			return '\n'
		case r == '\ufeff' || r < ' ' && r != '\n' && r != '\t' || r == 0x7f:
			return -1
		}
		return r
	}, text), encoding
}

func decode16(data []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	return string(utf16.Decode(units))
}

// high holds the characters of Windows-1252 from 0x80 to 0x9f.
var high = [32]rune{
	'€', 0xfffd, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0xfffd, 'Ž', 0xfffd,
	0xfffd, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0xfffd, 'ž', 'Ÿ',
}

// Rune1252 returns the character of a byte of Windows-1252.
func Rune1252(b byte) rune {
	if b >= 0x80 && b < 0xa0 {
		return high[b-0x80]
	}
	return rune(b)
}

// Decode1252 decodes Windows-1252.
func Decode1252(data []byte) string {
	var b strings.Builder
	b.Grow(len(data))
	for _, c := range data {
		b.WriteRune(Rune1252(c))
	}
	return b.String()
}
