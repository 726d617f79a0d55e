package table

import (
	"context"
	"errors"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/partiql"
	"sortkey.dev/engine/internal/request"
)

// ExecuteTransaction executes up to 100 statements, all or none: as a TransactGetItems
// or a TransactWriteItems.
func (s *Tables) ExecuteTransaction(ctx context.Context, req *request.ExecuteTransaction) (*dynamo.ExecuteTransactionOutput, error) {
	parsed, err := parseTransaction(req)
	if err != nil {
		return nil, err
	}
	tables := make([]*catalog.Table, len(parsed))
	for i, st := range parsed {
		if tables[i], err = s.lookup(st.Table()); err != nil {
			return nil, err
		}
	}
	if parsed[0].IsRead() {
		return s.readTransaction(ctx, req, parsed, tables)
	}
	transaction := &request.TransactWriteItems{
		Actions: make([]request.TransactAction, len(parsed)),
		Token:   req.Token, Fingerprint: req.Fingerprint, Capacity: req.Capacity,
	}
	total := 0
	for i, st := range parsed {
		action, err := st.Write(planned(tables[i]))
		if err != nil {
			return nil, numbered(i, err)
		}
		write(&action).ReturnOnFailure = req.Statements[i].ReturnOnFailure
		transaction.Actions[i] = action
		total += sizeOfStatement(&action, &req.Statements[i])
	}
	if total > dynamo.MaxTransactSize {
		return nil, request.TransactionTooLarge()
	}
	out, err := s.TransactWriteItems(ctx, transaction)
	if err != nil {
		return nil, err
	}
	return &dynamo.ExecuteTransactionOutput{Responses: []dynamo.Item{}, ConsumedCapacity: out.ConsumedCapacity}, nil
}

// sizeOfStatement returns the size that counts towards the limit of the transaction, as in
// TransactWriteItems: that of the item to put, or of the values that are sent. Values in the
// text are left out, which has a limit of its own.
func sizeOfStatement(action *request.TransactAction, st *request.ExecuteStatement) (size int) {
	if action.Put != nil {
		return action.Put.Size
	}
	for _, v := range st.Parameters.Values {
		size += v.Size()
	}
	return size
}

// parseTransaction parses the statements and checks everything that needs no table.
func parseTransaction(req *request.ExecuteTransaction) ([]*partiql.Statement, error) {
	parsed := make([]*partiql.Statement, len(req.Statements))
	for i := range req.Statements {
		one := &req.Statements[i]
		st, err := partiql.Parse(one.Text, one.Parameters)
		switch {
		case partiql.ParameterFault(err, one.Parameters):
			return nil, err
		case err == nil && st.Returns():
			err = dynamo.Invalid("RETURNING clause is not supported in ExecuteTransaction.")
		case err == nil && (st.IsRead() || st.IsExists()) && st.Index() != "":
			err = dynamo.Invalid("Reads on indices are not supported within transactions.")
		}
		if err != nil {
			return nil, numbered(i, err)
		}
		parsed[i] = st
	}
	return parsed, checkUnmixed(parsed)
}

// numbered adds the number of the statement to an error.
func numbered(i int, err error) error {
	if e, ok := errors.AsType[*dynamo.Error](err); ok && e.Code == dynamo.Validation {
		return dynamo.Invalid("Validation failed in TransactStatements[%d]: %s", i, e.Message)
	}
	return err
}

// readTransaction reads the items of a transaction of SELECTs.
func (s *Tables) readTransaction(ctx context.Context, req *request.ExecuteTransaction, parsed []*partiql.Statement, tables []*catalog.Table) (*dynamo.ExecuteTransactionOutput, error) {
	transaction := &request.TransactGetItems{Gets: make([]request.TransactGet, len(parsed)), Capacity: req.Capacity}
	for i, st := range parsed {
		key, projection, ok := st.Get(planned(tables[i]))
		if !ok {
			return nil, numbered(i, dynamo.Invalid("Select statements within ExecuteTransaction must specify the primary key in the where clause."))
		}
		transaction.Gets[i] = request.TransactGet{Table: st.Table(), Key: key, Projection: projection}
	}
	out, err := s.TransactGetItems(ctx, transaction)
	if err != nil {
		return nil, err
	}
	return &dynamo.ExecuteTransactionOutput{Responses: out.Responses, ConsumedCapacity: out.ConsumedCapacity, Memory: out.Memory}, nil
}
