package dynamo

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// A Kind is the type of an attribute value.
type Kind byte

// The kinds, in the order of their wire names in the API reference.
const (
	KindString Kind = iota + 1
	KindNumber
	KindBinary
	KindStringSet
	KindNumberSet
	KindBinarySet
	KindMap
	KindList
	KindNull
	KindFalse
	KindTrue
)

// EscapeFlag marks, in the kind byte, a string whose JSON form differs from its
// bytes, so that writing an answer copies all other strings without looking into them.
const EscapeFlag = 0x80

// ContainerHeader is the size of what precedes the first element of a container:
// the kind byte, the length of what follows the length (u32) and the number of
// elements (u32). ItemHeader is the same for an item, which has only the number.
const (
	ContainerHeader = 9
	ItemHeader      = 4
)

var kindNames = [...]string{
	KindString: "S", KindNumber: "N", KindBinary: "B",
	KindStringSet: "SS", KindNumberSet: "NS", KindBinarySet: "BS",
	KindMap: "M", KindList: "L", KindNull: "NULL", KindFalse: "BOOL", KindTrue: "BOOL",
}

// String returns the kind's name on the wire: S, N, B, SS, NS, BS, M, L, NULL or BOOL.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// IsScalarKey reports whether values of this kind can be key attributes.
func (k Kind) IsScalarKey() bool { return k == KindString || k == KindNumber || k == KindBinary }

// IsSet reports whether the kind is one of the three sets.
func (k Kind) IsSet() bool { return k >= KindStringSet && k <= KindBinarySet }

// MemberKind returns the kind of the members of a set of kind k.
func (k Kind) MemberKind() Kind { return k - KindStringSet + KindString }

// A Value is one encoded attribute value: a kind byte, then
//
//	S, N, B        uvarint length, bytes (N: the canonical decimal text)
//	SS, NS, BS     u32 length, u32 count, members (uvarint length, bytes) in ascending order
//	L              u32 length, u32 count, values
//	M              u32 length, u32 count, fields (uvarint length, name, value) by ascending name
//	NULL, BOOL     nothing; false and true are kinds of their own
//
// The zero Value means "no such attribute". A Value is immutable: it may share memory
// with a larger encoding.
type Value []byte

// Kind returns the value's kind; 0 for the zero Value.
func (v Value) Kind() Kind {
	if len(v) == 0 {
		return 0
	}
	return Kind(v[0] &^ EscapeFlag)
}

// IsBool reports whether the value is true or false.
func (v Value) IsBool() bool { return v.Kind() >= KindFalse }

// Bytes returns the content of an S, N or B value.
func (v Value) Bytes() []byte {
	if n := int(v[1]); n < 0x80 { // short, as most are
		return v[2 : 2+n]
	}
	n, used := binary.Uvarint(v[1:])
	return v[1+used : 1+used+int(n)]
}

// Len returns the number of elements, members or fields of a container, else 0.
func (v Value) Len() int {
	if k := v.Kind(); k < KindStringSet || k > KindList {
		return 0
	}
	return int(binary.LittleEndian.Uint32(v[5:]))
}

// Map returns the content of an M value.
func (v Value) Map() Map { return Map(v[5:]) }

// Elements iterates over the values of a list.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		rest := v[ContainerHeader:]
		for i := 0; len(rest) > 0; i++ {
			n := encodedLen(rest)
			if !yield(i, rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// Element returns the i-th value of a list, or the zero Value.
func (v Value) Element(i int) Value {
	if i < 0 || i >= v.Len() {
		return nil
	}
	rest := v[ContainerHeader:]
	for ; i > 0; i-- {
		rest = rest[encodedLen(rest):]
	}
	n := encodedLen(rest)
	return rest[:n:n]
}

// Members iterates over the members of a set in ascending byte order (the
// order of the encoding; number sets are ordered by their text).
func (v Value) Members() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		rest := v[ContainerHeader:]
		for len(rest) > 0 {
			var m []byte
			m, rest = cutBytes(rest)
			if !yield(m) {
				return
			}
		}
	}
}

// HasMember reports whether the set contains a member with these bytes.
func (v Value) HasMember(member []byte) bool {
	for m := range v.Members() {
		if bytes.Equal(m, member) {
			return true
		}
	}
	return false
}

// Clone copies the value, so that it shares no memory with a larger encoding.
func (v Value) Clone() Value { return bytes.Clone(v) }

// A Map is the content of an M value: u32 count, then fields by ascending name.
type Map []byte

// An Item is a whole item or a key: a Map at top level. A nil Item means
// "no item"; an item without attributes has a count of zero.
type Item = Map

// Len returns the number of fields.
func (m Map) Len() int {
	if len(m) == 0 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(m))
}

// Get returns the field called name, or the zero Value.
func (m Map) Get(name string) Value {
	c := m.Fields()
	for c.Next() {
		if string(c.Name()) >= name { // fields are sorted
			if string(c.Name()) == name {
				return c.Value()
			}
			return nil
		}
	}
	return nil
}

// All iterates over the fields by ascending name.
func (m Map) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for c := m.Fields(); c.Next(); {
			if !yield(string(c.Name()), c.Value()) {
				return
			}
		}
	}
}

// Clone copies the map, so that it shares no memory with a larger encoding.
func (m Map) Clone() Map { return bytes.Clone(m) }

// Fields returns a cursor over the fields. It allocates nothing.
func (m Map) Fields() Cursor { return Cursor{m: m, end: 4} }

// A Cursor iterates over the fields of a Map.
//
//	for c := m.Fields(); c.Next(); {
//		use(c.Name(), c.Value())
//	}
type Cursor struct {
	m                       []byte
	field, name, value, end int // offsets of the current field and its parts, and of its end
}

// Next advances to the next field and reports whether there is one.
func (c *Cursor) Next() bool {
	m, field := c.m, c.end
	if field >= len(m) {
		return false
	}
	name, length := field+1, int(m[field])
	if length >= 0x80 {
		n, used := binary.Uvarint(m[field:])
		name, length = field+used, int(n)
	}
	value := name + length
	c.field, c.name, c.value = field, name, value
	// The usual field is a short scalar; it is spared the call of encodedLen.
	if v := m[value:]; len(v) > 1 && Kind(v[0]&^EscapeFlag) <= KindBinary && v[1] < 0x80 {
		c.end = value + 2 + int(v[1])
	} else {
		c.end = value + encodedLen(v)
	}
	return true
}

// Name returns the current field's name.
func (c *Cursor) Name() []byte { return c.m[c.name:c.value] }

// Value returns the current field's value.
func (c *Cursor) Value() Value { return c.m[c.value:c.end:c.end] }

// encodedLen returns the length of the value at the start of b.
func encodedLen(b []byte) int {
	switch k := Kind(b[0] &^ EscapeFlag); {
	case k <= KindBinary:
		if b[1] < 0x80 { // the usual short string, without the varint loop
			return 2 + int(b[1])
		}
		n, used := binary.Uvarint(b[1:])
		return 1 + used + int(n)
	case k <= KindList:
		return 5 + int(binary.LittleEndian.Uint32(b[1:]))
	default:
		return 1
	}
}

// LengthAt decodes the length of the text or bytes at b[i:] and returns it with
// the index of their first byte.
func LengthAt(b []byte, i int) (n, start int) {
	if n := int(b[i]); n < 0x80 {
		return n, i + 1
	}
	return LongLengthAt(b, i)
}

// LongLengthAt is LengthAt for lengths of 0x80 and more, for loops that decode the
// others themselves.
func LongLengthAt(b []byte, i int) (n, start int) {
	length, used := binary.Uvarint(b[i:])
	return int(length), i + used
}

// ContainerEnd returns the index of the first byte behind the container at b[i:].
func ContainerEnd(b []byte, i int) int { return i + 5 + int(binary.LittleEndian.Uint32(b[i+1:])) }

// cutBytes splits length-prefixed bytes off the start of b.
func cutBytes(b []byte) (head, rest []byte) {
	if n := int(b[0]); n < 0x80 {
		return b[1 : 1+n : 1+n], b[1+n:]
	}
	n, used := binary.Uvarint(b)
	end := used + int(n)
	return b[used:end:end], b[end:]
}
