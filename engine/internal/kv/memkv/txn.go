package memkv

import "sortkey.dev/engine/internal/kv"

// txn collects the writes of one update.
type txn struct {
	store   *Store
	writes  []write
	records []record
	stamp   func(record []byte) // nil: none
	err     error               // the first invalid key
}

var _ kv.Txn = (*txn)(nil)

// write is one Set, or one Delete when value is nil.
type write struct {
	key   string
	value []byte
}

type record struct {
	shard uint32
	bytes []byte
}

// maxKept limits the buffers that the store keeps after a large update.
const maxKept = 256

// reset prepares t for the next update and releases its references.
func (t *txn) reset() {
	clear(t.writes)
	clear(t.records)
	t.writes, t.records, t.stamp, t.err = t.writes[:0], t.records[:0], nil, nil
	if cap(t.writes) > maxKept || cap(t.records) > maxKept {
		t.writes, t.records = nil, nil
	}
}

func (t *txn) Get(key []byte, fn func(value []byte) error) (bool, error) {
	return get(t.store.data, key, fn)
}

func (t *txn) Scan(lo, hi []byte, o kv.ScanOptions, fn func(key, value []byte) bool) error {
	return scan(t.store.data, lo, hi, o, fn)
}

func (t *txn) Set(key, value []byte) {
	if t.valid(key) {
		t.writes = append(t.writes, write{string(key), append(make([]byte, 0, len(value)), value...)})
	}
}

func (t *txn) Delete(key []byte) {
	if t.valid(key) {
		t.writes = append(t.writes, write{string(key), nil})
	}
}

// valid checks a key. The first invalid key makes the update fail.
func (t *txn) valid(key []byte) bool {
	err := kv.CheckKey(key)
	if err != nil && t.err == nil {
		t.err = err
	}
	return err == nil
}

func (t *txn) Log(shard uint32, bytes []byte) {
	t.records = append(t.records, record{shard, append(make([]byte, 0, len(bytes)), bytes...)})
}

func (t *txn) Stamp(fn func(record []byte)) { t.stamp = fn }
