package main

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// rawKeysSize is the size of an index entry that holds keys only.
const rawKeysSize = 48

// rawWritten is before the first record that is not loaded but written while
// measuring.
const rawWritten = 1 << 32

// rawEntrySizeOf returns the size of an index entry under the run's projection.
func rawEntrySizeOf(run dataRun) int {
	if run.projection == "ALL" {
		return rawValueSize
	}
	return rawKeysSize
}

// setIndexed returns a PutItem on a table with indexes and a stream: it reads the item
// that was there, and writes the new one, moves its index entries and adds a record
// with both images, in one commit.
func (c *rawCaller) setIndexed(n int) error {
	if err := c.get(n); err != nil {
		return err
	}
	c.old, c.value = c.value, c.old
	batch := c.db.NewBatch()
	defer batch.Close()
	for i := range c.work.dataset.indexes {
		c.key = c.entryKey(i, c.old, n)
		if err := batch.Delete(c.key, nil); err != nil {
			return err
		}
	}
	value := c.newValue()
	c.key = rawItemKey(c.key[:0], c.work.dataset, n)
	err := batch.Set(c.key, value, nil)
	return errors.Join(err, c.addEntries(batch, n), c.addRecord(batch, rawWritten+c.sequence.Add(1), c.old), batch.Commit(c.write))
}

// entryKey makes the key of the entry that an item has in an index.
func (c *rawCaller) entryKey(index int, value []byte, n int) []byte {
	group := numberIn(value[index*numberWidth : (index+1)*numberWidth])
	key := rawPartition(c.key[:0], c.work.dataset, rawEntries+byte(index), groupPrefix, group)
	return append(appendNumber(append(key, itemPrefix...), n), 0, 1)
}

// addEntries adds the index entries of the item whose value was just made.
func (c *rawCaller) addEntries(batch *pebble.Batch, n int) error {
	for i := range c.work.dataset.indexes {
		c.key = c.entryKey(i, c.value, n)
		if err := batch.Set(c.key, c.value[:c.entrySize], nil); err != nil {
			return err
		}
	}
	return nil
}

// addRecord adds a stream record with the value that was just made and the one
// before.
func (c *rawCaller) addRecord(batch *pebble.Batch, sequence uint64, old []byte) error {
	c.key = binary.BigEndian.AppendUint64(rawSpace(c.key[:0], c.work.dataset, rawRecords), sequence)
	record := batch.SetDeferred(len(c.key), len(old)+len(c.value))
	copy(record.Key, c.key)
	copy(record.Value[copy(record.Value, old):], c.value)
	return record.Finish()
}

// numberIn reads what putDigits has written.
func numberIn(digits []byte) (n int) {
	for _, digit := range digits {
		n = n*10 + int(digit-'0')
	}
	return n
}

// rawPageRecords is the number of records a consumer reads at once.
const rawPageRecords = 1000

// A rawConsumer reads the records of a stream in pages, again and again.
type rawConsumer struct {
	*rawCaller
	want int // records of the whole stream
	seen int
	page int // records of the last request
	next []byte
	end  []byte
}

var _ bulkCaller = (*rawConsumer)(nil)

func newRawConsumer(c *rawCaller, run dataRun) *rawConsumer {
	begin := rawSpace(nil, c.work.dataset, rawRecords)
	return &rawConsumer{rawCaller: c, want: run.itemsOf(c.work.dataset), next: begin, end: rawSpace(nil, c.work.dataset, rawRecords+1)}
}

func (c *rawConsumer) units() int { return c.page }

// do reads a page from the place where the last one ended.
func (c *rawConsumer) do(bool) error {
	it, err := c.db.NewIter(&pebble.IterOptions{LowerBound: c.next, UpperBound: c.end})
	if err != nil {
		return err
	}
	c.page, c.value = 0, c.value[:0]
	for ok := it.First(); ok && c.page < rawPageRecords; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err != nil {
			return errors.Join(err, it.Close())
		}
		c.value = append(c.value, value...)               // it is gone with the iterator
		c.key = append(append(c.key[:0], it.Key()...), 0) // the first one after it
		c.page++
	}
	if err := it.Close(); err != nil {
		return err
	}
	c.key, c.next = c.next, c.key
	if c.seen += c.page; c.page == rawPageRecords && c.seen < c.want {
		return nil
	}
	if c.seen != c.want {
		return fmt.Errorf("read %d records, the stream has %d", c.seen, c.want)
	}
	c.seen, c.next = 0, rawSpace(c.next[:0], c.work.dataset, rawRecords)
	return nil
}
