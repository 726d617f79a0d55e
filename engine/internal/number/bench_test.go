package number_test

import (
	"testing"

	"sortkey.dev/engine/internal/number"
)

// benchNumbers lists typical canonical numbers, and the longest.
var benchNumbers = []struct{ name, text string }{
	{"Small", "42"},
	{"EpochMillis", "1699999999999"},
	{"Price", "19.99"},
	{"Coordinate", "-122.0841"},
	{"Digits38", "12345678901234567890.123456789012345678"},
	{"Largest", nines(38) + zeros(88)},
}

// operations returns all operations on numbers; none may allocate.
func operations(text string) map[string]func(dst []byte) {
	canonical, other := []byte(text), []byte(text)
	written := []byte(text + "e0") // needs the full parser
	key := number.AppendKey(nil, canonical)
	return map[string]func(dst []byte){
		"Canonical":       func(dst []byte) { number.AppendCanonical(dst, canonical) },
		"CanonicalParsed": func(dst []byte) { number.AppendCanonical(dst, written) },
		"Compare":         func([]byte) { number.Compare(canonical, other) },
		"Add":             func(dst []byte) { number.AppendAdd(dst, canonical, other) },
		"Sub":             func(dst []byte) { number.AppendSub(dst, canonical, other) },
		"Size":            func([]byte) { number.Size(canonical) },
		"AppendKey":       func(dst []byte) { number.AppendKey(dst, canonical) },
		"DecodeKey":       func(dst []byte) { number.DecodeKey(dst, key) },
	}
}

func TestNothingAllocates(t *testing.T) {
	dst := make([]byte, 0, 256)
	for _, n := range benchNumbers {
		for name, operation := range operations(n.text) {
			if allocs := testing.AllocsPerRun(100, func() { operation(dst) }); allocs != 0 {
				t.Errorf("%s of %s: %v allocations, want none", name, n.text, allocs)
			}
		}
	}
}

func Benchmark(b *testing.B) {
	dst := make([]byte, 0, 256)
	for _, name := range []string{"Canonical", "CanonicalParsed", "Compare", "Add", "Sub", "Size", "AppendKey", "DecodeKey"} {
		for _, n := range benchNumbers {
			operation := operations(n.text)[name]
			b.Run(name+"/"+n.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					operation(dst)
				}
			})
		}
	}
}
