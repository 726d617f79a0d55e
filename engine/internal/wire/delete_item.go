package wire

import "sortkey.dev/engine/internal/dynamo"

func readDeleteItem(s *scanner) *dynamo.DeleteItemInput {
	in := &dynamo.DeleteItemInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ConditionExpression":
			in.ConditionExpression = s.text()
		case "ConditionalOperator":
			in.Legacy = s.legacy("ConditionalOperator", in.Legacy)
		case "Expected":
			in.Legacy = s.legacy("Expected", in.Legacy)
		case "ExpressionAttributeNames":
			in.Names = s.names()
		case "ExpressionAttributeValues":
			in.Values = s.values()
		case "Key":
			in.Key = s.item()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "ReturnItemCollectionMetrics":
			in.ReturnItemCollectionMetrics = s.choice()
		case "ReturnValues":
			in.ReturnValues = s.choice()
		case "ReturnValuesOnConditionCheckFailure":
			in.ReturnValuesOnConditionCheckFailure = s.choice()
		case "TableName":
			in.TableName = s.text()
		default:
			s.skip()
		}
	}
	return in
}

func appendDeleteItem(dst []byte, out *dynamo.DeleteItemOutput) []byte {
	dst, o := openObject(dst)
	dst = o.item(dst, "Attributes", out.Attributes)
	dst = o.capacity(dst, out.ConsumedCapacity)
	dst = o.metrics(dst, out.ItemCollectionMetrics)
	return append(dst, '}')
}
