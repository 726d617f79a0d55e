package rowformat

import (
	"encoding/binary"
	"fmt"
	"time"
)

// A Token is the record of a transaction that was sent with a client request
// token: when it was committed, the fingerprint of its request, and the size by which each
// of its actions was charged.
type Token struct {
	Done        time.Time
	Fingerprint [32]byte
	Sizes       []int
}

// TokenKey returns the key of the row of a token. A generation is a period of time;
// tokens of a generation are removed together.
func TokenKey(generation uint32, token string) []byte {
	return append(tokenEdge(generation), token...)
}

// TokenSpan returns the span of the tokens of all earlier generations.
func TokenSpan(before uint32) (lo, hi []byte) { return tokenEdge(0), tokenEdge(before) }

// TokenGeneration returns the generation in the key of a token's row.
func TokenGeneration(key []byte) uint32 { return binary.BigEndian.Uint32(key[1:]) }

// MoveToken returns the key of a token's row in another generation.
func MoveToken(key []byte, generation uint32) []byte {
	return append(tokenEdge(generation), key[len(tokenEdge(0)):]...)
}

func tokenEdge(generation uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{tokenSpace}, generation)
}

// AppendToken appends the stored form of a token.
func AppendToken(dst []byte, t *Token) []byte {
	dst = append(dst, Version)
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.Done.UnixMilli()))
	dst = append(dst, t.Fingerprint[:]...)
	for _, size := range t.Sizes {
		dst = binary.AppendUvarint(dst, uint64(size))
	}
	return dst
}

// ParseToken decodes a stored token.
func ParseToken(b []byte) (t Token, err error) {
	header := 1 + 8 + len(t.Fingerprint)
	if len(b) < header || b[0] != Version {
		return t, fmt.Errorf("%w: a token of %d bytes", ErrCorrupt, len(b))
	}
	t.Done = time.UnixMilli(int64(binary.BigEndian.Uint64(b[1:])))
	copy(t.Fingerprint[:], b[9:])
	for b = b[header:]; len(b) > 0; {
		size, used := binary.Uvarint(b)
		if used <= 0 {
			return t, fmt.Errorf("%w: a token ends in the middle of a size", ErrCorrupt)
		}
		t.Sizes = append(t.Sizes, int(size))
		b = b[used:]
	}
	return t, nil
}
