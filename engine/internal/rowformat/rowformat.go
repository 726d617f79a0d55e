// Package rowformat encodes rows: the keys under which items and
// index entries are stored, in an order that equals DynamoDB's, and the bytes
// around a stored item. FORMAT.md describes both for people who read a data
// directory with other tools.
//
// It does not decide what is stored (package table does) nor where (package kv
// does), and it trusts its input: key values were checked for kind, size and
// emptiness before.
package rowformat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/number"
)

// Version is the version of the formats of this package. It is written into
// every row and into the directory of a store.
const Version = 1

// The first byte of a key says what kind of row it is.
const (
	catalogSpace = 0x01
	dataSpace    = 0x02
	tokenSpace   = 0x03
)

const (
	escape     = 0x00 // a zero byte in a string or binary key …
	escaped    = 0xFF // … is written 00 FF
	terminator = 0x01 // and the end 00 01, which sorts before any continuation
)

// A Path is one ordered set of rows: the items of a table (Index 0), the
// entries of one of its indexes, or the expiry rows of its items. Neither number is
// reused after its table or index was deleted.
type Path struct {
	Table uint32
	Index uint16
}

// CatalogKey returns the key of a catalog row.
func CatalogKey(name string) []byte { return append([]byte{catalogSpace}, name...) }

// PathSpan returns the span of keys that holds all rows of a path.
func PathSpan(p Path) (lo, hi []byte) {
	lo = AppendPath(nil, p)
	return lo, Successor(lo)
}

// TableSpan returns the span of keys that holds all rows of a table and its indexes.
func TableSpan(table uint32) (lo, hi []byte) {
	lo = binary.BigEndian.AppendUint32([]byte{dataSpace}, table)
	return lo, binary.BigEndian.AppendUint32([]byte{dataSpace}, table+1)
}

// AppendPath appends the prefix of all rows of a path.
func AppendPath(dst []byte, p Path) []byte {
	dst = append(dst, dataSpace)
	dst = binary.BigEndian.AppendUint32(dst, p.Table)
	return binary.BigEndian.AppendUint16(dst, p.Index)
}

// AppendPartition appends the prefix of all rows of a path with one partition
// key, given as the values of its attributes: the path, the hash of the
// components, the components.
func AppendPartition(dst []byte, p Path, partition []dynamo.Value) []byte {
	dst = AppendPath(dst, p)
	hashAt := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for _, v := range partition {
		dst = AppendComponent(dst, v)
	}
	binary.BigEndian.PutUint32(dst[hashAt:], hash(dst[hashAt+4:]))
	return dst
}

// hash distributes partitions over the key space, as a distributed store needs.
func hash(partition []byte) uint32 { return uint32(xxhash.Sum64(partition) >> 32) }

// SegmentSpan returns the part of a path that segment of total covers in a parallel
// scan: an equal share of the hash space.
func SegmentSpan(p Path, segment, total int) (lo, hi []byte) {
	edge := func(i int) []byte {
		share := uint64(i) << 32 / uint64(total)
		if share == 1<<32 {
			return Successor(AppendPath(nil, p))
		}
		return binary.BigEndian.AppendUint32(AppendPath(nil, p), uint32(share))
	}
	return edge(segment), edge(segment + 1)
}

// Share returns the share of a row, or of the start of a span, in a path whose hash space
// is divided into count equal shares, like the segments of SegmentSpan: from 0 to count-1.
func Share(key []byte, count int) int {
	return share(uint64(binary.BigEndian.Uint32(key[pathSize:]))+1, count)
}

// LastShare returns the share of the last possible row of a span up to hi, as SegmentSpan
// returns it.
func LastShare(hi []byte, count int) int {
	if len(hi) <= pathSize {
		return count - 1
	}
	return share(uint64(binary.BigEndian.Uint32(hi[pathSize:])), count)
}

// share returns the share of the hash before next.
func share(next uint64, count int) int { return int((next*uint64(count) - 1) >> 32) }

// AppendComponent appends one key value so that the bytes sort like the values
// and no component is a prefix of another.
func AppendComponent(dst []byte, v dynamo.Value) []byte {
	if v.Kind() == dynamo.KindNumber {
		return number.AppendKey(dst, v.Bytes())
	}
	return append(AppendComponentPrefix(dst, v), escape, terminator)
}

// AppendComponentPrefix appends a string or binary value without its terminator: the
// common prefix of the components of all values that begin with it.
func AppendComponentPrefix(dst []byte, v dynamo.Value) []byte {
	b := v.Bytes()
	for {
		i := bytes.IndexByte(b, escape)
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(append(dst, b[:i]...), escape, escaped)
		b = b[i+1:]
	}
}

// Successor returns a new slice with the first key after all keys that begin with prefix,
// or nil if there is none.
func Successor(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xFF {
			next := bytes.Clone(prefix[:i+1])
			next[i]++
			return next
		}
	}
	return nil
}

// AppendRow appends the stored form of an item: the format version, the item's
// size as DynamoDB counts it, the item.
func AppendRow(dst []byte, size int, item dynamo.Item) []byte {
	dst = append(dst, Version)
	dst = binary.AppendUvarint(dst, uint64(size))
	return append(dst, item...)
}

// ErrCorrupt is wrapped by the errors for rows that cannot be decoded.
var ErrCorrupt = errors.New("corrupt row")

// ParseRow decodes a stored item. The item shares memory with row.
func ParseRow(row []byte) (size int, item dynamo.Item, err error) {
	if len(row) < 2 {
		return 0, nil, fmt.Errorf("%w: %d bytes are too short", ErrCorrupt, len(row))
	}
	if row[0] != Version {
		return 0, nil, fmt.Errorf("%w: row format %d, this program reads %d", ErrCorrupt, row[0], Version)
	}
	n, used := binary.Uvarint(row[1:])
	if used <= 0 || len(row) < 1+used+4 {
		return 0, nil, fmt.Errorf("%w: no item after the header", ErrCorrupt)
	}
	return int(n), dynamo.Item(row[1+used:]), nil
}
