package rowformat

import "encoding/binary"

// Tables whose items expire have a path with one row for each item with an
// expiry time: the path, that time, and the key of the item's row without its
// own path. So the due items are one range.

const (
	pathSize   = 1 + 4 + 2
	secondSize = 8
)

// AppendExpiry appends the key of the expiry row of the item whose row has the key item.
func AppendExpiry(dst []byte, p Path, second uint64, item []byte) []byte {
	return append(expiryEdge(dst, p, second), item[pathSize:]...)
}

// ExpirySpan returns the span of the expiry rows from one second up to, but not including, another.
func ExpirySpan(p Path, from, to uint64) (lo, hi []byte) {
	return expiryEdge(nil, p, from), expiryEdge(nil, p, to)
}

func expiryEdge(dst []byte, p Path, second uint64) []byte {
	return binary.BigEndian.AppendUint64(AppendPath(dst, p), second)
}

// ExpiringItem returns the key of the row of the item of table that an expiry row
// refers to.
func ExpiringItem(table uint32, expiry []byte) []byte {
	return append(AppendPath(nil, Path{Table: table}), expiry[pathSize+secondSize:]...)
}

// PartitionHash returns the hash of the partition key in the key of a row.
func PartitionHash(row []byte) uint32 { return binary.BigEndian.Uint32(row[pathSize:]) }
