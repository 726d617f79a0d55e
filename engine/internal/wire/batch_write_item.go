package wire

import "sortkey.dev/engine/internal/dynamo"

var (
	writesByTableType = mapType("java.util.List<" + model + "WriteRequest>")
	writesOfTableType = listType.nested()
	writeRequestType  = elementType("WriteRequest")
	putRequestType    = fieldType("PutRequest")
	deleteRequestType = fieldType("DeleteRequest")
)

func readBatchWriteItem(s *scanner) *dynamo.BatchWriteItemInput {
	in := &dynamo.BatchWriteItemInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "RequestItems":
			in.RequestItems = readWritesByTable(s)
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "ReturnItemCollectionMetrics":
			in.ReturnItemCollectionMetrics = s.choice()
		default:
			s.skip()
		}
	}
	return in
}

func readWritesByTable(s *scanner) []dynamo.TableWrites {
	if s.null() {
		return nil
	}
	tables := []dynamo.TableWrites{}
	places := map[string]int{} // the last of repeated entries for a table counts
	for name, more := s.firstMember(writesByTableType); more; name, more = s.nextMember() {
		writes := dynamo.TableWrites{TableName: string(name)}
		writes.Requests = readWrites(s)
		if i, repeated := places[writes.TableName]; repeated {
			tables[i] = writes
			continue
		}
		if len(tables) < maxElements {
			places[writes.TableName] = len(tables)
			tables = append(tables, writes)
		}
	}
	return tables
}

func readWrites(s *scanner) []dynamo.WriteRequest {
	if s.null() {
		return nil
	}
	requests := []dynamo.WriteRequest{}
	for more := s.firstElement(writesOfTableType); more; more = s.nextElement() {
		requests = appendBounded(requests, readWrite(s))
	}
	return requests
}

func readWrite(s *scanner) (request dynamo.WriteRequest) {
	if s.null() {
		return request
	}
	for name, more := s.firstMember(writeRequestType); more; name, more = s.nextMember() {
		switch string(name) {
		case "DeleteRequest":
			request.Delete = readWriteItem(s, deleteRequestType, "Key")
		case "PutRequest":
			request.Put = readWriteItem(s, putRequestType, "Item")
		default:
			s.skip()
		}
	}
	return request
}

// readWriteItem decodes a PutRequest or DeleteRequest, which have one member each.
func readWriteItem(s *scanner, t *javaType, member string) *dynamo.RawItem {
	if s.null() {
		return nil
	}
	raw := &dynamo.RawItem{}
	for name, more := s.firstMember(t); more; name, more = s.nextMember() {
		if string(name) == member {
			*raw = s.item()
		} else {
			s.skip()
		}
	}
	return raw
}

func appendBatchWriteItem(dst []byte, out *dynamo.BatchWriteItemOutput) []byte {
	dst, o := openObject(dst)
	dst = o.capacities(dst, out.ConsumedCapacity)
	dst = o.metricsByTable(dst, out.ItemCollectionMetrics)
	dst = append(o.name(dst, "UnprocessedItems"), '{')
	for i, table := range out.UnprocessedItems {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, table.TableName), ':')
		dst = appendWrites(dst, table.Requests)
	}
	return append(dst, "}}"...)
}

// appendWrites appends writes in the form of a request, so that they can be sent again.
func appendWrites(dst []byte, requests []dynamo.WriteRequest) []byte {
	dst = append(dst, '[')
	for i, request := range requests {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		if request.Put != nil {
			dst = append(dst, `"PutRequest":{"Item":`...)
			dst = append(appendItem(dst, request.Put.Item), '}')
		} else if request.Delete != nil {
			dst = append(dst, `"DeleteRequest":{"Key":`...)
			dst = append(appendItem(dst, request.Delete.Item), '}')
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
