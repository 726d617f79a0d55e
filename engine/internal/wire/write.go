package wire

import "sortkey.dev/engine/internal/dynamo"

// writeParameter decodes a member that PutItem, DeleteItem and UpdateItem share.
// It skips an unknown one.
func (s *scanner) writeParameter(name []byte, in *dynamo.WriteParameters) {
	switch string(name) {
	case "ConditionExpression":
		in.ConditionExpression = s.text()
	case "ConditionalOperator":
		in.ConditionalOperator = s.choice()
	case "Expected":
		in.Expected = s.expected()
	case "ExpressionAttributeNames":
		in.Names = s.names()
	case "ExpressionAttributeValues":
		in.Values = s.values()
	case "ReturnConsumedCapacity":
		in.ReturnConsumedCapacity = s.choice()
	case "ReturnItemCollectionMetrics":
		in.ReturnItemCollectionMetrics = s.choice()
	case "ReturnValues":
		in.ReturnValues = s.choice()
	case "ReturnValuesOnConditionCheckFailure":
		in.ReturnValuesOnConditionCheckFailure = s.choice()
	case "TableName":
		in.TableName = s.tableName()
	default:
		s.skip()
	}
}

// appendWrite appends the response of PutItem, DeleteItem or UpdateItem.
func appendWrite(dst []byte, out *dynamo.WriteOutput) []byte {
	dst, o := openObject(dst)
	dst = o.item(dst, "Attributes", out.Attributes)
	dst = o.capacity(dst, out.ConsumedCapacity)
	dst = o.metrics(dst, out.ItemCollectionMetrics)
	return append(dst, '}')
}
