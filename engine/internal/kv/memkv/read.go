package memkv

import (
	"bytes"
	"unsafe"

	"sortkey.dev/engine/internal/kv"
)

// snapshot reads a tree that never changes.
type snapshot struct{ data *tree }

var _ kv.Reader = snapshot{}

func (r snapshot) Get(key []byte, fn func(value []byte) error) (bool, error) {
	return get(r.data, key, fn)
}

func (r snapshot) Scan(lo, hi []byte, o kv.ScanOptions, fn func(key, value []byte) bool) error {
	return scan(r.data, lo, hi, o, fn)
}

func get(data *tree, key []byte, fn func(value []byte) error) (bool, error) {
	if err := kv.CheckKey(key); err != nil {
		return false, err
	}
	value, found := data.Get(lookup(key))
	if !found {
		return false, nil
	}
	return true, fn(value)
}

func scan(data *tree, lo, hi []byte, o kv.ScanOptions, fn func(key, value []byte) bool) error {
	var buf []byte
	visit := func(key string, value []byte) bool {
		buf = append(buf[:0], key...)
		return fn(buf, value)
	}
	if o.Reverse {
		descend(data, lo, hi, visit)
	} else {
		ascend(data, lo, hi, visit)
	}
	return nil
}

// ascend visits the caller's keys in [lo, hi) in order.
func ascend(data *tree, lo, hi []byte, visit func(key string, value []byte) bool) {
	lo, hi = kv.ClampSpan(lo, hi)
	if bytes.Compare(lo, hi) >= 0 {
		return
	}
	end := string(hi)
	data.Ascend(string(lo), func(key string, value []byte) bool {
		return key < end && visit(key, value)
	})
}

// descend visits the caller's keys in [lo, hi) in reverse order.
func descend(data *tree, lo, hi []byte, visit func(key string, value []byte) bool) {
	lo, hi = kv.ClampSpan(lo, hi)
	if bytes.Compare(lo, hi) >= 0 {
		return
	}
	first, end := string(lo), string(hi)
	data.Descend(end, func(key string, value []byte) bool {
		return key >= end || (key >= first && visit(key, value))
	})
}

// lookup returns key as a string without copying it. The result must not be kept: it is valid
// only for a search, while the caller's bytes do not change.
func lookup(key []byte) string { return unsafe.String(unsafe.SliceData(key), len(key)) }
