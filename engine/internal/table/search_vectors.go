package table

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
	"sortkey.dev/engine/internal/vector"
)

// SearchVectors finds the items of a vector index, or of one partition of it, whose
// vectors are most similar to a given one. It compares all of them.
func (s *Tables) SearchVectors(ctx context.Context, req *request.SearchVectors) (*dynamo.SearchVectorsOutput, error) {
	t, err := s.lookup(req.Table)
	if err != nil {
		return nil, err
	}
	x := t.Vector(req.Index)
	switch {
	case x == nil:
		return nil, errNoIndex(req.Index)
	case x.Building:
		return nil, dynamo.Invalid("Cannot search backfilling vector index: %s", req.Index)
	case len(req.Vector) != x.Dimensions:
		return nil, dynamo.Invalid("Input search vector dimension %d does not match vector index dimension %d", len(req.Vector), x.Dimensions)
	}
	partition, filters, err := bindSearch(x, req.Condition)
	if err != nil {
		return nil, err
	}
	search := &vectorSearch{
		index:   x,
		filters: filters,
		nearest: vector.NewNearest(vector.NewQuery(x.Distance, req.Vector), req.TopK),
	}
	if err := s.scanVectors(ctx, t, search, partition); err != nil {
		return nil, err
	}
	return search.output(req)
}

// bindSearch splits a search condition, which may be nil, into the value of the
// attribute that partitions the index and the remaining filters.
func bindSearch(x *catalog.Vector, condition *expression.SearchCondition) (partition []dynamo.Value, filters []expression.SearchClause, err error) {
	if condition != nil {
		for _, clause := range condition.Clauses() {
			switch a := x.SearchAttribute(clause.Name); {
			case a == nil:
				return nil, nil, dynamo.Invalid("SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid attribute: %s", clause.Name)
			case a.Kind != clause.Value.Kind():
				return nil, nil, dynamo.Invalid("One or more parameter values were invalid: Condition parameter type does not match schema type")
			case a.Partitions:
				partition = append(partition, clause.Value)
			default:
				filters = append(filters, clause)
			}
		}
	}
	if x.Partition != nil && partition == nil {
		return nil, nil, dynamo.Invalid("SearchConditionExpression must be provided when SearchSchema has a HASH key")
	}
	return partition, filters, nil
}

// A vectorSearch searches the entries of one partition of a vector index.
type vectorSearch struct {
	index   *catalog.Vector
	filters []expression.SearchClause
	nearest *vector.Nearest
	seen    int // entries
	err     error
}

// scanVectors offers the entries of a partition in the order of their items' keys,
// which orders equally similar items.
func (s *Tables) scanVectors(ctx context.Context, t *catalog.Table, search *vectorSearch, partition []dynamo.Value) error {
	lo := rowformat.AppendPartition(nil, search.index.Path, partition)
	err := s.store.View(ctx, kv.Latest, func(r kv.Reader) error {
		return r.Scan(lo, rowformat.Successor(lo), kv.ScanOptions{}, func(_, row []byte) bool { return search.take(ctx, row) })
	})
	if err == nil && search.err != nil {
		err = fmt.Errorf("table %s, vector index %s: %w", t.Name(), search.index.Name, search.err)
	}
	if err != nil || search.seen > 0 {
		return err
	}
	now, err := s.lookup(t.Name())
	if err != nil {
		return err
	}
	if x := now.Vector(search.index.Name); x == nil || x.Path != search.index.Path {
		return errNoIndex(search.index.Name)
	}
	return nil
}

// take offers one entry, if it matches the filters, and reports
// whether to continue.
func (v *vectorSearch) take(ctx context.Context, row []byte) bool {
	_, stored, item, err := rowformat.ParseVectorRow(row)
	if err == nil && len(stored) != vector.StoredSize(v.index.Dimensions) {
		err = fmt.Errorf("%w: a vector of %d bytes", rowformat.ErrCorrupt, len(stored))
	}
	if v.seen++; v.seen%1024 == 0 && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		v.err = err
		return false
	}
	for _, f := range v.filters {
		if !bytes.Equal(item.Get(f.Name), f.Value) { // the encoding is canonical
			return true
		}
	}
	v.nearest.Offer(stored, row)
	return true
}

// output returns the response with the requested attributes of the results.
func (v *vectorSearch) output(req *request.SearchVectors) (*dynamo.SearchVectorsOutput, error) {
	out := &dynamo.SearchVectorsOutput{SearchResults: []dynamo.SearchResult{}}
	returned := 0
	for _, c := range v.nearest.Sorted() {
		_, stored, item, err := rowformat.ParseVectorRow(c.Entry)
		if err != nil {
			return nil, err
		}
		item = projectVector(v.index, req.Projection, stored, item)
		if returned += item.Size(); returned > dynamo.MaxSearchResponse {
			return nil, dynamo.Invalid("The results of the search exceed the maximum size of a response of 16 MB: use a smaller TopK or a ProjectionExpression")
		}
		out.SearchResults = append(out.SearchResults, dynamo.SearchResult{Item: item, Score: c.Score})
	}
	if req.Capacity != request.CapacityNone {
		out.ConsumedCapacity = &dynamo.VectorCapacity{SearchBytes: capacity.VectorSearchBytes(v.seen*bytesPerDimension*v.index.Dimensions, returned)}
	}
	return out, nil
}

// projectVector returns the requested part of an entry: without a projection everything
// but the vector.
func projectVector(x *catalog.Vector, p *expression.Projection, stored []byte, item dynamo.Item) dynamo.Item {
	switch {
	case p == nil:
		return item
	case !slices.Contains(p.TopLevelNames(), x.Attribute):
		return p.Apply(item)
	}
	var e dynamo.Encoder
	e.OpenItem()
	for name, value := range item.All() {
		e.Name(name)
		e.Copy(value)
	}
	e.Name(x.Attribute)
	e.Copy(vector.Value(stored))
	whole, _ := e.CloseItem() // an entry stores its vector separately from the item
	return p.Apply(whole)
}
