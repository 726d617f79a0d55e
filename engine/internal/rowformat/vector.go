package rowformat

import (
	"encoding/binary"
	"fmt"

	"sortkey.dev/engine/internal/dynamo"
)

// AppendVectorRow appends the stored form of an entry of a vector index: the format
// version, the size of the entry as DynamoDB counts it, the length of the stored
// vector, the vector, and the other projected attributes of the item.
func AppendVectorRow(dst []byte, size int, vector []byte, item dynamo.Item) []byte {
	dst = append(dst, Version)
	dst = binary.AppendUvarint(dst, uint64(size))
	dst = binary.AppendUvarint(dst, uint64(len(vector)))
	dst = append(dst, vector...)
	return append(dst, item...)
}

// ParseVectorRow decodes an entry of a vector index. The results share memory with row.
func ParseVectorRow(row []byte) (size int, vector []byte, item dynamo.Item, err error) {
	size, rest, err := ParseRow(row)
	if err != nil {
		return 0, nil, nil, err
	}
	n, used := binary.Uvarint(rest)
	if used <= 0 || n > uint64(len(rest)-used) || len(rest)-used-int(n) < 4 {
		return 0, nil, nil, fmt.Errorf("%w: no vector after the header", ErrCorrupt)
	}
	end := used + int(n)
	return size, rest[used:end:end], rest[end:], nil
}
