package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"path/filepath"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
)

// pebbleFloor is the storage library without an engine on it: the same number
// of bytes under keys of the same form, with the options the engine uses. It has
// two stores, as the engine is measured with two, so that unsynced writes do not
// wait in the log of synced ones.
type pebbleFloor struct {
	inThisProcess
	synced, unsynced *pebble.DB
	run              dataRun
	sequence         atomic.Uint64 // of stream records
}

var _ system = (*pebbleFloor)(nil)

// openPebbleFloor loads the datasets into new stores in dir.
func openPebbleFloor(dir string, cacheBytes int64, datasets []*dataset, run dataRun) (_ *pebbleFloor, err error) {
	f := &pebbleFloor{run: run}
	defer func() {
		if err != nil {
			err = fmt.Errorf("raw Pebble: %w", errors.Join(err, f.close()))
		}
	}()
	if f.synced, err = openRaw(filepath.Join(dir, "pebble-synced"), cacheBytes, datasets, run); err != nil {
		return nil, err
	}
	f.unsynced, err = openRaw(filepath.Join(dir, "pebble-unsynced"), cacheBytes, datasets, run)
	return f, err
}

// openRaw fills a new store and opens it again, as is done with the engine's.
func openRaw(dir string, cacheBytes int64, datasets []*dataset, run dataRun) (*pebble.DB, error) {
	db, err := pebble.Open(dir, rawOptions(cacheBytes))
	if err != nil {
		return nil, err
	}
	for _, d := range datasets {
		if err := loadRaw(db, d, run); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	if err := errors.Join(db.Flush(), db.Close()); err != nil {
		return nil, err
	}
	return pebble.Open(dir, rawOptions(cacheBytes))
}

func loadRaw(db *pebble.DB, d *dataset, run dataRun) error {
	c := rawCaller{db: db, work: workload{dataset: d}, rnd: newRandom(1), entrySize: rawEntrySizeOf(run)}
	for first := 0; first < run.itemsOf(d); first += batchItems {
		batch := db.NewBatch()
		for n := first; n < first+batchItems; n++ {
			c.key = rawItemKey(c.key[:0], d, n)
			err := batch.Set(c.key, c.newValue(), nil)
			if d.stream {
				err = errors.Join(err, c.addEntries(batch, n), c.addRecord(batch, uint64(n), nil))
			}
			if err != nil {
				return errors.Join(err, batch.Close())
			}
		}
		if err := errors.Join(batch.Commit(pebble.NoSync), batch.Close()); err != nil {
			return err
		}
	}
	return nil
}

// memTableBytes is the engine's.
const memTableBytes = 16 << 20

// rawOptions returns the engine's.
func rawOptions(cacheBytes int64) *pebble.Options {
	o := &pebble.Options{
		FormatMajorVersion:    pebble.FormatValueSeparation,
		CacheSize:             cacheBytes + 2*memTableBytes, // Pebble takes the memory of its memtables from it
		MemTableSize:          memTableBytes,
		L0CompactionThreshold: 2,
		Logger:                silent{},
	}
	o.Levels[0].BlockSize = 16 << 10
	o.Levels[0].FilterPolicy = bloom.FilterPolicy(10)
	return o
}

// silent drops what Pebble says about its work in the background.
type silent struct{}

func (silent) Infof(string, ...any)              {}
func (silent) Errorf(string, ...any)             {}
func (silent) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (f *pebbleFloor) close() error {
	var errs []error
	for _, db := range []*pebble.DB{f.synced, f.unsynced} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

func (f *pebbleFloor) name() string { return "raw Pebble" }

func (f *pebbleFloor) caller(w workload, seed uint64) (caller, error) {
	c := &rawCaller{
		db: f.synced, write: pebble.Sync, work: w, rnd: newRandom(seed), keys: w.keys(f.run),
		sequence: &f.sequence, entrySize: rawEntrySizeOf(f.run),
	}
	if !w.fsync && !w.reads() {
		c.db, c.write = f.unsynced, pebble.NoSync
	}
	if c.db == nil {
		c.db = f.unsynced // nothing is synced in this run
	}
	if w.op == getRecords {
		return newRawConsumer(c, f.run), nil
	}
	return c, nil
}

// The sizes of stored values: of a 1 KB item, of a small one, and of the token
// of a transaction.
const (
	rawValueSize = 1024
	rawSmallSize = 100
	rawTokenSize = 48
)

// rawSize returns the size of a stored item.
func (d *dataset) rawSize() int {
	if d.small {
		return rawSmallSize
	}
	return rawValueSize
}

// The kinds of rows in a raw store. Entries of index i have rawEntries+i.
const (
	rawItems   = 'i'
	rawTokens  = 't'
	rawRecords = 'r'
	rawEntries = '1'
)

// errNotFound is the store's error for a key that is not there.
var errNotFound = pebble.ErrNotFound

// rawItemKey appends the key of item n: the number of the table, a hash of the
// partition key, the keys. The engine's row keys have this form.
func rawItemKey(dst []byte, d *dataset, n int) []byte {
	if d.sorted {
		dst = rawPartition(dst, d, rawItems, partPrefix, n/pageItems)
		return appendNumber(dst, n%pageItems)
	}
	return rawPartition(dst, d, rawItems, itemPrefix, n)
}

// rawHeadSize is the size of the part before the components of a key: the table, the
// kind of row, the hash.
const rawHeadSize = 4 + 1 + 4

// rawSpace appends the prefix of all rows of a kind.
func rawSpace(dst []byte, d *dataset, kind byte) []byte {
	return append(binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE([]byte(d.name))), kind)
}

// rawRows makes an iterator over all rows of a kind.
func rawRows(db *pebble.DB, d *dataset, kind byte) (*pebble.Iterator, error) {
	return db.NewIter(&pebble.IterOptions{LowerBound: rawSpace(nil, d, kind), UpperBound: rawSpace(nil, d, kind+1)})
}

// countRaw counts the rows of a kind by reading all of them.
func countRaw(db *pebble.DB, d *dataset, kind byte) (rows int, err error) {
	it, err := rawRows(db, d, kind)
	if err != nil {
		return 0, err
	}
	for ok := it.First(); ok; ok = it.Next() {
		rows++
	}
	return rows, errors.Join(it.Error(), it.Close())
}

func rawPartition(dst []byte, d *dataset, kind byte, prefix string, n int) []byte {
	dst = append(rawSpace(dst, d, kind), 0, 0, 0, 0)
	begin := len(dst)
	dst = append(dst, prefix...)
	dst = appendNumber(dst, n)
	binary.BigEndian.PutUint32(dst[begin-4:], crc32.ChecksumIEEE(dst[begin:]))
	return append(dst, 0, 1)
}

// appendNumber appends n as it stands in a template.
func appendNumber(dst []byte, n int) []byte {
	dst = append(dst, "00000000"...)
	putDigits(dst[len(dst)-numberWidth:], n)
	return dst
}

// A rawCaller does to a Pebble store what the engine has to do at least.
type rawCaller struct {
	db    *pebble.DB
	write *pebble.WriteOptions
	work  workload
	rnd   *rand.Rand
	keys  int
	key   []byte
	value []byte

	// for tables with indexes and a stream
	old       []byte
	entrySize int
	sequence  *atomic.Uint64
}

func (c *rawCaller) close() error { return nil }

func (c *rawCaller) do(bool) error {
	n := c.rnd.IntN(c.keys)
	switch c.work.op {
	case getItem:
		return c.get(n)
	case putItem:
		if c.work.dataset.stream {
			return c.setIndexed(n)
		}
		return c.set(n)
	case updateItem:
		if err := c.get(n); err != nil {
			return err
		}
		return c.set(n)
	case query:
		return c.scan(n)
	case batchWrite:
		return c.batch(n)
	case transactWrite:
		return c.transact(n)
	}
	return fmt.Errorf("no floor for %s", c.work.op)
}

func (c *rawCaller) get(n int) error {
	c.key = rawItemKey(c.key[:0], c.work.dataset, n)
	value, closer, err := c.db.Get(c.key)
	if err != nil {
		return err
	}
	c.value = append(c.value[:0], value...)
	return closer.Close()
}

func (c *rawCaller) set(n int) error {
	c.key = rawItemKey(c.key[:0], c.work.dataset, n)
	return c.db.Set(c.key, c.newValue(), c.write)
}

// newValue makes a value to be stored. It begins with the keys of the indexes.
func (c *rawCaller) newValue() []byte {
	d := c.work.dataset
	c.value = append(c.value[:0], randomText(c.rnd, d.rawSize())...)
	for i := range d.indexes {
		putDigits(c.value[i*numberWidth:(i+1)*numberWidth], c.rnd.IntN(groups))
	}
	return c.value
}

func (c *rawCaller) batch(n int) error {
	batch := c.db.NewBatch()
	for i := range batchItems {
		c.key = rawItemKey(c.key[:0], c.work.dataset, (n+i)%c.keys)
		if err := batch.Set(c.key, c.newValue(), nil); err != nil {
			return err
		}
	}
	return errors.Join(batch.Commit(c.write), batch.Close())
}

func (c *rawCaller) scan(partition int) error {
	lower := rawPartition(c.key[:0], c.work.dataset, rawItems, partPrefix, partition)
	upper := append([]byte(nil), lower...)
	upper[len(upper)-1]++
	it, err := c.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return err
	}
	items := 0
	c.value = c.value[:0]
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err != nil {
			return errors.Join(err, it.Close())
		}
		c.value = append(c.value, value...) // it is gone with the iterator
		items++
	}
	c.key = lower
	if items != pageItems || len(c.value) != pageItems*c.work.dataset.rawSize() {
		err = fmt.Errorf("scan found %d items of %d bytes: %w", items, len(c.value), io.ErrUnexpectedEOF)
	}
	return errors.Join(err, it.Close())
}
