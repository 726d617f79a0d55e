package stream

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/rowformat"
)

var eventNames = map[rowformat.ChangeKind]string{
	rowformat.Insert: dynamo.EventInsert,
	rowformat.Modify: dynamo.EventModify,
	rowformat.Remove: dynamo.EventRemove,
}

// record returns a change as the stream shows it.
func (r *pageReader) record(sequence uint64, size int64, c *rowformat.Change) dynamo.Record {
	var names [2*eventIDSize + numberDigits]byte
	text := string(appendNumber(appendEventID(names[:0], r.stream.ARN, r.log, sequence), r.log, sequence))
	return dynamo.Record{
		EventID:        text[:2*eventIDSize],
		EventName:      eventNames[c.Kind],
		AwsRegion:      r.region,
		Created:        c.Time.UTC().Truncate(time.Second),
		Keys:           c.Keys,
		NewImage:       c.New,
		OldImage:       c.Old,
		SequenceNumber: text[2*eventIDSize:],
		SizeBytes:      size,
		StreamViewType: r.stream.View,
		ByService:      c.ByService,
	}
}

// sizeOf returns the size of the images and keys in a record.
func sizeOf(c *rowformat.Change) int64 {
	size := c.Keys.Size()
	if c.New != nil {
		size += c.New.Size()
	}
	if c.Old != nil {
		size += c.Old.Size()
	}
	return int64(size)
}

const eventIDSize = 16 // in bytes; the text has two digits for each

// appendEventID appends the id of a record. It is the same for every read of the record, and
// unique.
func appendEventID(dst []byte, stream string, log uint32, sequence uint64) []byte {
	b := make([]byte, 0, 512)
	b = append(b, stream...)
	b = binary.BigEndian.AppendUint32(b, log)
	b = binary.BigEndian.AppendUint64(b, sequence)
	sum := sha256.Sum256(b)
	return hex.AppendEncode(dst, sum[:eventIDSize])
}
