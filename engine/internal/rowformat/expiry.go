package rowformat

import "encoding/binary"

// Tables whose items expire have a path with one row for each item that has a
// time to expire: the path, that time, and the key of the item's row without its
// own path. So the items that are due are one range.

const (
	pathSize   = 1 + 4 + 2
	secondSize = 8
)

// AppendExpiry appends the key of the expiry row of the item whose row has the key item.
func AppendExpiry(dst []byte, p Path, second uint64, item []byte) []byte {
	return append(expiryEdge(dst, p, second), item[pathSize:]...)
}

// ExpirySpan is the span of the expiry rows from a second up to, and without, another.
func ExpirySpan(p Path, from, to uint64) (lo, hi []byte) {
	return expiryEdge(nil, p, from), expiryEdge(nil, p, to)
}

func expiryEdge(dst []byte, p Path, second uint64) []byte {
	return binary.BigEndian.AppendUint64(AppendPath(dst, p), second)
}

// ExpiringItem is the key of the row of the item of table that an expiry row
// stands for.
func ExpiringItem(table uint32, expiry []byte) []byte {
	return append(AppendPath(nil, Path{Table: table}), expiry[pathSize+secondSize:]...)
}

// PartitionHash is the hash of the partition key in the key of a row.
func PartitionHash(row []byte) uint32 { return binary.BigEndian.Uint32(row[pathSize:]) }
