package table

import (
	"context"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/partiql"
	"sortkey.dev/engine/internal/request"
)

// ExecuteStatement executes one PartiQL statement.
func (s *Tables) ExecuteStatement(ctx context.Context, req *request.ExecuteStatement) (*dynamo.ExecuteStatementOutput, error) {
	st, err := partiql.Parse(req.Text, req.Parameters)
	if err != nil {
		return nil, err
	}
	if err := checkNotExists(st); err != nil {
		return nil, err
	}
	t, err := s.lookup(st.Table())
	if err != nil {
		return nil, err
	}
	if st.IsRead() {
		return s.readStatement(ctx, t, st, req)
	}
	if req.NextToken != "" {
		return nil, errTokenMismatch()
	}
	written, err := s.writeStatement(ctx, t, st, req)
	if err != nil {
		return nil, err
	}
	out := &dynamo.ExecuteStatementOutput{Items: []dynamo.Item{}, ConsumedCapacity: written.ConsumedCapacity}
	if written.Attributes != nil {
		out.Items = append(out.Items, written.Attributes)
	}
	return out, nil
}

// readStatement reads one page of a SELECT. Its queries run
// one after the other until the page is full.
func (s *Tables) readStatement(ctx context.Context, t *catalog.Table, st *partiql.Statement, req *request.ExecuteStatement) (*dynamo.ExecuteStatementOutput, error) {
	plan, err := st.Select(planned(t), req.Consistent)
	if err != nil {
		return nil, err
	}
	r := &statementReader{
		tables: s, plan: plan, req: req,
		tokens: tokenCodec{req.Fingerprint(), source{table: t, index: t.Index(st.Index())}.rowKey()},
		out:    &dynamo.ExecuteStatementOutput{Items: []dynamo.Item{}},
	}
	if req.NextToken != "" {
		if r.at, err = r.tokens.decode(req.NextToken); err != nil {
			return nil, err
		}
		if r.at.branch >= max(1, len(plan.Queries)) {
			return nil, errTokenMismatch()
		}
	}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	return r.out, nil
}

// A statementReader reads one page of a SELECT.
type statementReader struct {
	tables *Tables
	plan   *partiql.Read
	req    *request.ExecuteStatement
	tokens tokenCodec
	at     statementPosition

	out     *dynamo.ExecuteStatementOutput
	scanned int
	size    int // in bytes
}

func (r *statementReader) run(ctx context.Context) error {
	for {
		page, err := r.runBranch(ctx)
		if err != nil {
			return err
		}
		r.scanned += page.ScannedCount
		r.size += page.ScannedSize
		r.out.ConsumedCapacity = addCapacity(r.out.ConsumedCapacity, page.ConsumedCapacity)
		if page.LastEvaluatedKey != nil {
			r.out.LastEvaluatedKey = page.LastEvaluatedKey
			token := r.tokens.encode(statementPosition{r.at.branch, page.LastEvaluatedKey})
			r.out.NextToken = &token
			return nil
		}
		r.at = statementPosition{branch: r.at.branch + 1}
		if r.at.branch >= len(r.plan.Queries) {
			return nil
		}
	}
}

// runBranch runs the current query of the reader, or the scan.
func (r *statementReader) runBranch(ctx context.Context) (*dynamo.PageOutput, error) {
	if r.plan.Scan != nil {
		r.prepare(&r.plan.Scan.Page)
		return r.tables.Scan(ctx, r.plan.Scan)
	}
	query := r.plan.Queries[r.at.branch]
	r.prepare(&query.Page)
	return r.tables.Query(ctx, query)
}

// prepare limits a request to the rest of the page.
func (r *statementReader) prepare(page *request.Page) {
	page.Consistent, page.Capacity, page.Start = r.req.Consistent, r.req.Capacity, r.at.after
	if r.req.Limit > 0 {
		page.Limit = r.req.Limit - r.scanned
	}
	if r.plan.MaxItems > 0 {
		page.MaxItems = r.plan.MaxItems - len(r.out.Items)
	}
	page.MaxSize = dynamo.MaxPageSize - r.size
	page.Visit = func(item dynamo.Item) { r.out.Items = append(r.out.Items, r.out.Keep(item)) }
}
