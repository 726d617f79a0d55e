package pebblekv

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"sortkey.dev/engine/internal/kv"
)

// txn collects the writes of one update. It is pooled with its buffers.
type txn struct {
	store   *Store
	plan    []uint16      // stripes whose latches the update holds
	span    bool          // holds the span latch instead
	reader  snapshot      // its iterator is nil until the first read
	batch   *pebble.Batch // nil until the first write
	records []record
	buf     []byte // the bytes of records
	logged  []logged
	stamp   func(record []byte) // nil: none
	err     error               // the first invalid write
}

// record is one call of Log; its bytes are buf[start:end].
type record struct {
	shard      uint32
	start, end int
}

// logged is a shard this update writes to, and the last sequence it got there.
type logged struct {
	id    uint32
	shard *shard
	last  uint64
}

var _ kv.Txn = (*txn)(nil)

// maxKept limits the buffer that stays in the pool after a large update.
const maxKept = 64 << 10

func (s *Store) newTxn() *txn { return s.txns.Get().(*txn) }

func (t *txn) release() {
	if t.batch != nil {
		_ = t.batch.Close() // only releases memory
		t.batch = nil
	}
	clear(t.logged)
	t.plan, t.records, t.logged, t.buf = t.plan[:0], t.records[:0], t.logged[:0], t.buf[:0]
	t.span, t.stamp, t.err = false, nil, nil
	if cap(t.buf) > maxKept {
		t.buf = nil
	}
	t.store.txns.Put(t)
}

// Get and Scan read the state at the first read, which is after the latches were taken.
// Keys under a latch of t cannot have changed since then and are read without a snapshot,
// which is faster.
func (t *txn) Get(key []byte, fn func(value []byte) error) (bool, error) {
	if _, held := slices.BinarySearch(t.plan, t.store.latches.index(key)); held {
		return t.store.get(key, fn)
	}
	if err := t.openReader(); err != nil {
		return false, err
	}
	return t.reader.Get(key, fn)
}

func (t *txn) Scan(lo, hi []byte, o kv.ScanOptions, fn func(key, value []byte) bool) error {
	if err := t.openReader(); err != nil {
		return err
	}
	return t.reader.Scan(lo, hi, o, fn)
}

func (t *txn) openReader() (err error) {
	if t.reader.it == nil {
		t.reader.it, err = t.store.db.NewIter(&viewOptions)
	}
	return describe(err)
}

// closeReader releases the snapshot.
func (t *txn) closeReader() (err error) {
	if t.reader.it != nil {
		err = describe(t.reader.it.Close())
	}
	t.reader = snapshot{}
	return err
}

func (t *txn) Set(key, value []byte) {
	if t.admit(key, len(value)) {
		t.note(t.batch.Set(key, value, nil))
	}
}

func (t *txn) Delete(key []byte) {
	if t.admit(key, 0) {
		t.note(t.batch.Delete(key, nil))
	}
}

func (t *txn) Log(shard uint32, bytes []byte) {
	if t.room(len(bytes)) {
		start := len(t.buf)
		t.buf = append(t.buf, bytes...)
		t.records = append(t.records, record{shard, start, len(t.buf)})
	}
}

func (t *txn) Stamp(fn func(record []byte)) { t.stamp = fn }

// admit checks a write and ensures that there is a batch for it.
func (t *txn) admit(key []byte, valueLen int) bool {
	if err := kv.CheckKey(key); err != nil {
		t.note(err)
		return false
	}
	if !t.room(len(key) + valueLen) {
		return false
	}
	if t.batch == nil {
		t.batch = t.store.db.NewBatch()
	}
	return true
}

// room reports whether n more bytes fit into the commit.
func (t *txn) room(n int) bool {
	size := len(t.buf) + n
	if t.batch != nil {
		size += t.batch.Len()
	}
	if size > maxCommitBytes {
		t.note(fmt.Errorf("%w: more than %d bytes", kv.ErrTooLarge, maxCommitBytes))
		return false
	}
	return true
}

// note records the first invalid write, which makes the update fail.
func (t *txn) note(err error) {
	if t.err == nil {
		t.err = err
	}
}

// lockShards locks the logs of the shards that t writes to, in the order of their numbers,
// and prepares their next sequences.
func (t *txn) lockShards() error {
	for _, r := range t.records {
		if !slices.ContainsFunc(t.logged, func(l logged) bool { return l.id == r.shard }) {
			t.logged = append(t.logged, logged{id: r.shard})
		}
	}
	slices.SortFunc(t.logged, func(a, b logged) int { return cmp.Compare(a.id, b.id) })
	for i := range t.logged {
		l := &t.logged[i]
		sh := t.store.shards.get(l.id)
		sh.mu.Lock()
		l.shard = sh
		if err := sh.prepare(t.store, len(t.records)); err != nil {
			return err
		}
	}
	return nil
}

// unlockShards unlocks the shards that lockShards has locked.
func (t *txn) unlockShards() {
	for _, l := range t.logged {
		if l.shard != nil {
			l.shard.mu.Unlock()
		}
	}
}

// addRecords numbers the records, stamps them and adds them to the batch. The shards are
// locked, so the sequences and the stamps have the same order.
func (t *txn) addRecords() error {
	if len(t.records) > 0 && t.batch == nil {
		t.batch = t.store.db.NewBatch()
	}
	for _, r := range t.records {
		i := slices.IndexFunc(t.logged, func(l logged) bool { return l.id == r.shard })
		l := &t.logged[i]
		l.last = l.shard.take()
		if t.stamp != nil {
			t.stamp(t.buf[r.start:r.end:r.end])
		}
		key := logKey(r.shard, l.last)
		if err := t.batch.Set(key[:], t.buf[r.start:r.end], nil); err != nil {
			return err
		}
	}
	return nil
}

// raiseHorizons makes the records of t visible to readers of the log.
func (t *txn) raiseHorizons() {
	for _, l := range t.logged {
		l.shard.raise(l.last)
	}
}
