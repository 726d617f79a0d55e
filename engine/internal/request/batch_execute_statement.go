package request

import "sortkey.dev/engine/internal/dynamo"

// BatchExecuteStatement is a checked BatchExecuteStatementInput. ReturnOnFailure has no
// effect in a batch, so its statements do not have it.
type BatchExecuteStatement struct {
	Statements []ExecuteStatement
	Capacity   CapacityDetail
}

// CheckBatchExecuteStatement checks the members of the input of BatchExecuteStatement.
func CheckBatchExecuteStatement(in *dynamo.BatchExecuteStatementInput) (*BatchExecuteStatement, error) {
	var v violations
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	v.checkStatements(in.Statements, "statements", "BatchStatementRequest", dynamo.MaxBatchStatements)
	if err := v.err(); err != nil {
		return nil, err
	}
	batch := &BatchExecuteStatement{
		Statements: make([]ExecuteStatement, len(in.Statements)),
		Capacity:   capacityDetails.value(in.ReturnConsumedCapacity),
	}
	for i := range in.Statements {
		s := &in.Statements[i]
		batch.Statements[i] = ExecuteStatement{
			Text: *s.Statement, Parameters: s.Parameters, Consistent: isTrue(s.ConsistentRead), Capacity: batch.Capacity,
		}
	}
	return batch, nil
}
