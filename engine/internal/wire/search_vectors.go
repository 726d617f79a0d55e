package wire

import (
	"bytes"
	"fmt"
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// readSearchVectors decodes the input of SearchVectors. The service decodes it with
// another deserialiser than those of the other operations, whose messages mention Rust
// instead of Java: required members must not be null.
func readSearchVectors(s *scanner) *dynamo.SearchVectorsInput {
	in := &dynamo.SearchVectorsInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ExpressionAttributeNames":
			in.Names = s.names()
		case "ExpressionAttributeValues":
			in.Values = s.values()
		case "IndexName":
			s.refuseNull("a string")
			in.IndexName = s.text()
		case "ProjectionExpression":
			in.ProjectionExpression = s.text()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "SearchConditionExpression":
			in.SearchConditionExpression = s.text()
		case "SearchVector":
			s.refuseNull("a sequence")
			in.SearchVector = s.vector()
		case "TableName":
			s.refuseNull("a string")
			in.TableName = s.tableName()
		case "TopK":
			s.refuseNull("i32")
			in.TopK = s.int32()
		default:
			s.skip()
		}
	}
	s.requireMembers(in)
	return in
}

// refuseNull fails if null follows where it is not allowed.
func (s *scanner) refuseNull(expected string) {
	if s.null() {
		s.fail(serialization("invalid type: null, expected " + expected + s.place()))
	}
}

// requireMembers fails if a required member is missing in the decoded input.
func (s *scanner) requireMembers(in *dynamo.SearchVectorsInput) {
	for _, member := range []struct {
		name string
		sent bool
	}{
		{"TableName", in.TableName != nil},
		{"IndexName", in.IndexName != nil},
		{"SearchVector", in.SearchVector.List != nil},
		{"TopK", in.TopK != nil},
	} {
		if !member.sent && s.err == nil {
			s.fail(dynamo.Invalid("missing field `%s`%s", member.name, s.place()))
		}
	}
}

// place formats the position of the scanner.
func (s *scanner) place() string {
	read := s.src[:s.pos]
	return fmt.Sprintf(" at line %d column %d", bytes.Count(read, []byte{'\n'})+1, len(read)-bytes.LastIndexByte(read, '\n')-1)
}

// vector decodes a list of attribute values that is not null.
func (s *scanner) vector() dynamo.RawVector {
	s.fault, s.repeated = nil, false
	start := s.encoder.Mark()
	s.list(&s.encoder, 0)
	raw := dynamo.RawVector{List: s.encoder.Value(start), Fault: s.fault}
	s.encoder.Reset()
	return raw
}

func appendSearchVectors(dst []byte, out *dynamo.SearchVectorsOutput) []byte {
	dst, o := openObject(dst)
	if c := out.ConsumedCapacity; c != nil {
		dst = append(o.name(dst, "ConsumedCapacity"), `{"VectorSearchRequestBytes":`...)
		dst = append(appendUnits(dst, c.SearchBytes), '}')
	}
	dst = append(o.name(dst, "SearchResults"), '[')
	for i, r := range out.SearchResults {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendItem(append(dst, `{"Item":`...), r.Item)
		dst = strconv.AppendFloat(append(dst, `,"Score":`...), r.Score, 'g', -1, 64)
		dst = append(dst, '}')
	}
	return append(dst, "]}"...)
}
