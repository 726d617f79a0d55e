package request

import (
	"sortkey.dev/engine/internal/dynamo"
)

// ExecuteTransaction is a checked ExecuteTransactionInput.
type ExecuteTransaction struct {
	Statements []ExecuteStatement
	// Token makes the request idempotent; empty: none was sent. Fingerprint is set with it.
	Token       string
	Fingerprint Fingerprint
	Capacity    CapacityDetail
}

// CheckExecuteTransaction checks the members of the input of ExecuteTransaction.
func CheckExecuteTransaction(in *dynamo.ExecuteTransactionInput) (*ExecuteTransaction, error) {
	var v violations
	if in.ClientRequestToken != nil {
		v.length(1, dynamo.MaxTokenLength, *in.ClientRequestToken, "clientRequestToken")
	}
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	v.checkStatements(in.TransactStatements, "transactStatements", "ParameterizedStatement", dynamo.MaxTransactItems)
	if err := v.err(); err != nil {
		return nil, err
	}
	transaction := &ExecuteTransaction{
		Statements: make([]ExecuteStatement, len(in.TransactStatements)),
		Token:      textOf(in.ClientRequestToken),
		Capacity:   capacityDetails.value(in.ReturnConsumedCapacity),
	}
	for i := range in.TransactStatements {
		s := &in.TransactStatements[i]
		transaction.Statements[i] = ExecuteStatement{
			Text: *s.Statement, Parameters: s.Parameters,
			ReturnOnFailure: returnOnFailure.value(s.ReturnValuesOnConditionCheckFailure),
		}
	}
	if transaction.Token != "" {
		transaction.Fingerprint = fingerprintOfStatements(transaction.Statements)
	}
	return transaction, nil
}

// fingerprintOfStatements returns the fingerprint of a transaction of statements. It
// never equals that of a transaction of actions.
func fingerprintOfStatements(statements []ExecuteStatement) Fingerprint {
	w := newFingerprintWriter()
	w.text("PartiQL")
	w.number(len(statements))
	for i := range statements {
		w.statement(&statements[i])
	}
	return w.sum()
}

// Fingerprint returns a hash that is equal for two requests of the same statement with the
// same parameters.
func (s *ExecuteStatement) Fingerprint() Fingerprint {
	only := *s
	only.ReturnOnFailure = false
	return fingerprintOfStatements([]ExecuteStatement{only})
}

func (w *fingerprintWriter) statement(s *ExecuteStatement) {
	w.text(s.Text)
	w.number(len(s.Parameters.Values))
	for _, value := range s.Parameters.Values {
		w.value(value)
	}
	if s.ReturnOnFailure {
		w.number(1)
	} else {
		w.number(0)
	}
}
