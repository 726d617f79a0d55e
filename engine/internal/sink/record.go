package sink

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/rowformat"
	"sortkey.dev/engine/internal/wire"
)

var eventNames = map[rowformat.ChangeKind]string{
	rowformat.Insert: dynamo.EventInsert,
	rowformat.Modify: dynamo.EventModify,
	rowformat.Remove: dynamo.EventRemove,
}

// appendRecord appends a change as DynamoDB writes it to a Kinesis data stream, and a newline.
func appendRecord(dst []byte, region string, sink catalog.Sink, sequence uint64, c *rowformat.Change) []byte {
	dst = append(dst, `{"awsRegion":`...)
	dst = wire.AppendString(dst, region)
	dst = append(dst, `,"eventID":"`+eventID(sink.Log, sequence)+`","eventName":"`+eventNames[c.Kind]+`","userIdentity":`...)
	if c.ByService {
		dst = append(dst, `{"principalId":"`+dynamo.ServicePrincipalID+`","type":"`+dynamo.ServiceType+`"}`...)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"recordFormat":"application/json","tableName":`...)
	dst = wire.AppendString(dst, sink.Table)
	dst = append(dst, `,"dynamodb":{"ApproximateCreationDateTime":`...)
	if sink.Precision == dynamo.PrecisionMicrosecond {
		dst = strconv.AppendInt(dst, c.Time.UnixMicro(), 10)
		dst = append(dst, `,"ApproximateCreationDateTimePrecision":"`+dynamo.PrecisionMicrosecond+`"`...)
	} else {
		dst = strconv.AppendInt(dst, c.Time.UnixMilli(), 10)
	}
	size := c.Keys.Size()
	dst = append(dst, `,"Keys":`...)
	dst = wire.AppendItem(dst, c.Keys)
	if c.New != nil {
		size += c.New.Size()
		dst = append(dst, `,"NewImage":`...)
		dst = wire.AppendItem(dst, c.New)
	}
	if c.Old != nil {
		size += c.Old.Size()
		dst = append(dst, `,"OldImage":`...)
		dst = wire.AppendItem(dst, c.Old)
	}
	dst = append(dst, `,"SizeBytes":`...)
	dst = strconv.AppendInt(dst, int64(size), 10)
	return append(dst, `},"eventSource":"`+dynamo.EventSource+"\"}\n"...)
}

// eventID returns the id of a record. A record that is delivered twice keeps its id.
func eventID(log uint32, sequence uint64) string {
	b := binary.BigEndian.AppendUint32([]byte("kinesis"), log)
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(b, sequence))
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
