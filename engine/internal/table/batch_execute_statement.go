package table

import (
	"context"
	"errors"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/partiql"
	"sortkey.dev/engine/internal/request"
)

// BatchExecuteStatement executes up to 25 statements independently of each other.
func (s *Tables) BatchExecuteStatement(ctx context.Context, req *request.BatchExecuteStatement) (*dynamo.BatchExecuteStatementOutput, error) {
	b := &statementBatch{tables: s, out: &dynamo.BatchExecuteStatementOutput{
		Responses: make([]dynamo.BatchStatementResponse, len(req.Statements)),
	}}
	parsed := make([]*partiql.Statement, len(req.Statements))
	faults := make([]error, len(req.Statements))
	for i := range req.Statements {
		parsed[i], faults[i] = partiql.Parse(req.Statements[i].Text, req.Statements[i].Parameters)
	}
	if err := checkUnmixed(parsed); err != nil {
		return nil, err
	}
	for i := range req.Statements {
		err := faults[i]
		if err == nil {
			err = b.run(ctx, &b.out.Responses[i], parsed[i], &req.Statements[i])
		}
		if err := b.note(&b.out.Responses[i], err); err != nil {
			return nil, err
		}
	}
	return b.out, nil
}

// checkUnmixed rejects a mixture of reads and writes. Statements that did not parse are nil.
func checkUnmixed(statements []*partiql.Statement) error {
	reads, writes := false, false
	for _, st := range statements {
		if st != nil {
			reads, writes = reads || st.IsRead(), writes || !st.IsRead()
		}
	}
	if reads && writes {
		return dynamo.Invalid("The statements must be all reads or all writes")
	}
	return nil
}

// A statementBatch is the state of a BatchExecuteStatement.
type statementBatch struct {
	tables *Tables
	out    *dynamo.BatchExecuteStatementOutput
}

// run executes one statement.
func (b *statementBatch) run(ctx context.Context, response *dynamo.BatchStatementResponse, st *partiql.Statement, req *request.ExecuteStatement) error {
	if err := checkNotExists(st); err != nil {
		return err
	}
	t, err := b.tables.lookup(st.Table())
	if err != nil {
		return err
	}
	response.TableName = t.Name()
	if !st.IsRead() {
		written, err := b.tables.writeStatement(ctx, t, st, req)
		if err != nil {
			return err
		}
		response.Item = written.Attributes
		b.charge(written.ConsumedCapacity)
		return nil
	}
	key, projection, ok := st.Get(planned(t))
	if !ok {
		return dynamo.Invalid("Select statements within BatchExecuteStatement must specify the primary key in the where clause.")
	}
	read, err := b.tables.GetItem(ctx, &request.GetItem{
		Table: st.Table(), Key: key, Projection: projection, Consistent: req.Consistent, Capacity: req.Capacity,
	})
	if err != nil {
		return err
	}
	if read.Item != nil {
		response.Item = b.out.Keep(read.Item)
	}
	read.Release()
	b.charge(read.ConsumedCapacity)
	return nil
}

func (b *statementBatch) charge(c *dynamo.ConsumedCapacity) {
	if c != nil {
		b.out.ConsumedCapacity = append(b.out.ConsumedCapacity, *c)
	}
}

// batchCodes maps error codes to their names inside a batch.
var batchCodes = map[dynamo.Code]string{
	dynamo.AccessDenied:                    "AccessDenied",
	dynamo.ConditionalCheckFailed:          "ConditionalCheckFailed",
	dynamo.DuplicateItem:                   "DuplicateItem",
	dynamo.ItemCollectionSizeLimitExceeded: "ItemCollectionSizeLimitExceeded",
	dynamo.ResourceNotFound:                "ResourceNotFound",
	dynamo.TransactionConflict:             "TransactionConflict",
	dynamo.Validation:                      "ValidationError",
}

// note turns the error of a statement into its response. It returns errors that do not
// belong to a statement.
func (b *statementBatch) note(response *dynamo.BatchStatementResponse, err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*dynamo.Error](err)
	if !ok || batchCodes[e.Code] == "" {
		return err
	}
	response.Error = &dynamo.BatchStatementError{Code: batchCodes[e.Code], Message: e.Message}
	if e.Code == dynamo.Validation || e.Code == dynamo.ResourceNotFound {
		response.TableName = ""
	}
	return nil
}
