package stream

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/engine/internal/catalog"
)

const shardPrefix = "shardId-"

// shardID returns the id of a shard: the millisecond of its creation, and its log.
func shardID(shard catalog.Shard) string {
	return fmt.Sprintf("%s%020d-%08x", shardPrefix, shard.Created.UnixMilli(), shard.Log)
}

// findShard returns the shard of a stream with an id.
func findShard(stream *catalog.Stream, id string) (catalog.Shard, error) {
	log, err := strconv.ParseUint(id[strings.LastIndexByte(id, '-')+1:], 16, 32)
	if err != nil {
		return catalog.Shard{}, shardNotFound()
	}
	shard, found := stream.Shard(uint32(log))
	if !found || shardID(shard) != id {
		return catalog.Shard{}, shardNotFound()
	}
	return shard, nil
}

// A sequence number identifies a record of any shard: a 1, then the log with 10
// digits, then the sequence in the log with 20. A shard's log is greater than
// that of its parent, so numbers grow from parents to children.
//
// A shard begins at sequence 0, which no record has: reading from it and reading
// after it give the same records.
const (
	logDigits      = 10
	sequenceDigits = 20
	numberDigits   = 1 + logDigits + sequenceDigits
)

func sequenceNumber(log uint32, sequence uint64) string {
	return string(appendNumber(make([]byte, 0, numberDigits), log, sequence))
}

func appendNumber(dst []byte, log uint32, sequence uint64) []byte {
	dst = append(dst, '1')
	dst = appendDigits(dst, uint64(log), logDigits)
	return appendDigits(dst, sequence, sequenceDigits)
}

// appendDigits appends n in a fixed width.
func appendDigits(dst []byte, n uint64, width int) []byte {
	end := len(dst) + width
	for range width {
		dst = append(dst, '0')
	}
	for i := end - 1; n > 0; i-- {
		dst[i] = byte('0' + n%10)
		n /= 10
	}
	return dst
}

// parseNumber parses a sequence number.
func parseNumber(text string) (log uint32, sequence uint64, ok bool) {
	if len(text) != numberDigits || text[0] != '1' {
		return 0, 0, false
	}
	l, err := strconv.ParseUint(text[1:1+logDigits], 10, 32)
	if err != nil {
		return 0, 0, false
	}
	sequence, err = strconv.ParseUint(text[1+logDigits:], 10, 64)
	return uint32(l), sequence, err == nil
}
