package wire

import "sortkey.dev/engine/internal/dynamo"

var batchStatementType = elementType("BatchStatementRequest")

func readBatchExecuteStatement(s *scanner) *dynamo.BatchExecuteStatementInput {
	in := &dynamo.BatchExecuteStatementInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "Statements":
			in.Statements = s.statements(batchStatementType)
		default:
			s.skip()
		}
	}
	return in
}

// statements decodes the statements of a batch or a transaction; nil for null.
func (s *scanner) statements(t *javaType) []dynamo.BatchStatement {
	if s.null() {
		return nil
	}
	list := []dynamo.BatchStatement{}
	for more := s.firstElement(listType); more; more = s.nextElement() {
		list = appendBounded(list, s.statement(t))
	}
	return list
}

func (s *scanner) statement(t *javaType) (in dynamo.BatchStatement) {
	if s.null() {
		return in
	}
	for name, more := s.firstMember(t); more; name, more = s.nextMember() {
		switch {
		case string(name) == "ConsistentRead" && t == batchStatementType:
			in.ConsistentRead = s.flag()
		case string(name) == "Parameters":
			in.Parameters = s.parameters()
		case string(name) == "ReturnValuesOnConditionCheckFailure":
			in.ReturnValuesOnConditionCheckFailure = s.choice()
		case string(name) == "Statement":
			in.Statement = s.text()
		default:
			s.skip()
		}
	}
	return in
}

func appendBatchExecuteStatement(dst []byte, out *dynamo.BatchExecuteStatementOutput) []byte {
	defer out.Release()
	dst, o := openObject(dst)
	dst = o.capacities(dst, out.ConsumedCapacity)
	dst = append(o.name(dst, "Responses"), '[')
	for i := range out.Responses {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendBatchResponse(dst, &out.Responses[i])
	}
	return append(dst, "]}"...)
}

func appendBatchResponse(dst []byte, r *dynamo.BatchStatementResponse) []byte {
	dst, o := openObject(dst)
	if r.Error != nil {
		dst = append(o.name(dst, "Error"), `{"Code":`...)
		dst = appendString(dst, r.Error.Code)
		dst = append(dst, `,"Message":`...)
		dst = append(appendMessage(dst, r.Error.Message), '}')
	}
	dst = o.item(dst, "Item", r.Item)
	if r.TableName != "" {
		dst = appendString(o.name(dst, "TableName"), r.TableName)
	}
	return append(dst, '}')
}
