package wire

import "sortkey.dev/engine/internal/dynamo"

var parameterizedStatementType = elementType("ParameterizedStatement")

func readExecuteTransaction(s *scanner) *dynamo.ExecuteTransactionInput {
	in := &dynamo.ExecuteTransactionInput{}
	for name, more := s.firstMember(bodyType); more; name, more = s.nextMember() {
		switch string(name) {
		case "ClientRequestToken":
			in.ClientRequestToken = s.text()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = s.choice()
		case "TransactStatements":
			in.TransactStatements = s.statements(parameterizedStatementType)
		default:
			s.skip()
		}
	}
	return in
}

func appendExecuteTransaction(dst []byte, out *dynamo.ExecuteTransactionOutput) []byte {
	defer out.Release()
	dst, o := openObject(dst)
	dst = o.capacities(dst, out.ConsumedCapacity)
	return append(appendResponses(o.name(dst, "Responses"), out.Responses), '}')
}
