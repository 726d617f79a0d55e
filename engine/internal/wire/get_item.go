package wire

import "sortkey.dev/engine/internal/dynamo"

func readGetItem(s *scanner) *dynamo.GetItemInput {
	in := &dynamo.GetItemInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "AttributesToGet":
			in.AttributesToGet = s.texts()
		case "ConsistentRead":
			in.ConsistentRead = s.flag()
		case "ExpressionAttributeNames":
			in.Names = s.names()
		case "Key":
			in.Key = s.item()
		case "ProjectionExpression":
			in.ProjectionExpression = s.text()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "TableName":
			in.TableName = s.tableName()
		default:
			s.skip()
		}
	}
	return in
}

func appendGetItem(dst []byte, out *dynamo.GetItemOutput) []byte {
	defer out.Release()
	dst, o := openObject(dst)
	dst = o.capacity(dst, out.ConsumedCapacity)
	dst = o.item(dst, "Item", out.Item)
	return append(dst, '}')
}
