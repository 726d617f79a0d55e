package wire

import (
	"encoding/base64"
	"encoding/binary"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
)

// The functions in this file write most bytes of most answers, so they walk the
// encoding of package dynamo by index instead of with its cursors and iterators:
// src is a whole item, and i the place in it. The bytes behind a short text are
// copied along with it in one move, and cut off again.

// appendItem appends an item or key as JSON.
func appendItem(dst []byte, item dynamo.Map) []byte {
	return appendFields(dst, item, dynamo.ItemHeader, len(item))
}

// fieldRoom is room for all that appendFields writes for a field beside its name and
// a long value.
const fieldRoom = 64

// appendFields appends the object of the fields src[i:end].
func appendFields(dst, src []byte, i, end int) []byte {
	dst = append(dst, '{')
	for i < end {
		n := int(src[i])
		if i++; n >= 0x80 {
			n, i = dynamo.LongLengthAt(src, i-1)
		}
		if cap(dst)-len(dst) < n+fieldRoom {
			dst = slices.Grow(dst, n+fieldRoom)
		}
		dst = append(dst, '"')
		if isPlainWord(src, i, n) {
			dst = appendWord(dst, src, i, n)
		} else {
			dst = appendText(dst, src[i:i+n])
		}
		i += n
		if kind := src[i]; kind <= byte(dynamo.KindNumber) {
			n = int(src[i+1])
			if i += 2; n >= 0x80 {
				n, i = dynamo.LongLengthAt(src, i-1)
			}
			dst = binary.LittleEndian.AppendUint64(dst, openField[kind])
			dst = appendBytes(dst, src, i, n)
			i += n
			dst = append(dst, '"', '}', ',')
			continue
		}
		dst = append(dst, '"', ':')
		dst, i = appendValue(dst, src, i)
		dst = append(dst, ',')
	}
	return append(trimComma(dst), '}')
}

// openField holds `":{"S":"` and `":{"N":"`, which stand between the name and the
// value of a field, as words.
var openField = [...]uint64{
	dynamo.KindString: binary.LittleEndian.Uint64([]byte(`":{"S":"`)),
	dynamo.KindNumber: binary.LittleEndian.Uint64([]byte(`":{"N":"`)),
}

// appendValue appends the AttributeValue at src[i:] and returns the index behind it.
func appendValue(dst, src []byte, i int) (_ []byte, next int) {
	switch kind := dynamo.Kind(src[i]); kind {
	case dynamo.KindString, dynamo.KindNumber:
		n, start := dynamo.LengthAt(src, i+1)
		if kind == dynamo.KindString {
			dst = append(dst, `{"S":"`...)
		} else {
			dst = append(dst, `{"N":"`...)
		}
		dst = appendBytes(dst, src, start, n)
		return append(dst, `"}`...), start + n
	case dynamo.KindString | dynamo.EscapeFlag:
		n, start := dynamo.LengthAt(src, i+1)
		dst = append(dst, `{"S":"`...)
		dst = appendEscaped(dst, src[start:start+n])
		return append(dst, `"}`...), start + n
	case dynamo.KindBinary:
		n, start := dynamo.LengthAt(src, i+1)
		dst = append(dst, `{"B":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, src[start:start+n])
		return append(dst, `"}`...), start + n
	case dynamo.KindNull:
		return append(dst, `{"NULL":true}`...), i + 1
	case dynamo.KindFalse:
		return append(dst, `{"BOOL":false}`...), i + 1
	case dynamo.KindTrue:
		return append(dst, `{"BOOL":true}`...), i + 1
	default:
		end := dynamo.ContainerEnd(src, i)
		return appendContainer(dst, src, i, end), end
	}
}

// appendContainer appends the map, list or set src[i:end].
func appendContainer(dst, src []byte, i, end int) []byte {
	first := i + dynamo.ContainerHeader
	switch kind := dynamo.Kind(src[i]); kind {
	case dynamo.KindMap:
		dst = append(dst, `{"M":`...)
		return append(appendFields(dst, src, first, end), '}')
	case dynamo.KindList:
		dst = append(dst, `{"L":[`...)
		for i = first; i < end; {
			dst, i = appendValue(dst, src, i)
			dst = append(dst, ',')
		}
		return append(trimComma(dst), `]}`...)
	case dynamo.KindStringSet:
		return appendStringSet(dst, src, first, end)
	case dynamo.KindNumberSet:
		dst = append(dst, `{"NS":[`...)
		for member := range dynamo.Value(src[i:end]).Ordered() {
			dst = append(append(append(dst, '"'), member...), '"', ',')
		}
		return append(trimComma(dst), `]}`...)
	default:
		dst = append(dst, `{"BS":[`...)
		for member := range dynamo.Value(src[i:end]).Members() {
			dst = base64.StdEncoding.AppendEncode(append(dst, '"'), member)
			dst = append(dst, '"', ',')
		}
		return append(trimComma(dst), `]}`...)
	}
}

// appendStringSet appends the string set with the members src[i:end].
func appendStringSet(dst, src []byte, i, end int) []byte {
	dst = append(dst, `{"SS":[`...)
	for i < end {
		n, start := dynamo.LengthAt(src, i)
		i = start + n
		dst = append(dst, '"')
		if isPlainWord(src, start, n) {
			dst = appendWord(dst, src, start, n)
		} else {
			dst = appendText(dst, src[start:i])
		}
		dst = append(dst, '"', ',')
	}
	return append(trimComma(dst), `]}`...)
}

// trimComma cuts off the comma behind the last element of a container.
func trimComma(dst []byte) []byte {
	if last := len(dst) - 1; dst[last] == ',' {
		return dst[:last]
	}
	return dst
}

// appendBytes appends src[i:i+n]. Most values are short.
func appendBytes(dst, src []byte, i, n int) []byte {
	if n > 16 || i+16 > len(src) {
		return append(dst, src[i:i+n]...)
	}
	end := len(dst) + n
	dst = binary.LittleEndian.AppendUint64(dst, binary.LittleEndian.Uint64(src[i:]))
	return binary.LittleEndian.AppendUint64(dst, binary.LittleEndian.Uint64(src[i+8:]))[:end]
}

// isPlainWord reports whether the text src[i:i+n] needs no escapes, has at most eight
// bytes and is followed by enough bytes to be copied as a word. Most names are.
func isPlainWord(src []byte, i, n int) bool {
	return n <= 8 && i+8 <= len(src) && specials(binary.LittleEndian.Uint64(src[i:])|^uint64(0)<<(8*n)) == 0
}

// appendWord appends the plain word src[i:i+n].
func appendWord(dst, src []byte, i, n int) []byte {
	end := len(dst) + n
	return binary.LittleEndian.AppendUint64(dst, binary.LittleEndian.Uint64(src[i:]))[:end]
}

// appendText appends a text with the escapes JSON needs.
func appendText(dst, text []byte) []byte {
	if isPlain(text) {
		return append(dst, text...)
	}
	return appendEscaped(dst, text)
}

// isPlain reports whether a text needs no escapes. The last word it looks at may
// overlap with the one before.
func isPlain(text []byte) bool {
	last := len(text) - 8
	if last < 0 {
		end, _ := plainRun(text, 0)
		return end == len(text)
	}
	for i := 0; i < last; i += 8 {
		if specials(binary.LittleEndian.Uint64(text[i:])) != 0 {
			return false
		}
	}
	return specials(binary.LittleEndian.Uint64(text[last:])) == 0
}
