package dynamo

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A tree is an attribute value as a plain Go value, the obvious form to compare with:
// string, num, bin, bool, nil, set, []any or map[string]any.
type (
	num string
	bin string
	set struct {
		kind    Kind
		members []string // in the order they are written
	}
)

// write encodes a tree, with the fields of maps and the members of sets in random order.
func write(e *Encoder, rnd *rand.Rand, t any) {
	switch t := t.(type) {
	case string:
		e.String(t)
	case num:
		must(e.Number([]byte(t)))
	case bin:
		e.Binary([]byte(t))
	case bool:
		e.Bool(t)
	case nil:
		e.Null()
	case set:
		e.OpenSet(t.kind)
		for _, i := range rnd.Perm(len(t.members)) {
			must(e.Member([]byte(t.members[i])))
		}
		must(e.CloseSet())
	case []any:
		e.OpenList()
		for _, v := range t {
			write(e, rnd, v)
		}
		e.CloseList()
	case map[string]any:
		e.OpenMap()
		writeFields(e, rnd, t)
		must(e.CloseMap())
	}
}

func writeFields(e *Encoder, rnd *rand.Rand, m map[string]any) {
	names := slices.Sorted(keys(m))
	for _, i := range rnd.Perm(len(names)) {
		e.Name(names[i])
		write(e, rnd, m[names[i]])
	}
}

func keys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// read decodes a value back into a tree. Sets come back sorted.
func read(v Value) any {
	switch k := v.Kind(); k {
	case KindString:
		return string(v.Bytes())
	case KindNumber:
		return num(v.Bytes())
	case KindBinary:
		return bin(v.Bytes())
	case KindTrue, KindFalse:
		return k == KindTrue
	case KindNull:
		return nil
	case KindList:
		list := []any{}
		for i, e := range v.Elements() {
			if string(v.Element(i)) != string(e) {
				panic("Element and Elements differ")
			}
			list = append(list, read(e))
		}
		return list
	case KindMap:
		return readMap(v.Map())
	default:
		s := set{kind: k}
		for m := range v.Members() {
			s.members = append(s.members, string(m))
		}
		return s
	}
}

func readMap(m Map) map[string]any {
	fields := map[string]any{}
	for name, v := range m.All() {
		fields[name] = read(v)
	}
	return fields
}

func randomText(rnd *rand.Rand) string {
	alphabet := []rune("ab\"\\\n\x00 éZ€𝄞")
	out := make([]rune, rnd.IntN(5)+rnd.IntN(2)*200)
	for i := range out {
		out[i] = alphabet[rnd.IntN(len(alphabet))]
	}
	return string(out)
}

func randomTree(rnd *rand.Rand, depth int) any {
	switch n := rnd.IntN(10); {
	case n == 0:
		return num(fmt.Sprint(rnd.IntN(2000) - 1000))
	case n == 1:
		return bin(randomText(rnd))
	case n == 2:
		return rnd.IntN(2) == 0
	case n == 3:
		return nil
	case n == 4:
		s := set{kind: KindStringSet + Kind(rnd.IntN(3))}
		for range 1 + rnd.IntN(4) {
			s.members = append(s.members, fmt.Sprint(rnd.IntN(50)))
		}
		slices.Sort(s.members)
		s.members = slices.Compact(s.members)
		return s
	case n == 5 && depth > 0:
		list := []any{}
		for range rnd.IntN(4) {
			list = append(list, randomTree(rnd, depth-1))
		}
		return list
	case n <= 7 && depth > 0:
		return randomMap(rnd, depth-1)
	default:
		return randomText(rnd)
	}
}

func randomMap(rnd *rand.Rand, depth int) map[string]any {
	m := map[string]any{}
	for range rnd.IntN(6) {
		m[randomText(rnd)] = randomTree(rnd, depth)
	}
	return m
}

// TestRandomItems encodes random items twice, with everything in another order:
// the bytes are the same, they decode to the original, and single
// fields, projections and depth agree with the tree.
func TestRandomItems(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	allow := cmp.AllowUnexported(set{})
	var e Encoder
	for range 3000 {
		tree := randomMap(rnd, 4)
		var items [2]Item
		for i := range items {
			e.OpenItem()
			writeFields(&e, rnd, tree)
			item, err := e.CloseItem()
			must(err)
			items[i] = item
			if rnd.IntN(3) == 0 {
				e.Reset()
			}
		}
		if string(items[0]) != string(items[1]) {
			t.Fatalf("the encoding depends on the order of writing: %v", tree)
		}
		if diff := cmp.Diff(tree, readMap(items[0]), allow); diff != "" {
			t.Fatalf("read back (-written +read):\n%s", diff)
		}
		checkAccess(t, rnd, tree, items[0])
	}
}

func checkAccess(t *testing.T, rnd *rand.Rand, tree map[string]any, item Item) {
	t.Helper()
	var some []string
	want := map[string]any{}
	for name, v := range tree {
		if diff := cmp.Diff(v, read(item.Get(name)), cmp.AllowUnexported(set{})); diff != "" {
			t.Fatalf("Get(%q):\n%s", name, diff)
		}
		if rnd.IntN(2) == 0 {
			some = append(some, name)
			want[name] = v
		}
	}
	some = append(some, "never there")
	slices.Sort(some)
	if item.Get("never there") != nil {
		t.Fatal("Get found a field that is not there")
	}
	if diff := cmp.Diff(want, readMap(item.Only(some)), cmp.AllowUnexported(set{})); diff != "" {
		t.Fatalf("Only(%q):\n%s", some, diff)
	}
	if got, want := item.Depth(), treeDepth(tree)-1; got != want {
		t.Fatalf("Depth %d, want %d of %v", got, want, tree)
	}
}

func treeDepth(t any) int {
	deepest := 0
	switch t := t.(type) {
	case []any:
		for _, v := range t {
			deepest = max(deepest, treeDepth(v))
		}
	case map[string]any:
		for _, v := range t {
			deepest = max(deepest, treeDepth(v))
		}
	}
	return 1 + deepest
}

func TestNumbersAreCanonical(t *testing.T) {
	var e Encoder
	start := e.Mark()
	must(e.Number([]byte("0042.1200")))
	if got := string(e.Value(start).Bytes()); got != "42.12" {
		t.Errorf("got %s, want 42.12", got)
	}
	start = e.Mark()
	must(e.Number([]byte("1E125")))
	if got, want := string(e.Value(start).Bytes()), "1"+strings.Repeat("0", 125); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFaults(t *testing.T) {
	member := func(kind Kind, members ...string) func(*Encoder) error {
		return func(e *Encoder) error {
			e.OpenSet(kind)
			var first error
			for _, m := range members {
				if err := e.Member([]byte(m)); err != nil && first == nil {
					first = err
				}
			}
			if err := e.CloseSet(); first == nil {
				first = err
			}
			return first
		}
	}
	number := func(text string) func(*Encoder) error {
		return func(e *Encoder) error { return e.Number([]byte(text)) }
	}
	const prefix = "One or more parameter values were invalid: "
	b64 := base64.StdEncoding.EncodeToString
	tests := []struct {
		name        string
		write       func(*Encoder) error
		text, older string
	}{
		{"empty string set", member(KindStringSet), prefix + "An string set  may not be empty", ""},
		{"empty number set", member(KindNumberSet), prefix + "An number set  may not be empty", ""},
		{"empty binary set", member(KindBinarySet), prefix + "Binary sets should not be empty", ""},
		{"repeated string", member(KindStringSet, "b", "a", "b", "A"),
			prefix + `Input collection ["a", "b", "b", "A"] contains duplicates.`, prefix + "Input collection [b, a, b, A] contains duplicates."},
		{"repeated number", member(KindNumberSet, "1", "2", "1.0"),
			prefix + "Input collection contains duplicates.", "Input collection contains duplicates"},
		{"repeated binary", member(KindBinarySet, "\xff", "\x00", "\x00"),
			prefix + `Input collection ["` + b64([]byte{0}) + `","` + b64([]byte{255}) + `","` + b64([]byte{0}) + `"]of type BS contains duplicates.`,
			prefix + "Input collection [/w==, AA==, AA==]of type BS contains duplicates."},
		{"no number", number("abc"), "The parameter cannot be converted to a numeric value: abc", ""},
		{"empty number", number(""), "The parameter cannot be converted to a numeric value: ", "The parameter cannot be converted to a numeric value"},
		{"39 digits", number(strings.Repeat("1", 39)), "Attempting to store more than 38 significant digits in a Number", ""},
		{"bad number in a set", member(KindNumberSet, "1", "x"), "The parameter cannot be converted to a numeric value: x", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var e Encoder
			e.OpenItem()
			e.Name("bad")
			fault, ok := test.write(&e).(*Fault)
			if !ok {
				t.Fatal("no fault was found")
			}
			older := test.older
			if older == "" {
				older = test.text
			}
			if fault.Text != test.text || fault.OlderText() != older {
				t.Errorf("got %q, older %q; want %q, older %q", fault.Text, fault.OlderText(), test.text, older)
			}
			e.Name("good")
			e.String("still readable")
			item, err := e.CloseItem()
			if err != nil || string(item.Get("good").Bytes()) != "still readable" {
				t.Errorf("after the fault the item reads %v, %v", item, err)
			}
		})
	}
}

func TestRepeatedNameIsAFault(t *testing.T) {
	var e Encoder
	e.OpenItem()
	for _, name := range []string{"b", "a", "b"} {
		e.Name(name)
		e.Null()
	}
	_, err := e.CloseItem()
	if r, ok := err.(*RepeatedName); !ok || r.Name != "b" {
		t.Errorf("got %v, want the repeated name b", err)
	}
}

func FuzzEscapeFlag(f *testing.F) {
	for _, s := range []string{"", "plain and long enough", `with a " quote in it`, "back\\slash", "tab\t", "\x1f", "ü\u0080\u2028", "12345678\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == '"' || r == '\\' })
		if got := needsEscape(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	})
}
