package wire

import "sortkey.dev/engine/internal/dynamo"

func readUpdateItem(s *scanner) *dynamo.UpdateItemInput {
	in := &dynamo.UpdateItemInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "AttributeUpdates":
			in.AttributeUpdates = s.attributeUpdates()
		case "Key":
			in.Key = s.item()
		case "UpdateExpression":
			in.UpdateExpression = s.text()
		default:
			s.writeParameter(name, &in.WriteParameters)
		}
	}
	return in
}
