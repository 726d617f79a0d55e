package access

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access/internal/source"
)

// A List reads the items of an access pattern. Nothing is sent until All, Slice, First, Page
// or Count is called, and each call reads anew. Limit and PageSize return changed copies.
type List[T any] struct {
	source source.List[T]
	r      source.Range
}

// NewList returns the list of a source. Package call makes the sources; programs get their
// lists from the methods of a generated package.
func NewList[T any](s source.List[T], limit int) List[T] {
	return List[T]{source: s, r: source.Range{Limit: limit}}
}

// Limit sets how many items All, Slice and Count read at most; 0: no limit. The default is
// the limit of the pattern.
func (l List[T]) Limit(n int) List[T] {
	l.r.Limit = max(n, 0)
	return l
}

// PageSize sets how many items a page has at most. The default is the limit; without a limit
// DynamoDB ends a page at 1 MB.
//
// PageSize also decides how many items a request asks for, and with that the capacity units
// of a list. DynamoDB counts items before it filters, and ends a response at 1 MB.
//
//   - Without a filter a request asks for the page size, or for the rest of the limit if that
//     is less. Each time decoding skips the whole response, the next request asks for twice
//     as many.
//   - With a filter a request asks for ten times as many, and for at least 100. If fewer are
//     kept than were wanted, the next request asks for twice as many as the one before. So a
//     page out of a large partition does not read all of it, a page of which the filter drops
//     nearly everything needs few requests, and less than 100 items are read in one.
//   - A list without a limit and a page size sends no number.
func (l List[T]) PageSize(n int) List[T] {
	l.r.PageSize = max(n, 0)
	return l
}

// All reads item by item and fetches the next page when the loop reaches it. An error ends
// the sequence.
func (l List[T]) All(ctx context.Context) iter.Seq2[T, error] { return l.source.All(ctx, l.r) }

// Slice reads all items up to the limit.
func (l List[T]) Slice(ctx context.Context) ([]T, error) { return l.source.Slice(ctx, l.r) }

// First reads the first item. If there is none, the error is ErrNotFound.
func (l List[T]) First(ctx context.Context) (T, error) { return l.source.First(ctx) }

// Count counts the items up to the limit without fetching them, which takes as many read
// units as reading them. It counts the items that DynamoDB finds, with those that decoding
// would skip.
func (l List[T]) Count(ctx context.Context) (int64, error) { return l.source.Count(ctx, l.r) }

// A Page is a part of a list.
type Page[T any] struct {
	Items []T
	// Next is the cursor of the next page, safe in a URL; "" at the end. The page behind a
	// cursor may be empty: DynamoDB does not always know that it has reached the end.
	//
	// A cursor holds a key for each request of the pattern that has more items. With one
	// request it is about as long as a sort key; a pattern that reads many keys at once makes a
	// long cursor, which belongs in the body of a POST rather than in a URL.
	Next string
}

// Page reads one page: the first for an empty cursor, else the page behind a page's Next.
// Pages continue past the limit, to the last item.
//
// A cursor is valid for its pattern and for the keys it was made for, in any order, else the
// error is ErrBadCursor. The other arguments may change; but if the cursor is then outside
// the range that is read, as happens when a range begins now, the error is ErrBadCursor too.
func (l List[T]) Page(ctx context.Context, cursor string) (Page[T], error) {
	items, next, err := l.source.Page(ctx, l.r, cursor)
	return Page[T]{Items: items, Next: next}, err
}

// Request returns the first query that All would send, for logs and tests; nil if it would send
// none, or scans.
func (l List[T]) Request() *dynamodb.QueryInput {
	if all := l.Requests(); len(all) > 0 {
		return all[0]
	}
	return nil
}

// Requests returns the queries that All would begin with: one, or one for each shard or value,
// in the order of their values. A scan has none.
func (l List[T]) Requests() []*dynamodb.QueryInput { return l.source.Requests(l.r) }
