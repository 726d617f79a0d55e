package call

import (
	"context"
	"fmt"
	"iter"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/source"
)

// List returns the list of a query. It leaves out requests that repeat the values of another,
// because they would return their items twice, and sorts the rest by their values, so that
// the order in which they are given matters neither for a cursor nor for items of several
// requests with the same sort key.
func List[T any](c *access.Client, q Query, decode func(access.Item) (T, error)) access.List[T] {
	return access.NewList[T](newList(c, q, decode), max(q.Limit, 0))
}

// A list is a query that reads items of one type.
type list[T any] struct {
	c      *access.Client
	q      Query
	decode func(access.Item) (T, error)
}

func newList[T any](c *access.Client, q Query, decode func(access.Item) (T, error)) *list[T] {
	q.Requests = distinctRequests(&q)
	if q.Segments > 1 && q.scans() {
		q.Requests = segments(&q)
	}
	return &list[T]{c: c, q: q, decode: decode}
}

// All implements source.List.
func (l *list[T]) All(ctx context.Context, r source.Range) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		w, err := l.walk(ctx, r)
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

// Slice implements source.List.
func (l *list[T]) Slice(ctx context.Context, r source.Range) ([]T, error) {
	w, err := l.walk(ctx, r)
	if err != nil {
		return nil, err
	}
	items, err := gather(ctx, w, l.decode)
	w.call.end(err)
	return items, err
}

// First implements source.List.
func (l *list[T]) First(ctx context.Context) (T, error) {
	var first T
	w := newWalk(ctx, l.c, &l.q, 1, 1)
	if l.q.Err != nil {
		return first, l.failed(w.call)
	}
	err := each(ctx, w, l.decode, func(value T) bool { first = value; return true })
	if err == nil && w.kept == 0 {
		err = fmt.Errorf("%s: %w", l.q.Pattern.Name, access.ErrNotFound)
	}
	w.call.end(err)
	return first, err
}

// Requests implements source.List.
func (l *list[T]) Requests(r source.Range) []*dynamodb.QueryInput {
	if l.q.Err != nil || l.q.scans() {
		return nil
	}
	w := walk{q: &l.q, size: pageSize(r), left: wanted(r)}
	all := make([]*dynamodb.QueryInput, len(l.q.Requests))
	for i := range all {
		table := l.c.Table(l.q.Pattern.Table)
		all[i] = l.q.input(l.c, &table, &l.q.Requests[i])
		all[i].Limit = w.ask(&reader{})
		all[i].ExpressionAttributeNames = maps.Clone(all[i].ExpressionAttributeNames)
		all[i].ExpressionAttributeValues = maps.Clone(all[i].ExpressionAttributeValues)
	}
	return all
}

// walk begins to read the whole list.
func (l *list[T]) walk(ctx context.Context, r source.Range) (*walk, error) {
	w := newWalk(ctx, l.c, &l.q, pageSize(r), wanted(r))
	if l.q.Err != nil {
		return nil, l.failed(w.call)
	}
	w.together = true
	return w, nil
}

// gather reads what is left of a walk.
func gather[T any](ctx context.Context, w *walk, decode func(access.Item) (T, error)) ([]T, error) {
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

// expected returns how many items there are to keep with the one just taken, as far as is
// known.
func (w *walk) expected() int {
	n := w.buffered()
	if w.left >= 0 {
		n = min(n, w.left)
	}
	return n + 1
}

// failed ends the call of a query that could not be made.
func (l *list[T]) failed(k *recorder) error {
	err := fmt.Errorf("%s: %w", l.q.Pattern.Name, l.q.Err)
	k.end(err)
	return err
}

// wanted returns the limit of a range as a walk counts it: below 0 there is none.
func wanted(r source.Range) int {
	if r.Limit == 0 {
		return -1
	}
	return r.Limit
}

// pageSize returns how many items a page has; 0: as many as DynamoDB puts in one.
func pageSize(r source.Range) int {
	if r.PageSize > 0 {
		return r.PageSize
	}
	return r.Limit
}
