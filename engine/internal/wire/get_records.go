package wire

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

func readGetRecords(s *scanner) *dynamo.GetRecordsInput {
	in := &dynamo.GetRecordsInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "Limit":
			in.Limit = s.int32()
		case "ShardIterator":
			in.ShardIterator = s.text()
		default:
			s.skip()
		}
	}
	return in
}

func appendGetRecords(dst []byte, out *dynamo.GetRecordsOutput) []byte {
	dst, o := openObject(dst)
	if out.NextShardIterator != nil {
		dst = appendString(o.name(dst, "NextShardIterator"), *out.NextShardIterator)
	}
	dst = append(o.name(dst, "Records"), '[')
	for i := range out.Records {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendRecord(dst, &out.Records[i])
	}
	return append(dst, "]}"...)
}

// appendRecord appends a record. Its own members begin with a lower-case
// letter and nested members with a capital, like the service's.
func appendRecord(dst []byte, r *dynamo.Record) []byte {
	dst = append(dst, `{"awsRegion":`...)
	dst = appendString(dst, r.AwsRegion)
	dst = append(dst, `,"dynamodb":`...)
	dst = appendChange(dst, r)
	dst = append(dst, `,"eventID":`...)
	dst = appendString(dst, r.EventID)
	dst = append(dst, `,"eventName":`...)
	dst = appendString(dst, r.EventName)
	dst = append(dst, `,"eventSource":"`+dynamo.EventSource+`","eventVersion":"`+dynamo.EventVersion+`"`...)
	if r.ByService {
		dst = append(dst, `,"userIdentity":{"PrincipalId":"`+dynamo.ServicePrincipalID+`","Type":"`+dynamo.ServiceType+`"}`...)
	}
	return append(dst, '}')
}

// appendChange appends the part of a record about its item.
func appendChange(dst []byte, r *dynamo.Record) []byte {
	dst, o := openObject(dst)
	// The service returns whole seconds.
	dst = strconv.AppendInt(o.name(dst, "ApproximateCreationDateTime"), r.Created.Unix(), 10)
	dst = o.item(dst, "Keys", r.Keys)
	dst = o.item(dst, "NewImage", r.NewImage)
	dst = o.item(dst, "OldImage", r.OldImage)
	dst = appendString(o.name(dst, "SequenceNumber"), r.SequenceNumber)
	dst = strconv.AppendInt(o.name(dst, "SizeBytes"), r.SizeBytes, 10)
	dst = appendString(o.name(dst, "StreamViewType"), r.StreamViewType)
	return append(dst, '}')
}
