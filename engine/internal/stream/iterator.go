package stream

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

// iteratorLifetime is the lifetime of an iterator.
const iteratorLifetime = 15 * time.Minute

// An iterator is a position in a shard. Clients keep it as a string:
//
//	<stream ARN>|1|<base64url of the rest>
//
// The rest is a version, the log, the position, the millisecond of issue and a
// checksum over all of that and the ARN, numbers in big endian. The checksum rejects
// iterators that were not issued here. It does not prevent forgery, which gains nothing:
// a client can request any iterator.
type iterator struct {
	stream string // its ARN
	log    uint32
	from   position
	issued time.Time
}

// A position is the lowest sequence number that is still to be read.
type position uint64

// oldest is the position of the oldest record at the time of the read.
const oldest position = 0

const (
	iteratorVersion = 1
	iteratorMark    = "|1|"
	iteratorBody    = 1 + 4 + 8 + 8
	iteratorSize    = iteratorBody + 4
)

var (
	iteratorText     = base64.RawURLEncoding.Strict()
	iteratorChecksum = crc32.MakeTable(crc32.Castagnoli)
)

func (it iterator) String() string {
	b := make([]byte, 0, iteratorSize)
	b = append(b, iteratorVersion)
	b = binary.BigEndian.AppendUint32(b, it.log)
	b = binary.BigEndian.AppendUint64(b, uint64(it.from))
	b = binary.BigEndian.AppendUint64(b, uint64(it.issued.UnixMilli()))
	b = binary.BigEndian.AppendUint32(b, it.checksum(b))
	return it.stream + iteratorMark + iteratorText.EncodeToString(b)
}

func (it iterator) checksum(body []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(it.stream), iteratorChecksum), iteratorChecksum, body)
}

// parseIterator decodes an iterator, which may be any string.
func parseIterator(text string) (it iterator, ok bool) {
	arn, rest, found := strings.Cut(text, iteratorMark)
	if !found || len(rest) != iteratorText.EncodedLen(iteratorSize) {
		return it, false
	}
	b, err := iteratorText.DecodeString(rest)
	if err != nil || len(b) != iteratorSize || b[0] != iteratorVersion {
		return it, false
	}
	it = iterator{
		stream: arn,
		log:    binary.BigEndian.Uint32(b[1:]),
		from:   position(binary.BigEndian.Uint64(b[5:])),
		issued: time.UnixMilli(int64(binary.BigEndian.Uint64(b[13:]))),
	}
	return it, binary.BigEndian.Uint32(b[iteratorBody:]) == it.checksum(b[:iteratorBody])
}

// openIterator decodes an iterator that a client sent and checks its age.
func openIterator(text string, now time.Time) (iterator, error) {
	it, ok := parseIterator(text)
	switch {
	case !ok:
		return it, dynamo.Invalid("Invalid ShardIterator")
	case now.Sub(it.issued) > iteratorLifetime:
		return it, dynamo.Errorf(dynamo.ExpiredIterator, "The provided iterator exceeds the maximum age allowed.")
	}
	return it, nil
}
