package wire

import (
	"strconv"
	"unicode/utf8"

	"sortkey.dev/engine/internal/dynamo"
)

// appendString appends a JSON string.
func appendString[T string | []byte](dst []byte, text T) []byte {
	dst = append(dst, '"')
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c == '"' || c == '\\' {
			return append(appendEscaped(dst, text), '"')
		}
	}
	dst = append(dst, text...)
	return append(dst, '"')
}

// appendEscaped appends the inside of a JSON string whose text needs escapes.
func appendEscaped[T string | []byte](dst []byte, text T) []byte {
	const hex = "0123456789abcdef"
	start := 0
	for i := range len(text) {
		c := text[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, text[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		}
	}
	return append(dst, text[start:]...)
}

// appendMessage appends a JSON string from a text that may not be valid UTF-8, such as a
// message that quotes a part of a request.
func appendMessage(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		return appendString(dst, text)
	}
	return appendString(dst, string([]rune(text)))
}

// appendUnits appends capacity units in the format of the service: 0.5, 1.0.
func appendUnits(dst []byte, units float64) []byte {
	if units == float64(int64(units)) {
		dst = strconv.AppendInt(dst, int64(units), 10)
		return append(dst, ".0"...)
	}
	return strconv.AppendFloat(dst, units, 'f', -1, 64)
}

// AppendItem appends an item as JSON, for files that hold items.
func AppendItem(dst []byte, item dynamo.Item) []byte { return appendItem(dst, item) }

// AppendString appends a string as JSON, for the same files.
func AppendString(dst []byte, text string) []byte { return appendString(dst, text) }
