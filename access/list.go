package access

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// A List reads the items of an access pattern. Nothing is sent until All, Slice, First, Page
// or Count is called, and each call reads anew. Limit and PageSize return changed copies.
//
// It is an interface because every package that uses a generated package compiles the methods of
// all its lists anew; those of an interface are tiny. Programs get lists from the methods of a generated package.
type List[T any] interface {
	// Limit sets how many items All, Slice and Count read at most; 0: no limit. The default is
	// the limit of the pattern.
	Limit(n int) List[T]

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
	PageSize(n int) List[T]

	// All reads item by item, up to the limit, and fetches the next page when the loop reaches it. An
	// error ends the sequence. Code that decides by what is not in the list, such as whether a person
	// is blocked, calls Limit(0) first, or gets the one item by its key.
	All(ctx context.Context) iter.Seq2[T, error]

	// Slice reads all items up to the limit.
	Slice(ctx context.Context) ([]T, error)

	// First reads the first item. If there is none, the error is ErrNotFound.
	First(ctx context.Context) (T, error)

	// Count counts the items up to the limit without fetching them, which takes as many read
	// units as reading them. It counts the items that DynamoDB finds, with those that decoding
	// would skip.
	Count(ctx context.Context) (int64, error)

	// Page reads one page: the first for an empty cursor, else the page behind a page's Next.
	// Pages continue past the limit, to the last item.
	//
	// A cursor is valid for its pattern and for the keys it was made for, in any order, else the
	// error is ErrBadCursor. The other arguments may change; but if the cursor is then outside
	// the range that is read, as happens when a range begins now, the error is ErrBadCursor too.
	Page(ctx context.Context, cursor string) (Page[T], error)

	// Request returns the first query that All would send, for logs and tests; nil if it would send
	// none, or scans.
	Request() *dynamodb.QueryInput

	// Requests returns the queries that All would begin with: one, or one for each shard or value,
	// in the order of their values. A scan has none.
	Requests() []*dynamodb.QueryInput
}

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
