package wire

import "sortkey.dev/engine/internal/dynamo"

var (
	transactReadType = elementType("TransactGetItem")
	transactGetType  = fieldType("Get")
)

func readTransactGetItems(s *scanner) *dynamo.TransactGetItemsInput {
	in := &dynamo.TransactGetItemsInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "TransactItems":
			in.TransactItems = readTransactReads(s)
		default:
			s.skip()
		}
	}
	return in
}

func readTransactReads(s *scanner) []dynamo.TransactGetItem {
	if s.null() {
		return nil
	}
	reads := []dynamo.TransactGetItem{}
	for more := s.firstElement(listType); more; more = s.nextElement() {
		reads = appendBounded(reads, readTransactRead(s))
	}
	return reads
}

func readTransactRead(s *scanner) (read dynamo.TransactGetItem) {
	if s.null() {
		return read
	}
	for name, more := s.firstMember(transactReadType); more; name, more = s.nextMember() {
		if string(name) == "Get" {
			read.Get = readTransactGet(s)
		} else {
			s.skip()
		}
	}
	return read
}

func readTransactGet(s *scanner) *dynamo.TransactGet {
	if s.null() {
		return nil
	}
	in := &dynamo.TransactGet{}
	for name, more := s.firstMember(transactGetType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ExpressionAttributeNames":
			in.Names = s.names()
		case "Key":
			in.Key = s.item()
		case "ProjectionExpression":
			in.ProjectionExpression = s.text()
		case "TableName":
			in.TableName = s.tableName()
		default:
			s.skip()
		}
	}
	return in
}

func appendTransactGetItems(dst []byte, out *dynamo.TransactGetItemsOutput) []byte {
	defer out.Release()
	dst, o := openObject(dst)
	dst = o.capacities(dst, out.ConsumedCapacity)
	return append(appendResponses(o.name(dst, "Responses"), out.Responses), '}')
}

// appendResponses appends the items of the reads of a transaction.
func appendResponses(dst []byte, items []dynamo.Item) []byte {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		var response object
		dst, response = openObject(dst)
		dst = append(response.item(dst, "Item", item), '}')
	}
	return append(dst, ']')
}
