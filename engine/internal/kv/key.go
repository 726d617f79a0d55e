package kv

import "fmt"

// The first byte of every caller's key lies between these two. Stores keep their own keys
// outside this range.
const (
	FirstByteMin = 0x01
	FirstByteMax = 0xEF
)

// The bounds of the callers' part of the key space: [firstKey, endKey).
var (
	firstKey = []byte{FirstByteMin}
	endKey   = []byte{FirstByteMax + 1}
)

// CheckKey returns an error that matches [ErrKey] if key is not a caller's key.
func CheckKey(key []byte) error {
	switch {
	case len(key) == 0:
		return fmt.Errorf("%w: it is empty", ErrKey)
	case key[0] < FirstByteMin || key[0] > FirstByteMax:
		return fmt.Errorf("%w: its first byte is 0x%02x, outside 0x%02x to 0x%02x", ErrKey, key[0], FirstByteMin, FirstByteMax)
	}
	return nil
}

// ClampSpan restricts [lo, hi) to the callers' part of the key space; nil bounds are open.
// Stores use it so that no scan and no span delete reaches their own keys. The result
// may be empty, with lo not below hi.
func ClampSpan(lo, hi []byte) (from, to []byte) {
	if len(lo) == 0 || lo[0] < FirstByteMin {
		lo = firstKey
	}
	if hi == nil || (len(hi) > 0 && hi[0] > FirstByteMax) {
		hi = endKey
	}
	return lo, hi
}
