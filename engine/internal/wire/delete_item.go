package wire

import "sortkey.dev/engine/internal/dynamo"

func readDeleteItem(s *scanner) *dynamo.DeleteItemInput {
	in := &dynamo.DeleteItemInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "Key":
			in.Key = s.item()
		default:
			s.writeParameter(name, &in.WriteParameters)
		}
	}
	return in
}
