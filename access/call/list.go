package call

import (
	"context"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
)

// List returns the list of a query. It leaves out requests that repeat the values of another,
// because they would return their items twice, and sorts the rest by their values, so that
// the order in which they are given matters neither for a cursor nor for items of several
// requests with the same sort key.
func List[T any](c *access.Client, q Query, decode func(access.Item) (T, error)) access.List[T] {
	if affected(c, q.Pattern) {
		return ListOfBoth(c, q, decode, q, decode)
	}
	return newList(c, q, decode)
}

// ListOfBoth returns the list of a pattern that has another query in the old version of the design. Both decode items of the new
// version. See ListInPhase.
func ListOfBoth[T any](c *access.Client, old Query, decodeOld func(access.Item) (T, error), new Query, decode func(access.Item) (T, error)) access.List[T] {
	if affected(c, old.Pattern) {
		old.Names, decodeOld = oldNames(c, old.Pattern, old.Names), asNew(c, old.Pattern.Parts, decodeOld)
	}
	return ListInPhase(newList(c, old, decodeOld), newList(c, new, onlyNew(c, new.Pattern, decode)))
}

// ListNotYet returns the list of a pattern that the old version of the design does not serve. See ListInPhase.
func ListNotYet[T any](c *access.Client, q Query, decode func(access.Item) (T, error)) access.List[T] {
	return ListInPhase(nil, newList(c, q, onlyNew(c, q.Pattern, decode)))
}

// A list is a query that reads items of one type.
type list[T any] struct {
	listing listing // not embedded: its methods would be compiled for every type
	decode  func(access.Item) (T, error)
}

func newList[T any](c *access.Client, q Query, decode func(access.Item) (T, error)) *list[T] {
	return &list[T]{listing: newListing(c, q), decode: decode}
}

// Limit implements access.List.
func (l *list[T]) Limit(n int) access.List[T] {
	changed := *l
	changed.listing.limit = max(n, 0)
	return &changed
}

// PageSize implements access.List.
func (l *list[T]) PageSize(n int) access.List[T] {
	changed := *l
	changed.listing.size = max(n, 0)
	return &changed
}

// All implements access.List.
func (l *list[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		w, err := l.listing.walk(ctx)
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

// Slice implements access.List.
func (l *list[T]) Slice(ctx context.Context) ([]T, error) {
	w, err := l.listing.walk(ctx)
	if err != nil {
		return nil, err
	}
	items, err := gather(ctx, w, l.decode)
	w.call.end(err)
	return items, err
}

// First implements access.List.
func (l *list[T]) First(ctx context.Context) (T, error) {
	var first T
	w := l.listing.newWalk(ctx, 1, 1)
	if l.listing.q.Err != nil {
		return first, l.listing.failed(w.call)
	}
	err := each(ctx, w, l.decode, func(value T) bool { first = value; return true })
	if err == nil && w.kept == 0 {
		err = fmt.Errorf("%s: %w", l.listing.q.Pattern.Name, access.ErrNotFound)
	}
	w.call.end(err)
	return first, err
}

// Count implements access.List.
func (l *list[T]) Count(ctx context.Context) (int64, error) { return l.listing.count(ctx) }

// Request implements access.List.
func (l *list[T]) Request() *dynamodb.QueryInput {
	if all := l.listing.requests(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Requests implements access.List.
func (l *list[T]) Requests() []*dynamodb.QueryInput { return l.listing.requests() }

// Page implements access.List.
func (l *list[T]) Page(ctx context.Context, cursor string) (access.Page[T], error) {
	w := l.listing.newWalk(ctx, l.listing.pageSize(), -1)
	if l.listing.q.Err != nil {
		return access.Page[T]{}, l.listing.failed(w.call)
	}
	page, err := l.page(ctx, w, cursor)
	w.call.end(err)
	return page, err
}

// page reads the page behind a cursor.
func (l *list[T]) page(ctx context.Context, w *walk, cursor string) (access.Page[T], error) {
	codec, err := l.listing.resume(w, cursor)
	if err != nil {
		return access.Page[T]{}, err
	}
	items, err := gather(ctx, w, l.decode)
	if err != nil {
		return access.Page[T]{}, l.listing.refused(err, cursor)
	}
	next, err := l.listing.next(w, codec)
	if err != nil {
		return access.Page[T]{}, err
	}
	return access.Page[T]{Items: items, Next: next}, nil
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
