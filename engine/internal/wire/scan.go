package wire

import "sortkey.dev/engine/internal/dynamo"

func readScan(s *scanner) *dynamo.ScanInput {
	in := &dynamo.ScanInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "AttributesToGet":
			in.Legacy = s.legacy("AttributesToGet", in.Legacy)
		case "ConditionalOperator":
			in.Legacy = s.legacy("ConditionalOperator", in.Legacy)
		case "ConsistentRead":
			in.ConsistentRead = s.flag()
		case "ExclusiveStartKey":
			in.ExclusiveStartKey = s.item()
		case "ExpressionAttributeNames":
			in.Names = s.names()
		case "ExpressionAttributeValues":
			in.Values = s.values()
		case "FilterExpression":
			in.FilterExpression = s.text()
		case "IndexName":
			in.IndexName = s.text()
		case "Limit":
			in.Limit = s.int32()
		case "ProjectionExpression":
			in.ProjectionExpression = s.text()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "ScanFilter":
			in.Legacy = s.legacy("ScanFilter", in.Legacy)
		case "Segment":
			in.Segment = s.int32()
		case "Select":
			in.Select = s.choice()
		case "TableName":
			in.TableName = s.text()
		case "TotalSegments":
			in.TotalSegments = s.int32()
		default:
			s.skip()
		}
	}
	return in
}
