package call

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/fanout"
	"sortkey.dev/access/marshal"
)

// A walk goes through the items of a query in order, or of a scan, whether one request brings them or
// many. Between two calls of next nothing runs, so a walk can be left at any item.
type walk struct {
	c       *access.Client
	path    *path // nil: no migration affects the query
	q       *Query
	call    *recorder
	table   string
	readers []reader
	single  [1]reader // what readers is when there is one: most queries
	merge   merge     // of the readers that have items, when there are several
	waiting int       // readers whose items are used up and that have more in DynamoDB

	size int // items a request asks for; 0: as many as DynamoDB puts in a page
	left int // items still wanted; below 0: all
	// onePage ends the walk where it would send more requests, once it kept an item.
	onePage bool
	// together fills readers that run low when one has run dry, so that shards of like
	// size wait once and not one after the other.
	together bool

	from   *reader // of the item stepped to last
	kept   int     // items the caller took
	before int     // what kept was when requests were last sent
	sent   bool    // whether requests were sent
	barren int     // how many times in a row they brought nothing to keep
}

// A reader is one request of a walk, and what it brought that is not used yet.
type reader struct {
	request *Request
	order   int // among the requests
	items   []access.Item
	pace    pace        // of its requests, if there is a filter
	full    int         // how many items the last answer brought
	from    access.Item // where items begin; nil: at the beginning
	last    access.Item // the item used last, if it came behind from
	next    access.Item // where the next request begins
	ended   bool        // DynamoDB has no more
}

// newWalk begins the call of a query.
func newWalk(ctx context.Context, c *access.Client, q *Query, size, left int) *walk {
	w := &walk{c: c, q: q, call: begin(ctx, c, q.Pattern, q.operation()), table: c.Table(q.Pattern.Table), size: size, left: left}
	w.readers = w.single[:min(len(q.Requests), 1)]
	if len(q.Requests) > 1 {
		w.readers = make([]reader, len(q.Requests))
	}
	for i := range w.readers {
		w.readers[i].request, w.readers[i].order = &q.Requests[i], i
	}
	w.waiting = len(w.readers)
	return w
}

// each gives the walk's items to yield until it returns false or enough were kept.
func each[T any](ctx context.Context, w *walk, decode func(access.Item) (T, error), yield func(T) bool) error {
	for w.left != 0 {
		item, err := w.step(ctx)
		if err != nil || item == nil {
			return err
		}
		value, err := decode(item)
		if err != nil {
			if errors.Is(err, marshal.Skip) {
				continue
			}
			return fmt.Errorf("%s: %w", w.q.Pattern.Name, ofItem(err, item, w.q.Pattern.Keys))
		}
		w.kept++
		w.from.pace.kept++
		w.left--
		if !yield(value) {
			return nil
		}
	}
	return nil
}

// step returns the next item, or nil at the end.
func (w *walk) step(ctx context.Context) (access.Item, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", w.q.Pattern.Name, err)
	}
	if w.waiting > 0 && (!w.q.scans() || w.buffered() == 0) { // segments of a scan wait for each other, so that all are read at once
		if w.onePage && w.kept > 0 {
			return nil, nil
		}
		if err := w.fill(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", w.q.Pattern.Name, err)
		}
	}
	r := w.front()
	if r == nil {
		return nil, nil
	}
	item := r.items[0]
	r.items, r.last, w.from = r.items[1:], item, r
	if len(r.items) == 0 && !r.ended {
		w.waiting++
	}
	if len(w.readers) > 1 {
		w.merge.advance()
	}
	return item, nil
}

// front returns the reader that has the next item.
func (w *walk) front() *reader {
	switch {
	case len(w.readers) > 1:
		return w.merge.front()
	case len(w.readers) == 1 && len(w.readers[0].items) > 0:
		return &w.readers[0]
	}
	return nil
}

// fill sends requests until every reader has an item or has ended.
func (w *walk) fill(ctx context.Context) error {
	if w.sent && w.kept == w.before {
		w.barren = min(w.barren+1, 10)
	} else {
		w.barren = 0
	}
	w.sent, w.before, w.waiting = true, w.kept, 0
	if len(w.readers) == 1 {
		return w.read(ctx, &w.readers[0])
	}
	var due []*reader
	for i := range w.readers {
		if r := &w.readers[i]; !r.ended && (len(r.items) == 0 || w.together && len(r.items) <= r.full/4) {
			due = append(due, r)
		}
	}
	err := fanout.Do(ctx, w.c.Options().Concurrency, len(due), func(ctx context.Context, i int) error { return w.read(ctx, due[i]) })
	if err != nil {
		return err
	}
	w.merge.start(w.q, w.readers)
	return nil
}

// read sends the next request of a reader, and goes on while a filter leaves nothing.
func (w *walk) read(ctx context.Context, r *reader) error {
	for {
		items, next, err := w.answer(ctx, r)
		if err != nil {
			return err
		}
		if len(r.items) == 0 {
			r.items, r.from, r.last = items, r.next, nil
		} else {
			r.items = append(r.items[:len(r.items):len(r.items)], items...)
		}
		r.full, r.next, r.ended = len(items), next, len(next) == 0
		if len(r.items) > 0 || r.ended {
			return nil
		}
	}
}

// answer sends the next request of a reader and returns its items and where they end.
func (w *walk) answer(ctx context.Context, r *reader) (items []access.Item, next access.Item, err error) {
	if w.q.scans() {
		return w.scanAnswer(ctx, r)
	}
	in := w.q.input(w.c, &w.table, r.request)
	in.ExclusiveStartKey = r.next
	in.Limit = w.ask(r)
	out, err := sendOn(ctx, w.c, w.path, w.call, access.API.Query, in)
	if err != nil {
		return nil, nil, err
	}
	w.call.add(out.ConsumedCapacity, len(out.Items))
	return out.Items, out.LastEvaluatedKey, nil
}

// ask returns how many items a request asks for, as documented at PageSize.
func (w *walk) ask(r *reader) *int32 {
	n := w.size
	if w.left >= 0 && (n == 0 || w.left < n) {
		n = w.left
	}
	switch {
	case w.q.Filter != "":
		return r.pace.ask(n, len(r.items))
	case n <= 0:
		return nil
	}
	return aws.Int32(int32(min(n, math.MaxInt32>>w.barren) << w.barren))
}

// buffered returns how many items are there without another request.
func (w *walk) buffered() int {
	n := 0
	for i := range w.readers {
		n += len(w.readers[i].items)
	}
	return n
}

// input returns the input of a request.
func (q *Query) input(c *access.Client, table *string, r *Request) *dynamodb.QueryInput {
	in := &dynamodb.QueryInput{
		TableName:                 table,
		KeyConditionExpression:    &q.KeyCondition,
		ExpressionAttributeNames:  q.Names,
		ExpressionAttributeValues: r.Values,
		ReturnConsumedCapacity:    capacity(c),
	}
	if q.Pattern.Index != "" {
		in.IndexName = &q.Pattern.Index
	}
	if q.Filter != "" {
		in.FilterExpression = &q.Filter
	}
	if q.Projection != "" {
		in.ProjectionExpression = &q.Projection
	}
	if q.Descending {
		in.ScanIndexForward = aws.Bool(false)
	}
	if q.Consistent {
		in.ConsistentRead = &q.Consistent
	}
	if q.AllAttributes {
		in.Select = types.SelectAllAttributes
	}
	return in
}
