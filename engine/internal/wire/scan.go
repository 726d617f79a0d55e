package wire

import "sortkey.dev/engine/internal/dynamo"

func readScan(s *scanner) *dynamo.ScanInput {
	in := &dynamo.ScanInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ScanFilter":
			in.ScanFilter = s.conditions()
		case "Segment":
			in.Segment = s.int32()
		case "TotalSegments":
			in.TotalSegments = s.int32()
		default:
			s.pageParameter(name, &in.PageParameters)
		}
	}
	return in
}
