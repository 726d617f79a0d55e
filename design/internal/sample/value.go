package sample

import (
	"cmp"
	"encoding/hex"
	"strconv"
	"strings"

	"sortkey.dev/design/internal/exact"
)

// Kind is a type of DynamoDB's, as its descriptors spell it.
type Kind string

// The kinds of values samples have.
const (
	Text    Kind = "S"
	Number  Kind = "N"
	Binary  Kind = "B"
	Truth   Kind = "BOOL"
	List    Kind = "L"
	Map     Kind = "M"
	Texts   Kind = "SS"
	Numbers Kind = "NS"
	Blobs   Kind = "BS"
)

// A Value is one value as DynamoDB stores it.
type Value struct {
	Kind     Kind
	Text     string  // of S, N and B: the text, the digits, the bytes; of others that are only compared: what String gives
	Truth    bool    // of BOOL
	Elements []Value // of lists and sets
	Fields   []Field // of maps, in the order of the design
}

// A Field is one named value of a map.
type Field struct {
	Name  string
	Value Value
}

func text(s string) Value   { return Value{Kind: Text, Text: s} }
func number(n int64) Value  { return Value{Kind: Number, Text: strconv.FormatInt(n, 10)} }
func digits(s string) Value { return Value{Kind: Number, Text: s} }
func truth(b bool) Value    { return Value{Kind: Truth, Truth: b} }

// String returns the value as a template writes it and as people read it.
func (v Value) String() string {
	if v.Text != "" && v.Kind != Binary {
		return v.Text
	}
	switch v.Kind {
	case Truth:
		return strconv.FormatBool(v.Truth)
	case Binary:
		return "0x" + hexOf(v.Text)
	case List, Texts, Numbers, Blobs:
		parts := make([]string, len(v.Elements))
		for i, e := range v.Elements {
			parts[i] = e.String()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Map:
		parts := make([]string, len(v.Fields))
		for i, f := range v.Fields {
			parts[i] = f.Name + ": " + f.Value.String()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.Text
}

// Compare orders two keys as DynamoDB does: numbers by value, texts and bytes by byte.
// Keys of different kinds never share an attribute; they are ordered by kind.
func (v Value) Compare(w Value) int {
	if v.Kind != w.Kind {
		return cmp.Compare(v.Kind, w.Kind)
	}
	if v.Kind == Number {
		a, errA := exact.Parse(v.Text)
		b, errB := exact.Parse(w.Text)
		if errA == nil && errB == nil {
			return a.Cmp(b)
		}
	}
	return cmp.Compare(v.String(), w.String())
}

func hexOf(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(hexadecimal[s[i]>>4])
		b.WriteByte(hexadecimal[s[i]&15])
	}
	return b.String()
}

// bytesOf reads what String gives for bytes. Any other text is none.
func bytesOf(s string) string {
	decoded, err := hex.DecodeString(strings.TrimPrefix(s, "0x"))
	if err != nil {
		return ""
	}
	return string(decoded)
}
