package wire

import "sortkey.dev/engine/internal/dynamo"

var (
	transactWriteType  = elementType("TransactWriteItem")
	conditionCheckType = fieldType("ConditionCheck")
	transactDeleteType = fieldType("Delete")
	transactPutType    = fieldType("Put")
	transactUpdateType = fieldType("Update")
)

func readTransactWriteItems(s *scanner) *dynamo.TransactWriteItemsInput {
	in := &dynamo.TransactWriteItemsInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ClientRequestToken":
			in.ClientRequestToken = s.text()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "ReturnItemCollectionMetrics":
			in.ReturnItemCollectionMetrics = s.choice()
		case "TransactItems":
			in.TransactItems = readTransactWrites(s)
		default:
			s.skip()
		}
	}
	return in
}

func readTransactWrites(s *scanner) []dynamo.TransactWriteItem {
	if s.null() {
		return nil
	}
	writes := []dynamo.TransactWriteItem{}
	for more := s.firstElement(listType); more; more = s.nextElement() {
		writes = appendBounded(writes, readTransactWrite(s))
	}
	return writes
}

func readTransactWrite(s *scanner) (write dynamo.TransactWriteItem) {
	if s.null() {
		return write
	}
	for name, more := s.firstMember(transactWriteType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ConditionCheck":
			write.ConditionCheck = readTransactAction(s, conditionCheckType)
		case "Delete":
			write.Delete = readTransactAction(s, transactDeleteType)
		case "Put":
			write.Put = readTransactAction(s, transactPutType)
		case "Update":
			write.Update = readTransactAction(s, transactUpdateType)
		default:
			s.skip()
		}
	}
	return write
}

// readTransactAction decodes an action of one of the four types. They share most
// members: a put has an item where the others have a key, and only an update
// has an update expression.
func readTransactAction(s *scanner, t *javaType) *dynamo.TransactAction {
	if s.null() {
		return nil
	}
	subject := "Key"
	if t == transactPutType {
		subject = "Item"
	}
	in := &dynamo.TransactAction{}
	for name, more := s.firstMember(t); more; name, more = s.nextMember() {
		switch {
		case string(name) == subject:
			in.Subject = s.item()
		case string(name) == "UpdateExpression" && t == transactUpdateType:
			in.UpdateExpression = s.text()
		default:
			s.transactParameter(name, in)
		}
	}
	return in
}

// transactParameter decodes a member that all actions share. It skips an unknown
// one.
func (s *scanner) transactParameter(name []byte, in *dynamo.TransactAction) {
	switch string(name) {
	case "ConditionExpression":
		in.ConditionExpression = s.text()
	case "ExpressionAttributeNames":
		in.Names = s.names()
	case "ExpressionAttributeValues":
		in.Values = s.valuesAt(dynamo.TransactValueLevel)
	case "ReturnValuesOnConditionCheckFailure":
		in.ReturnValuesOnConditionCheckFailure = s.choice()
	case "TableName":
		in.TableName = s.tableName()
	default:
		s.skip()
	}
}

func appendTransactWriteItems(dst []byte, out *dynamo.TransactWriteItemsOutput) []byte {
	dst, o := openObject(dst)
	dst = o.capacities(dst, out.ConsumedCapacity)
	dst = o.metricsByTable(dst, out.ItemCollectionMetrics)
	return append(dst, '}')
}
