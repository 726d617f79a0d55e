package table

import (
	"bytes"
	"context"
	"slices"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// Query reads items of one partition in the order of the sort key.
func (s *Tables) Query(ctx context.Context, req *request.Query) (*dynamo.QueryOutput, error) {
	src, err := s.source(&req.Page, refuseQuery)
	if err != nil {
		return nil, err
	}
	var start []byte
	if req.Start != nil {
		if start, err = src.startRow(req.Start); err != nil {
			return nil, err
		}
	}
	keys, err := req.KeyCondition.Bind(src.key())
	if err != nil {
		return nil, err
	}
	lo, hi := span(src.path(), keys)
	if start != nil {
		if lo, hi, err = src.resume(req, keys, start, lo, hi); err != nil {
			return nil, err
		}
	}
	if err := checkProjection(src.table, req.Projection); err != nil {
		return nil, err
	}
	if !req.Statement {
		if err := src.checkFilter(req.Filter); err != nil {
			return nil, err
		}
	}
	if err := src.checkSelect(&req.Page); err != nil {
		return nil, err
	}
	if err := checkCondition(src.table, req.Filter); err != nil {
		return nil, err
	}
	out, err := s.page(ctx, src, &req.Page, rowRange{lo: lo, hi: hi, backward: req.Backward})
	if err == nil && src.findsOne(req) {
		out.LastEvaluatedKey = nil
	}
	return out, err
}

// findsOne reports whether a query finds at most one item because the table has no sort key.
// Such a query is over after one page, and cannot be restarted.
func (s source) findsOne(req *request.Query) bool {
	return s.index == nil && len(s.table.Key().Sort) == 0 && !req.Statement
}

// refuseQuery returns the error for a query of a vector index.
func refuseQuery(req *request.Page) error {
	if req.Consistent {
		return errConsistentIndex()
	}
	return dynamo.Invalid("Query operation not supported on this index type.")
}

// checkFilter rejects filters on the key that a query uses.
func (s source) checkFilter(filter *expression.Condition) error {
	if filter == nil {
		return nil
	}
	key := s.key()
	for _, name := range filter.TopLevelNames() {
		if key.Has(name) {
			return dynamo.Invalid("%s can only contain non-primary key attributes: Primary key attribute: %s", filter.Parameter(), name)
		}
	}
	return nil
}

// span returns the range of rows that a key condition selects.
func span(path rowformat.Path, keys *expression.KeyRange) (lo, hi []byte) {
	base := rowformat.AppendPartition(nil, path, keys.Partition)
	for _, v := range keys.Sort {
		base = rowformat.AppendComponent(base, v)
	}
	at := func(v dynamo.Value) []byte { return rowformat.AppendComponent(slices.Clone(base), v) }
	lo, hi = base, rowformat.Successor(base)
	switch keys.Op {
	case expression.Less:
		hi = at(keys.Low)
	case expression.LessOrEqual:
		hi = rowformat.Successor(at(keys.Low))
	case expression.Greater:
		lo = rowformat.Successor(at(keys.Low))
	case expression.GreaterOrEqual:
		lo = at(keys.Low)
	case expression.Between:
		lo, hi = at(keys.Low), rowformat.Successor(at(keys.High))
	case expression.BeginsWith:
		lo = rowformat.AppendComponentPrefix(slices.Clone(base), keys.Low)
		hi = rowformat.Successor(lo)
	}
	return lo, hi
}

// resume narrows [lo, hi) to the rows after the row start.
func (s source) resume(req *request.Query, keys *expression.KeyRange, start, lo, hi []byte) (from, to []byte, err error) {
	if bytes.Compare(start, lo) < 0 || bytes.Compare(start, hi) >= 0 {
		return nil, nil, s.outside(keys, req.Start, start)
	}
	if s.findsOne(req) {
		name := s.table.Key().Partition[0].Name
		return nil, nil, dynamo.Invalid("The provided exclusive start key is invalid: ExclusiveStartKey: {%s=%s}", name, expression.ShowScalar(req.Start.Get(name)))
	}
	if req.Backward {
		return lo, start, nil
	}
	return append(start, 0), hi, nil
}

// outside returns the error for a start key outside the range of the query. The sort key
// is checked first, even in another partition.
func (s source) outside(keys *expression.KeyRange, start dynamo.Item, row []byte) error {
	if keys.Op == expression.NoOp && len(keys.Sort) == 0 {
		return dynamo.Invalid("The provided starting key is outside query boundaries based on provided conditions")
	}
	own := *keys
	own.Partition = nil
	for _, a := range s.key().Partition {
		own.Partition = append(own.Partition, start.Get(a.Name))
	}
	if lo, hi := span(s.path(), &own); bytes.Compare(row, lo) < 0 || bytes.Compare(row, hi) >= 0 {
		return dynamo.Invalid("The provided starting key does not match the range key predicate")
	}
	return dynamo.Invalid("The query can return at most one row and cannot be restarted")
}

// startRow returns the key of the row that a start key names.
func (s source) startRow(start dynamo.Item) ([]byte, error) {
	attributes := s.rowKey()
	if start.Len() != len(attributes) {
		return nil, dynamo.Invalid("The provided starting key is invalid")
	}
	queried := s.key()
	for _, a := range attributes {
		switch v := start.Get(a.Name); {
		case v == nil:
			return nil, dynamo.Invalid("The provided starting key is invalid")
		case v.Kind() != a.Kind && queried.Has(a.Name):
			return nil, errKeySchema
		case v.Kind() != a.Kind || emptyKind(v) != "":
			return nil, dynamo.Invalid("The provided starting key is invalid: The provided key element does not match the schema")
		}
	}
	if s.index != nil {
		return entryKey(s.index, start), nil
	}
	return rowKey(s.table, start), nil
}
