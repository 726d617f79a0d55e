package expression

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"sortkey.dev/engine/internal/dynamo"
)

// The package is compared with the naive evaluator, which works on Go values, copies
// freely and knows nothing of encodings or parsers.
type (
	text    string
	num     string
	blob    string
	boolean bool
	null    struct{}
	set     struct { // members are text, num or blob
		kind    dynamo.Kind
		members map[string]bool
	}
	document map[string]any
	// list is sparse while it is changed: positions refer to the old list.
	list map[int]any
)

func newList(elements ...any) list {
	l := list{}
	for i, e := range elements {
		l[i] = e
	}
	return l
}

// elements returns the elements of a list without gaps.
func (l list) elements() (out []any) {
	keys := make([]int, 0, len(l))
	for i := range l {
		keys = append(keys, i)
	}
	slices.Sort(keys)
	for _, i := range keys {
		out = append(out, l[i])
	}
	return out
}

func copyOf(v any) any {
	switch v := v.(type) {
	case document:
		out := document{}
		for k, e := range v {
			out[k] = copyOf(e)
		}
		return out
	case list:
		out := list{}
		for i, e := range v.elements() {
			out[i] = copyOf(e)
		}
		return out
	case set:
		out := set{v.kind, map[string]bool{}}
		for m := range v.members {
			out.members[m] = true
		}
		return out
	default:
		return v
	}
}

func rational(n string) *big.Rat {
	r, ok := new(big.Rat).SetString(n)
	if !ok {
		panic("not a number: " + n)
	}
	return r
}

// write formats a value; equal values have the same form.
func write(v any) string {
	switch v := v.(type) {
	case text:
		return fmt.Sprintf("%q", string(v))
	case num:
		return rational(string(v)).RatString()
	case blob:
		return "b:" + base64.StdEncoding.EncodeToString([]byte(v))
	case boolean:
		return fmt.Sprint(bool(v))
	case null:
		return "null"
	case set:
		return fmt.Sprint(v.kind, sortedKeys(v.members))
	case list:
		var parts []string
		for _, e := range v.elements() {
			parts = append(parts, write(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case document:
		var parts []string
		for _, k := range sortedKeys(v) {
			parts = append(parts, k+": "+write(v[k]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	default:
		panic(fmt.Sprintf("%T", v))
	}
}

// decoded is the inverse of encoded.
func decoded(v dynamo.Value) any {
	switch k := v.Kind(); {
	case k == dynamo.KindString:
		return text(v.Bytes())
	case k == dynamo.KindNumber:
		return num(v.Bytes())
	case k == dynamo.KindBinary:
		return blob(v.Bytes())
	case v.IsBool():
		return boolean(k == dynamo.KindTrue)
	case k == dynamo.KindNull:
		return null{}
	case k == dynamo.KindList:
		out := list{}
		for i, e := range v.Elements() {
			out[i] = decoded(e)
		}
		return out
	case k == dynamo.KindMap:
		return decodedItem(v.Map())
	default:
		out := set{k, map[string]bool{}}
		for m := range v.Members() {
			out.members[string(m)] = true
		}
		return out
	}
}

func decodedItem(m dynamo.Map) document {
	out := document{}
	for name, v := range m.All() {
		out[name] = decoded(v)
	}
	return out
}

func encoded(t testing.TB, enc *dynamo.Encoder, v any) {
	var err error
	switch v := v.(type) {
	case text:
		enc.String(string(v))
	case num:
		err = enc.Number([]byte(v))
	case blob:
		enc.Binary([]byte(v))
	case boolean:
		enc.Bool(bool(v))
	case null:
		enc.Null()
	case set:
		enc.OpenSet(v.kind)
		for m := range v.members {
			err = errors.Join(err, enc.Member([]byte(m)))
		}
		err = errors.Join(err, enc.CloseSet())
	case list:
		enc.OpenList()
		for _, e := range v.elements() {
			encoded(t, enc, e)
		}
		enc.CloseList()
	case document:
		enc.OpenMap()
		for name, e := range v {
			enc.Name(name)
			encoded(t, enc, e)
		}
		err = enc.CloseMap()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func encodedValue(t testing.TB, v any) dynamo.Value {
	var enc dynamo.Encoder
	encoded(t, &enc, v)
	return enc.Value(0)
}

// get follows a path of names and positions; nil means not found.
func get(v any, p ...any) any {
	for _, step := range p {
		switch s := step.(type) {
		case string:
			d, ok := v.(document)
			if !ok {
				return nil
			}
			v = d[s]
		case int:
			l, ok := v.(list)
			if !ok {
				return nil
			}
			v = l[s]
		}
	}
	return v
}

func kindOf(v any) string {
	switch v := v.(type) {
	case text:
		return "S"
	case num:
		return "N"
	case blob:
		return "B"
	case boolean:
		return "BOOL"
	case null:
		return "NULL"
	case list:
		return "L"
	case document:
		return "M"
	case set:
		return v.kind.String()
	default:
		return ""
	}
}

// order compares two values of one scalar type.
func order(a, b any) (int, bool) {
	switch a := a.(type) {
	case text:
		b, ok := b.(text)
		return strings.Compare(string(a), string(b)), ok
	case blob:
		b, ok := b.(blob)
		return strings.Compare(string(a), string(b)), ok
	case num:
		b, ok := b.(num)
		if !ok {
			return 0, false
		}
		return rational(string(a)).Cmp(rational(string(b))), true
	default:
		return 0, false
	}
}

func equal(a, b any) bool {
	return a != nil && b != nil && kindOf(a) == kindOf(b) && write(a) == write(b)
}

func sizeOf(v any) any {
	n := 0
	switch v := v.(type) {
	case text:
		n = len(utf16.Encode([]rune(string(v))))
	case blob:
		n = len(v)
	case set:
		n = len(v.members)
	case list:
		n = len(v)
	case document:
		n = len(v)
	default:
		return nil
	}
	return num(fmt.Sprint(n))
}

func includes(v, part any) bool {
	switch v := v.(type) {
	case text:
		p, ok := part.(text)
		return ok && strings.Contains(string(v), string(p))
	case blob:
		p, ok := part.(blob)
		return ok && strings.Contains(string(v), string(p))
	case list:
		return slices.ContainsFunc(v.elements(), func(e any) bool { return equal(e, part) })
	case set:
		for m := range v.members {
			if equal(memberOf(v.kind, m), part) {
				return true
			}
		}
	}
	return false
}

func memberOf(k dynamo.Kind, m string) any {
	switch k {
	case dynamo.KindStringSet:
		return text(m)
	case dynamo.KindNumberSet:
		return num(m)
	default:
		return blob(m)
	}
}
