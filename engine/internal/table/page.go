package table

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// A source is the table or index that a query or scan reads.
type source struct {
	table *catalog.Table
	index *catalog.Index // nil: the table itself
}

// source returns the source of a page and checks the request against it. A vector
// index can only be searched; refuse returns the operation's error.
func (s *Tables) source(req *request.Page, refuse func(*request.Page) error) (source, error) {
	t, err := s.lookup(req.Table)
	if err != nil {
		return source{}, err
	}
	src := source{table: t}
	if req.Index == "" {
		return src, nil
	}
	if t.Vector(req.Index) != nil {
		return source{}, refuse(req)
	}
	if src.index = t.Index(req.Index); src.index == nil {
		return source{}, errNoIndex(req.Index)
	}
	if src.index.Building {
		return source{}, dynamo.Invalid("Cannot read from backfilling global secondary index: %s", req.Index)
	}
	if req.Consistent && !src.index.Local {
		return source{}, errConsistentIndex()
	}
	return src, nil
}

func (s source) path() rowformat.Path {
	if s.index != nil {
		return s.index.Path
	}
	return s.table.Path
}

func (s source) key() dynamo.KeySchema {
	if s.index != nil {
		return s.index.Key
	}
	return s.table.Key()
}

// rowKey lists the attributes of the keys of the source's rows, which are also
// those of LastEvaluatedKey and ExclusiveStartKey.
func (s source) rowKey() []dynamo.KeyAttribute {
	if s.index != nil {
		return s.index.RowKey
	}
	return s.table.KeyAttributes
}

// checkSelect checks the requested attributes against the projection of an index.
func (s source) checkSelect(req *request.Page) error {
	if s.index == nil || s.index.Local || s.index.ProjectsAll() {
		return nil
	}
	if req.Select == request.SelectAllAttributes {
		return dynamo.Invalid("One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index %s because its projection type is not ALL", s.index.Name)
	}
	if missing := s.unprojected(req); len(missing) > 0 {
		return dynamo.Invalid("One or more parameter values were invalid: Global secondary index %s does not project %v", s.index.Name, missing)
	}
	return nil
}

// unprojected lists the requested attributes that the index lacks.
func (s source) unprojected(req *request.Page) (missing []string) {
	if req.Projection == nil {
		return nil
	}
	for _, name := range req.Projection.TopLevelNames() {
		if _, carried := slices.BinarySearch(s.index.Projected, name); !carried && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// needsItem reports whether a local index must fetch the whole item from the table.
func (s source) needsItem(req *request.Page) bool {
	if s.index == nil || s.index.ProjectsAll() {
		return false
	}
	return req.Select == request.SelectAllAttributes || len(s.unprojected(req)) > 0
}

// partitions returns the number of partitions of the rows.
func (s source) partitions() int {
	return capacity.Partitions(s.table.OnDemand(), s.table.Warm(s.index))
}

// A pager reads one page of a source.
type pager struct {
	source
	req        *request.Page
	reader     kv.Reader
	whole      bool // fetch whole items for the entries of a local index
	out        dynamo.PageOutput
	size       int // of everything evaluated
	partitions int // of the rows
	reads      capacity.Reads
	fetched    float64
	err        error
}

// A rowRange is the range [lo, hi) of rows of a page.
type rowRange struct {
	lo, hi     []byte
	backward   bool
	partitions int // that it may cover; 0: one
}

// page reads rows up to the end of the range, the limit or the page.
func (s *Tables) page(ctx context.Context, src source, req *request.Page, rows rowRange) (*dynamo.PageOutput, error) {
	p := &pager{source: src, req: req, whole: src.needsItem(req), partitions: rows.partitions}
	if p.partitions > 1 {
		p.reads = capacity.ReadsFrom(rowformat.Share(rows.lo, p.partitions))
	}
	switch {
	case req.Select == request.SelectCount:
	case req.Visit != nil:
		p.out.Items = []dynamo.Item{}
	default:
		p.out.Items = make([]dynamo.Item, 0, min(cmp.Or(req.Limit, 32), 128))
	}
	err := s.store.View(ctx, consistency(req.Consistent), func(r kv.Reader) error {
		p.reader = r
		return r.Scan(rows.lo, rows.hi, kv.ScanOptions{Reverse: rows.backward}, func(key, row []byte) bool { return p.take(ctx, key, row) })
	})
	if err == nil {
		err = p.err
	}
	if err == nil && p.out.ScannedCount == 0 {
		err = s.checkSourceStillThere(src)
	}
	if err != nil {
		return nil, err
	}
	if p.partitions > 1 && p.out.LastEvaluatedKey == nil {
		p.reads.Visit(rowformat.LastShare(rows.hi, p.partitions))
	}
	p.out.ScannedSize = p.size
	p.account()
	return &p.out, nil
}

// checkSourceStillThere is checkStillThere for a table or an index.
func (s *Tables) checkSourceStillThere(src source) error {
	if src.index == nil {
		return s.checkStillThere(src.table)
	}
	now, err := s.lookup(src.table.Name())
	if err != nil {
		return err
	}
	if x := now.Index(src.index.Name); x == nil || x.Path != src.index.Path {
		return errNoIndex(src.index.Name)
	}
	return nil
}

func errConsistentIndex() error {
	return dynamo.Invalid("Consistent reads are not supported on global secondary indexes")
}

func errNoIndex(name string) error {
	return dynamo.Invalid("The table does not have the specified index: %s", name)
}

// take evaluates one row and reports whether to continue.
func (p *pager) take(ctx context.Context, key, row []byte) bool {
	size, item, err := rowformat.ParseRow(row)
	if err != nil {
		return p.fail(fmt.Errorf("table %s: %w", p.table.Name(), err))
	}
	if p.partitions > 1 {
		p.reads.Visit(rowformat.Share(key, p.partitions))
	}
	p.reads.Add(size)
	p.size += size
	p.out.ScannedCount++
	if !p.evaluate(ctx, item) {
		return false
	}
	if p.full() {
		p.out.LastEvaluatedKey = onlyKey(item, p.rowKey())
		return false
	}
	return true
}

// full reports whether the page is full.
func (p *pager) full() bool {
	return p.out.ScannedCount == p.req.Limit || p.size >= cmp.Or(p.req.MaxSize, dynamo.MaxPageSize) ||
		p.req.MaxItems > 0 && p.out.Count == p.req.MaxItems
}

// evaluate filters the item and adds the projected item to the page. Filters may be
// large, so evaluate stops when the context is cancelled.
func (p *pager) evaluate(ctx context.Context, item dynamo.Item) bool {
	if p.whole {
		var err error
		if item, err = p.fetch(item); err != nil {
			return p.fail(err)
		}
	}
	if p.req.Filter != nil {
		if err := ctx.Err(); err != nil {
			return p.fail(err)
		}
		ok, err := p.req.Filter.Matches(item)
		if err != nil {
			return p.fail(err)
		}
		if !ok {
			return true
		}
	}
	p.out.Count++
	switch {
	case p.req.Select == request.SelectCount:
	case p.req.Projection != nil:
		p.add(p.req.Projection.Apply(item), false)
	default:
		p.add(item, true)
	}
	return true
}

// add passes an item to the visitor or keeps it for the response. A borrowed item shares
// memory with the row and must be copied to be kept.
func (p *pager) add(item dynamo.Item, borrowed bool) {
	switch {
	case p.req.Visit != nil:
		p.req.Visit(item)
	case borrowed:
		p.out.Items = append(p.out.Items, p.out.Keep(item))
	default:
		p.out.Items = append(p.out.Items, item)
	}
}

func (p *pager) fail(err error) bool {
	p.err = err
	return false
}

// fetch reads the whole item of an entry of a local index.
func (p *pager) fetch(entry dynamo.Item) (item dynamo.Item, err error) {
	found, err := p.reader.Get(rowKey(p.table, entry), func(row []byte) error {
		size, stored, err := rowformat.ParseRow(row)
		if err != nil {
			return fmt.Errorf("table %s: %w", p.table.Name(), err)
		}
		p.fetched += capacity.ReadUnits(size, p.req.Consistent)
		item = stored.Clone()
		return nil
	})
	if err == nil && !found {
		err = fmt.Errorf("table %s: index %s has an entry without an item", p.table.Name(), p.index.Name)
	}
	return item, err
}

// account sets the consumed capacity of the page.
func (p *pager) account() {
	if p.req.Capacity == request.CapacityNone {
		return
	}
	var account capacity.Account
	units := p.reads.Units(p.req.Consistent)
	switch {
	case p.index == nil:
		account.Table(units)
	case p.index.Local:
		account.Table(p.fetched)
		account.Local(p.index.Name, units)
	default:
		account.Global(p.index.Name, units)
	}
	p.out.ConsumedCapacity = account.Consumed(p.req.Table, false, p.req.Capacity == request.CapacityIndexes)
}

// onlyKey returns the key attributes of an item.
func onlyKey(item dynamo.Item, key []dynamo.KeyAttribute) dynamo.Item {
	names := make([]string, len(key))
	for i, a := range key {
		names[i] = a.Name
	}
	slices.Sort(names)
	return item.Only(names)
}
