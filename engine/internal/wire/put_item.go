package wire

import "sortkey.dev/engine/internal/dynamo"

func readPutItem(s *scanner) *dynamo.PutItemInput {
	in := &dynamo.PutItemInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "Item":
			in.Item = s.item()
		default:
			s.writeParameter(name, &in.WriteParameters)
		}
	}
	return in
}
