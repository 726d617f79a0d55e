package wire

import (
	"bytes"

	"sortkey.dev/engine/internal/dynamo"
)

// ReadBulkLine decodes one line of the input of a bulk operation: an object with an Item and,
// optionally, a ConditionExpression with its names and values. The result shares no memory with line.
func ReadBulkLine(line []byte) (*dynamo.BulkLine, error) {
	s := &scanner{}
	s.start(line)
	s.encoder.Grow(len(line))
	in := &dynamo.BulkLine{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "Item":
			in.Item = s.item()
		case "ConditionExpression":
			in.ConditionExpression = s.text()
		case "ExpressionAttributeNames":
			in.Names = s.names()
		case "ExpressionAttributeValues":
			in.Values = s.values()
		default:
			s.fail(serialization("Unknown member " + string(bytes.ToValidUTF8(name, []byte("?")))))
		}
	}
	if err := s.finish(); err != nil {
		if s.err == errNotJSON {
			return nil, serialization("The line is no JSON object")
		}
		return nil, err
	}
	if in.Item.Item == nil {
		return nil, serialization("The line has no Item")
	}
	return in, nil
}
