package rowformat

import (
	"encoding/binary"
	"fmt"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

// A Change is one record of a stream: the change of one item. Images that the
// stream does not include are nil.
type Change struct {
	Kind      ChangeKind
	ByService bool // the item expired
	Time      time.Time
	Keys      dynamo.Item
	New, Old  dynamo.Item
}

// ChangeKind is the kind of a change.
type ChangeKind byte

// The kinds of changes. A closed shard ends with a ShardEnd, which is
// not a change of an item and has no field but Time.
const (
	Insert ChangeKind = 1 + iota
	Modify
	Remove
	ShardEnd
)

// The position of the time in a stored change.
const (
	changeTime   = 3
	changeHeader = changeTime + 8
)

const (
	changeByService = 1 << iota
	changeHasNew
	changeHasOld
)

// AppendChange appends the stored form of a change.
func AppendChange(dst []byte, c *Change) []byte {
	var flags byte
	if c.ByService {
		flags |= changeByService
	}
	if c.New != nil {
		flags |= changeHasNew
	}
	if c.Old != nil {
		flags |= changeHasOld
	}
	dst = append(dst, Version, byte(c.Kind), flags)
	dst = binary.BigEndian.AppendUint64(dst, uint64(c.Time.UnixMilli()))
	dst = appendImage(dst, c.Keys)
	if c.New != nil {
		dst = appendImage(dst, c.New)
	}
	if c.Old != nil {
		dst = appendImage(dst, c.Old)
	}
	return dst
}

// StampChange sets the time of a stored change.
func StampChange(b []byte, t time.Time) {
	binary.BigEndian.PutUint64(b[changeTime:changeHeader], uint64(t.UnixMilli()))
}

func appendImage(dst []byte, item dynamo.Item) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(item)))
	return append(dst, item...)
}

// ParseChange decodes a stored change. Its items share memory with b.
func ParseChange(b []byte) (c Change, err error) {
	if len(b) < changeHeader {
		return c, fmt.Errorf("%w: a change of %d bytes is too short", ErrCorrupt, len(b))
	}
	if b[0] != Version {
		return c, fmt.Errorf("%w: change format %d, this program reads %d", ErrCorrupt, b[0], Version)
	}
	c.Kind = ChangeKind(b[1])
	if c.Kind < Insert || c.Kind > ShardEnd {
		return c, fmt.Errorf("%w: change of kind %d", ErrCorrupt, b[1])
	}
	flags := b[2]
	c.ByService = flags&changeByService != 0
	c.Time = time.UnixMilli(int64(binary.BigEndian.Uint64(b[changeTime:])))
	rest := b[changeHeader:]
	if c.Keys, rest, err = parseImage(rest, true); err != nil {
		return c, err
	}
	if c.New, rest, err = parseImage(rest, flags&changeHasNew != 0); err != nil {
		return c, err
	}
	c.Old, _, err = parseImage(rest, flags&changeHasOld != 0)
	return c, err
}

func parseImage(b []byte, there bool) (item dynamo.Item, rest []byte, err error) {
	if !there {
		return nil, b, nil
	}
	n, used := binary.Uvarint(b)
	if used <= 0 || n > uint64(len(b)-used) {
		return nil, nil, fmt.Errorf("%w: a change ends in the middle of an item", ErrCorrupt)
	}
	end := used + int(n)
	return dynamo.Item(b[used:end:end]), b[end:], nil
}
