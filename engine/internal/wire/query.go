package wire

import "sortkey.dev/engine/internal/dynamo"

func readQuery(s *scanner) *dynamo.QueryInput {
	in := &dynamo.QueryInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "KeyConditionExpression":
			in.KeyConditionExpression = s.text()
		case "KeyConditions":
			in.KeyConditions = s.conditions()
		case "QueryFilter":
			in.QueryFilter = s.conditions()
		case "ScanIndexForward":
			in.ScanIndexForward = s.flag()
		default:
			s.pageParameter(name, &in.PageParameters)
		}
	}
	return in
}
