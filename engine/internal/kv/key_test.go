package kv_test

import (
	"errors"
	"fmt"
	"testing"

	"sortkey.dev/engine/internal/kv"
)

func TestCheckKey(t *testing.T) {
	for _, c := range []struct {
		key   []byte
		valid bool
	}{
		{nil, false},
		{[]byte{}, false},
		{[]byte{0x00}, false},
		{[]byte{0x01}, true},
		{[]byte{0xEF, 0xFF}, true},
		{[]byte{0xF0}, false},
		{[]byte{0xFF}, false},
	} {
		err := kv.CheckKey(c.key)
		if (err == nil) != c.valid || err != nil && !errors.Is(err, kv.ErrKey) {
			t.Errorf("CheckKey(%x) = %v", c.key, err)
		}
	}
}

func TestClampSpan(t *testing.T) {
	for _, c := range []struct {
		lo, hi []byte
		want   string
	}{
		{nil, nil, "01 f0"},
		{[]byte{}, []byte{0xFF}, "01 f0"},
		{[]byte{0x00, 0x05}, []byte{0xF0, 0x01}, "01 f0"},
		{[]byte{0x05}, []byte{0xEF, 0xFF}, "05 efff"},
		{[]byte{0xF1}, nil, "f1 f0"},          // empty
		{nil, []byte{}, "01 "},                // empty
		{nil, []byte{0x00}, "01 00"},          // empty
		{[]byte{0x07}, []byte{0x06}, "07 06"}, // empty
	} {
		lo, hi := kv.ClampSpan(c.lo, c.hi)
		if got := fmt.Sprintf("%x %x", lo, hi); got != c.want {
			t.Errorf("ClampSpan(%x, %x) = %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}
