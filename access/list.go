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
// out: asking twice would return everything twice.
func NewList[T any](c *Client, q Query, decode func(Item) (T, error)) List[T] {
	q.Requests = distinctRequests(q.Requests)
	return List[T]{c: c, q: &q, decode: decode, limit: max(q.Limit, 0)}
}

// Limit changes how many items All, Slice and Count see at most; 0: all there are. If it
// is not called it is what the pattern says.
func (l List[T]) Limit(n int) List[T] {
	l.limit = max(n, 0)
	return l
}

// PageSize says how many items a page has at most, and how many a request asks for. If it
// is not called it is the limit, and without a limit DynamoDB ends a page at 1 MB.
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
	if l.q.Err != nil {
		return first, l.failed()
	}
	w := newWalk(ctx, l.c, l.q, 1, 1)
	err := each(ctx, w, l.decode, func(value T) bool { first = value; return true })
	if err == nil && w.kept == 0 {
		err = fmt.Errorf("%s: %w", l.q.Pattern.Name, ErrNotFound)
	}
	w.call.end(err)
	return first, err
}

// Request is the first request that All would send, for logs and for tests; nil if there
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
		all[i].Limit = w.ask()
		all[i].ExpressionAttributeNames = maps.Clone(all[i].ExpressionAttributeNames)
		all[i].ExpressionAttributeValues = maps.Clone(all[i].ExpressionAttributeValues)
	}
	return all
}

// walk begins to read the whole list.
func (l List[T]) walk(ctx context.Context) (*walk, error) {
	if l.q.Err != nil {
		return nil, l.failed()
	}
	w := newWalk(ctx, l.c, l.q, l.size(), l.wanted())
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

// failed is the error of a query that could not be made.
func (l List[T]) failed() error { return fmt.Errorf("%s: %w", l.q.Pattern.Name, l.q.Err) }

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

// distinctRequests leaves out requests that repeat an earlier one.
func distinctRequests(requests []Request) []Request {
	if len(requests) < 2 {
		return requests
	}
	seen := make(map[string]bool, len(requests))
	kept := make([]Request, 0, len(requests))
	var text []byte
	for _, r := range requests {
		text = appendItem(text[:0], r.Values)
		if !seen[string(text)] {
			seen[string(text)] = true
			kept = append(kept, r)
		}
	}
	return kept
}
