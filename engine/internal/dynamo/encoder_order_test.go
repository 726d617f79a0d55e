package dynamo

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFieldsAndMembersAreSorted writes names and members in random order that share
// prefixes, end in zero bytes, and are more than an insertion sort is used for.
func TestFieldsAndMembersAreSorted(t *testing.T) {
	parts := []string{"", "a", "\x00", "\x00\x00", "b", "\xff", "prefix", "prefixes-", "0123456", "01234567", "012345678"}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		var names []string
		for range r.IntN(2 * smallOrder) {
			names = append(names, parts[r.IntN(len(parts))]+parts[r.IntN(len(parts))]+parts[r.IntN(len(parts))])
		}
		want := slices.Compact(slices.Sorted(slices.Values(names)))
		distinct := slices.Clone(want)
		r.Shuffle(len(distinct), func(i, j int) { distinct[i], distinct[j] = distinct[j], distinct[i] })
		if got := encodedNames(t, distinct); !slices.Equal(got, want) {
			t.Fatalf("seed %d: fields are in the order %q, want %q", seed, got, want)
		}
		if got := encodedMembers(t, distinct); len(want) > 0 && !slices.Equal(got, want) {
			t.Fatalf("seed %d: members are in the order %q, want %q", seed, got, want)
		}
	}
}

// encodedNames returns the names of an item in the order of its encoding. The value
// of each field is its name.
func encodedNames(t *testing.T, names []string) (encoded []string) {
	t.Helper()
	var e Encoder
	e.OpenItem()
	for _, name := range names {
		e.Name(name)
		e.String(strings.ToValidUTF8(name, "?"))
	}
	item, err := e.CloseItem()
	if err != nil {
		t.Fatalf("%q: %v", names, err)
	}
	for name, value := range item.All() {
		encoded = append(encoded, name)
		if string(value.Bytes()) != strings.ToValidUTF8(name, "?") {
			t.Fatalf("field %q has the value %q of another", name, value.Bytes())
		}
	}
	return encoded
}

func encodedMembers(t *testing.T, members []string) (encoded []string) {
	t.Helper()
	var e Encoder
	start := e.Mark()
	e.OpenSet(KindBinarySet)
	for _, member := range members {
		if err := e.Member([]byte(member)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.CloseSet(); err != nil && len(members) > 0 {
		t.Fatalf("%q: %v", members, err)
	}
	for member := range e.Value(start).Members() {
		encoded = append(encoded, string(member))
	}
	return encoded
}
