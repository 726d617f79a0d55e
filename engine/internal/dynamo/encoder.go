package dynamo

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"sortkey.dev/engine/internal/number"
)

// An Encoder writes values and items in one pass. Containers are opened, filled
// and closed; fields and set members may come in any order and are sorted when
// their container is closed.
//
//	var e dynamo.Encoder
//	e.OpenItem()
//	e.Name("pk")
//	e.String("a")
//	item, err := e.CloseItem()
//
// An invalid value (a bad number, an empty set) is returned as a [Fault] and leaves
// the encoding well formed, so that a caller can record the first fault and continue.
// The zero Encoder is ready to use. The Encoder never changes bytes that it has
// returned, not even after Reset.
type Encoder struct {
	buf    []byte
	frames []frame
	parts  []part // the fields or members of all open containers, innermost last

	// Room for putting parts in order.
	places []place
	sorted []byte
}

// A frame is one open container.
type frame struct {
	start     int // of the container's kind byte, or of the count of an item
	firstPart int
	kind      Kind // KindMap also for an item
	count     int
}

// A part is one field of a map or one member of a set, as written so far.
type part struct{ start, keyStart, keyEnd int }

// Reset discards what was written and not yet returned. Returned bytes stay valid.
func (e *Encoder) Reset() {
	e.buf = e.buf[len(e.buf):]
	e.frames, e.parts = e.frames[:0], e.parts[:0]
}

// Grow makes room for n more bytes.
func (e *Encoder) Grow(n int) { e.buf = slices.Grow(e.buf, n) }

// GrowShared is Grow for an Encoder that is used for one value after the other: a
// new buffer has at least size bytes, so that small values share it.
func (e *Encoder) GrowShared(n, size int) {
	if cap(e.buf)-len(e.buf) < n {
		e.buf = slices.Grow(e.buf, max(n, size))
	}
}

// Depth returns the number of open containers.
func (e *Encoder) Depth() int { return len(e.frames) }

// Value returns everything written since start, where start is a Mark.
func (e *Encoder) Value(start int) Value { return Value(e.buf[start:len(e.buf):len(e.buf)]) }

// Mark returns the position where the next value will start.
func (e *Encoder) Mark() int { return len(e.buf) }

// String writes an S value. Its text must be valid UTF-8.
func (e *Encoder) String(s string) {
	e.beginElement()
	kind := byte(KindString)
	if needsEscape(s) {
		kind |= EscapeFlag
	}
	e.buf = append(e.buf, kind)
	e.buf = appendBytes(e.buf, s)
}

// PlainString is String for a text that is known to need no escapes in JSON.
func (e *Encoder) PlainString(s string) {
	e.beginElement()
	e.buf = append(e.buf, byte(KindString))
	e.buf = appendBytes(e.buf, s)
}

// Number writes an N value from any decimal text. A text that is no number
// DynamoDB can hold is written as 0 and returned as a [Fault].
func (e *Encoder) Number(text []byte) error {
	e.beginElement()
	start := len(e.buf)
	e.buf = append(e.buf, byte(KindNumber), 0)
	out, err := number.AppendCanonical(e.buf, text)
	if err != nil {
		e.buf = append(e.buf[:start], byte(KindNumber), 1, '0')
		return badNumber(text, err)
	}
	e.buf = fixLength(out, start+1)
	return nil
}

// fixLength writes the length of the bytes after the one byte reserved at place,
// making room when the length needs two bytes. A canonical number has at most
// a few hundred bytes.
func fixLength(buf []byte, place int) []byte {
	n := len(buf) - place - 1
	if n < 0x80 {
		buf[place] = byte(n)
		return buf
	}
	buf = append(buf, 0)
	copy(buf[place+2:], buf[place+1:])
	buf[place], buf[place+1] = byte(n)|0x80, byte(n>>7)
	return buf
}

// Binary writes a B value.
func (e *Encoder) Binary(b []byte) {
	e.beginElement()
	e.buf = append(e.buf, byte(KindBinary))
	e.buf = appendBytes(e.buf, b)
}

// Bool writes a BOOL value.
func (e *Encoder) Bool(b bool) {
	e.beginElement()
	if b {
		e.buf = append(e.buf, byte(KindTrue))
	} else {
		e.buf = append(e.buf, byte(KindFalse))
	}
}

// Null writes a NULL value.
func (e *Encoder) Null() {
	e.beginElement()
	e.buf = append(e.buf, byte(KindNull))
}

// Copy writes a value that is already encoded.
func (e *Encoder) Copy(v Value) {
	e.beginElement()
	e.buf = append(e.buf, v...)
}

// beginElement counts a value in the list around it. In a map Name has counted.
func (e *Encoder) beginElement() {
	if n := len(e.frames); n > 0 && e.frames[n-1].kind == KindList {
		e.frames[n-1].count++
	}
}

// OpenList opens a list; CloseList closes it.
func (e *Encoder) OpenList() { e.open(KindList) }

// OpenMap opens a map; each field is a Name and a value; CloseMap closes it.
func (e *Encoder) OpenMap() { e.open(KindMap) }

// OpenSet opens a set of one of the three set kinds; Member adds to it; CloseSet closes it.
func (e *Encoder) OpenSet(kind Kind) { e.open(kind) }

// OpenItem opens an item; CloseItem closes and returns it.
func (e *Encoder) OpenItem() {
	if e.parts == nil {
		e.parts = make([]part, 0, 16) // most items have no more attributes
	}
	e.frames = append(e.frames, frame{start: len(e.buf), firstPart: len(e.parts), kind: KindMap})
	e.buf = append(e.buf, 0, 0, 0, 0)
}

func (e *Encoder) open(kind Kind) {
	e.beginElement()
	e.frames = append(e.frames, frame{start: len(e.buf), firstPart: len(e.parts), kind: kind})
	e.buf = append(e.buf, byte(kind), 0, 0, 0, 0, 0, 0, 0, 0)
}

// Name starts a field of the innermost open map or item.
func (e *Encoder) Name(name string) {
	f := &e.frames[len(e.frames)-1]
	f.count++
	start := len(e.buf)
	e.buf = appendBytes(e.buf, name)
	e.parts = append(e.parts, part{start, len(e.buf) - len(name), len(e.buf)})
}

// Member adds a member to the innermost open set: text for SS and NS, raw
// bytes for BS. A bad number is left out and returned as a [Fault].
func (e *Encoder) Member(m []byte) error {
	f := &e.frames[len(e.frames)-1]
	start := len(e.buf)
	if f.kind != KindNumberSet {
		e.buf = appendBytes(e.buf, m)
	} else {
		e.buf = append(e.buf, 0)
		out, err := number.AppendCanonical(e.buf, m)
		if err != nil {
			e.buf = e.buf[:start]
			return badNumber(m, err)
		}
		e.buf = fixLength(out, start)
	}
	f.count++
	_, used := binary.Uvarint(e.buf[start:])
	e.parts = append(e.parts, part{start, start + used, len(e.buf)})
	return nil
}

// CloseList closes the innermost container, a list.
func (e *Encoder) CloseList() { e.closeContainer() }

// CloseMap closes the innermost container, a map. Two fields of the same name are both
// kept, and the name is returned as a fault.
func (e *Encoder) CloseMap() error {
	f := e.frames[len(e.frames)-1]
	order, repeat := e.order(f)
	err := e.repeatedName(f, order, repeat)
	e.rearrange(f, ContainerHeader, order)
	e.closeContainer()
	return err
}

// CloseItem closes the item opened by OpenItem and returns it, with the same
// fault as CloseMap.
func (e *Encoder) CloseItem() (Item, error) {
	f := e.frames[len(e.frames)-1]
	order, repeat := e.order(f)
	err := e.repeatedName(f, order, repeat)
	e.rearrange(f, 4, order)
	binary.LittleEndian.PutUint32(e.buf[f.start:], uint32(f.count))
	e.pop(f)
	return Item(e.buf[f.start:len(e.buf):len(e.buf)]), err
}

// CloseSet closes the innermost container, a set. An empty set and a set with
// a repeated member are faults.
func (e *Encoder) CloseSet() error {
	f := e.frames[len(e.frames)-1]
	order, repeat := e.order(f)
	var err error
	switch {
	case f.count == 0:
		err = emptySet(f.kind)
	case repeat >= 0:
		err = repeatedMember(f.kind, e.members(f))
	}
	e.rearrange(f, ContainerHeader, order)
	e.closeContainer()
	return err
}

func (e *Encoder) closeContainer() {
	f := e.frames[len(e.frames)-1]
	binary.LittleEndian.PutUint32(e.buf[f.start+1:], uint32(len(e.buf)-f.start-5))
	binary.LittleEndian.PutUint32(e.buf[f.start+5:], uint32(f.count))
	e.pop(f)
}

func (e *Encoder) pop(f frame) {
	e.frames = e.frames[:len(e.frames)-1]
	e.parts = e.parts[:f.firstPart]
}

func (e *Encoder) key(p part) []byte { return e.buf[p.keyStart:p.keyEnd] }

// members lists the members of a set as they were sent.
func (e *Encoder) members(f frame) (members []string) {
	for _, p := range e.parts[f.firstPart:] {
		members = append(members, string(e.key(p)))
	}
	return members
}

func (e *Encoder) repeatedName(f frame, order []place, repeat int) error {
	if repeat < 0 {
		return nil
	}
	return &RepeatedName{Name: string(e.key(e.parts[f.firstPart+order[repeat].part]))}
}

func appendBytes[T string | []byte](dst []byte, b T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(b)))
	return append(dst, b...)
}

const (
	everyByte = 0x0101010101010101
	topBits   = 0x8080808080808080
)

// needsEscape reports whether JSON must escape a byte of s. It checks eight
// bytes at once: subtracting from a byte borrows into its top bit when the byte
// is the smaller one.
func needsEscape(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		quote, slash := w^(everyByte*'"'), w^(everyByte*'\\')
		if ((w-everyByte*0x20)&^w|(quote-everyByte)&^quote|(slash-everyByte)&^slash)&topBits != 0 {
			return true
		}
	}
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			return true
		}
	}
	return false
}

// ValidText reports whether s can be an S value or a name: text is UTF-8.
func ValidText(s string) bool { return utf8.ValidString(s) }
