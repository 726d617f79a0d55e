package wire

import "sortkey.dev/engine/internal/dynamo"

func readExecuteStatement(s *scanner) *dynamo.ExecuteStatementInput {
	in := &dynamo.ExecuteStatementInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ConsistentRead":
			in.ConsistentRead = s.flag()
		case "Limit":
			in.Limit = s.int32()
		case "NextToken":
			in.NextToken = s.text()
		case "Parameters":
			in.Parameters = s.parameters()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "ReturnValuesOnConditionCheckFailure":
			in.ReturnValuesOnConditionCheckFailure = s.choice()
		case "Statement":
			in.Statement = s.text()
		default:
			s.skip()
		}
	}
	return in
}

// parameters decodes the parameters of a statement; without values for null.
func (s *scanner) parameters() (raw dynamo.RawParameters) {
	if s.null() {
		return raw
	}
	s.fault, s.repeated = nil, false
	raw.Values = []dynamo.Value{}
	e := &s.encoder
	for more := s.firstElement(listType); more; more = s.nextElement() {
		start := e.Mark()
		s.value(e, 1)
		value := e.Value(start)
		if s.repeated {
			value, s.repeated = withoutRepeatsInValue(value), false
		}
		raw.Values = appendBounded(raw.Values, value)
	}
	raw.Fault = s.fault
	e.Reset()
	return raw
}

func appendExecuteStatement(dst []byte, out *dynamo.ExecuteStatementOutput) []byte {
	defer out.Release()
	dst, o := openObject(dst)
	dst = o.capacity(dst, out.ConsumedCapacity)
	dst = appendItems(o.name(dst, "Items"), out.Items)
	dst = o.item(dst, "LastEvaluatedKey", out.LastEvaluatedKey)
	if out.NextToken != nil {
		dst = appendString(o.name(dst, "NextToken"), *out.NextToken)
	}
	return append(dst, '}')
}
