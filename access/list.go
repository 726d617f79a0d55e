package access

import (
	"context"
	"fmt"
	"iter"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// A List is what a pattern answers, before it is asked: nothing is sent until All, Slice,
// First, Page or Count is called, each time anew. Its methods return changed copies.
type List[T any] struct {
	c        *Client
	q        *Query
	decode   func(Item) (T, error)
	limit    int // items in all; 0: no limit
	pageSize int // 0: not said
}

// NewList makes the list of a query. Requests with the values of an earlier one are left
// out: asking twice would return everything twice. The others are put in the order of their
// values, so that it does not matter in which order they were given: not for a cursor, and
// not for items of several requests that have the same sort key.
func NewList[T any](c *Client, q Query, decode func(Item) (T, error)) List[T] {
	q.Requests = distinctRequests(&q)
	return List[T]{c: c, q: &q, decode: decode, limit: max(q.Limit, 0)}
}

// Limit changes how many items All, Slice and Count see at most; 0: all there are. If it
// is not called it is what the pattern says.
func (l List[T]) Limit(n int) List[T] {
	l.limit = max(n, 0)
	return l
}

// PageSize says how many items a page has at most. If it is not called it is the limit,
// and without a limit DynamoDB ends a page at 1 MB.
//
// It also decides how many items a request asks for, and with that the units a list takes.
// DynamoDB counts before it filters, and ends its answer at 1 MB whatever it is asked for.
//
//   - Without a filter a request asks for as many as are wanted: the page size, or what is
//     left up to the limit if that is less. Each time decoding skips all that came, the next
//     asks for twice as many.
//   - With a filter a request asks for ten times as many, and for at least 100. If fewer are
//     kept of the answer than were wanted, the next asks for twice as many as it did. So a
//     page out of a large partition does not read all of it, one that the filter takes nearly
//     everything from needs few requests, and less than 100 items are read in one.
//   - A list without limit and page size wants nothing in particular: it says no number.
func (l List[T]) PageSize(n int) List[T] {
	l.pageSize = max(n, 0)
	return l
}

// All reads item by item, page after page as the loop goes on. After an error there is
// nothing more.
func (l List[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		w, err := l.walk(ctx)
		if err == nil {
			err = each(ctx, w, l.decode, func(value T) bool { return yield(value, nil) })
			w.call.end(err)
		}
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

// Slice reads all items up to the limit.
func (l List[T]) Slice(ctx context.Context) ([]T, error) {
	w, err := l.walk(ctx)
	if err != nil {
		return nil, err
	}
	items, err := gather(ctx, w, l.decode)
	w.call.end(err)
	return items, err
}

// First reads the first item. There being none is ErrNotFound.
func (l List[T]) First(ctx context.Context) (T, error) {
	var first T
	w := newWalk(ctx, l.c, l.q, 1, 1)
	if l.q.Err != nil {
		return first, l.failed(w.call)
	}
	err := each(ctx, w, l.decode, func(value T) bool { first = value; return true })
	if err == nil && w.kept == 0 {
		err = fmt.Errorf("%s: %w", l.q.Pattern.Name, ErrNotFound)
	}
	w.call.end(err)
	return first, err
}

// Request is the first request that All would send, in the order of NewList, for logs and for tests; nil if there
// is none to send.
func (l List[T]) Request() *dynamodb.QueryInput {
	if all := l.Requests(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Requests are the requests All would begin with: one, or one for each shard or value.
func (l List[T]) Requests() []*dynamodb.QueryInput {
	if l.q.Err != nil {
		return nil
	}
	w := walk{q: l.q, size: l.size(), left: l.wanted()}
	all := make([]*dynamodb.QueryInput, len(l.q.Requests))
	for i := range all {
		table := l.c.tableName(l.q.Pattern.Table)
		all[i] = l.q.input(l.c, &table, &l.q.Requests[i])
		all[i].Limit = w.ask(&reader{})
		all[i].ExpressionAttributeNames = maps.Clone(all[i].ExpressionAttributeNames)
		all[i].ExpressionAttributeValues = maps.Clone(all[i].ExpressionAttributeValues)
	}
	return all
}

// walk begins to read the whole list.
func (l List[T]) walk(ctx context.Context) (*walk, error) {
	w := newWalk(ctx, l.c, l.q, l.size(), l.wanted())
	if l.q.Err != nil {
		return nil, l.failed(w.call)
	}
	w.together = true
	return w, nil
}

// gather reads what is left of a walk.
func gather[T any](ctx context.Context, w *walk, decode func(Item) (T, error)) ([]T, error) {
	items := []T{}
	err := each(ctx, w, decode, func(value T) bool {
		if len(items) == 0 {
			items = make([]T, 0, w.expected())
		}
		items = append(items, value)
		return true
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// expected is how many items there are to keep with the one just taken, as far as is known.
func (w *walk) expected() int {
	n := w.buffered()
	if w.left >= 0 {
		n = min(n, w.left)
	}
	return n + 1
}

// failed ends the call of a query that could not be made.
func (l List[T]) failed(k *call) error {
	err := fmt.Errorf("%s: %w", l.q.Pattern.Name, l.q.Err)
	k.end(err)
	return err
}

// wanted is the limit as a walk counts it.
func (l List[T]) wanted() int {
	if l.limit == 0 {
		return -1
	}
	return l.limit
}

// size is how many items a page has; 0: as many as DynamoDB puts in one.
func (l List[T]) size() int {
	if l.pageSize > 0 {
		return l.pageSize
	}
	return l.limit
}
