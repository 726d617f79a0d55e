// Package source holds the interfaces between the lists and scans of package access and
// package call. Programs use the lists; package call sends their requests.
package source

import (
	"context"
	"iter"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// A Range limits what a list reads.
type Range struct {
	Limit    int // items in all; 0: no limit
	PageSize int // items of a page; 0: the limit, or what DynamoDB puts in a page
}

// A List reads the items of a query.
type List[T any] interface {
	All(context.Context, Range) iter.Seq2[T, error]
	Slice(context.Context, Range) ([]T, error)
	First(context.Context) (T, error)
	// Page reads the page behind a cursor and returns the cursor of the next page.
	Page(ctx context.Context, r Range, cursor string) (items []T, next string, err error)
	Count(context.Context, Range) (int64, error)
	Requests(Range) []*dynamodb.QueryInput
}

// A Split says how a scan divides its work.
type Split struct {
	Workers  int // segments that are read at the same time; at least 1
	PageSize int // items a request evaluates; 0: 1 MB
}

// A Scan reads the items of a table or an index.
type Scan[T any] interface {
	All(context.Context, Split) iter.Seq2[T, error]
	Each(ctx context.Context, s Split, handle func(context.Context, T) error) error
}
