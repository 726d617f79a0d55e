package number_test

import (
	"bytes"
	"testing"

	"sortkey.dev/engine/internal/number"
)

var fuzzSeeds = []string{
	"0", "-0", "42", "-42.5", "+.5", "5.", "00042.1200", "1e5", "1.5E-3", "1E125", "1E-130", "1e126", "0e126", "1e-131",
	"99999999999999999999999999999999999999", "1e37", "0.1", "-9.9999999999999999999999999999999999999E+125",
	"1e9223372036854775808", "1e-9223372036854775808", "", " 5", "abc", "NaN", "1e", "--1", ".", "1_0", "0x5", "1.2.3",
}

func FuzzCanonical(f *testing.F) {
	for _, text := range fuzzSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			t.Skip("big.Rat is slow on long texts")
		}
		checkCanonical(t, text)
	})
}

func FuzzAdd(f *testing.F) {
	for i, text := range fuzzSeeds {
		f.Add(text, fuzzSeeds[(i+1)%len(fuzzSeeds)])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, errX := number.AppendCanonical(nil, []byte(a))
		y, errY := number.AppendCanonical(nil, []byte(b))
		if errX == nil && errY == nil {
			checkPair(t, string(x), string(y))
		}
	})
}

// FuzzKey decodes any bytes: accepted bytes must be exactly what AppendKey
// writes for a canonical number, in the order of the numbers.
func FuzzKey(f *testing.F) {
	previous := []byte{0x80}
	for _, text := range fuzzSeeds {
		if canonical, err := number.AppendCanonical(nil, []byte(text)); err == nil {
			key := number.AppendKey(nil, canonical)
			f.Add(previous, key)
			previous = key
		}
	}
	f.Add([]byte{0x81, 0x82, 0x15}, []byte{0x7f, 0x7d, 0xff})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		x, errX := decodeAndReencode(t, a)
		y, errY := decodeAndReencode(t, b)
		if errX == nil && errY == nil {
			checkPair(t, string(x), string(y))
		}
	})
}

func decodeAndReencode(t *testing.T, src []byte) ([]byte, error) {
	t.Helper()
	canonical, rest, err := number.DecodeKey(nil, src)
	if err != nil {
		return nil, err
	}
	again, err := number.AppendCanonical(nil, canonical)
	if err != nil || !bytes.Equal(again, canonical) {
		t.Fatalf("%x decoded to %q, which is not canonical", src, canonical)
	}
	if key := number.AppendKey(nil, canonical); !bytes.Equal(key, src[:len(src)-len(rest)]) {
		t.Fatalf("%x decoded to %s, whose key is %x", src, canonical, key)
	}
	return canonical, nil
}
