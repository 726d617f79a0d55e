package access

import (
	"context"
	"iter"

	"sortkey.dev/access/internal/source"
)

// maxSegments is the most segments that DynamoDB divides a table into.
const maxSegments = 1_000_000

// A Scan reads a whole table or index, in no order. Nothing is sent until All or Each is
// called. Workers and PageSize return changed copies.
type Scan[T any] struct {
	source source.Scan[T]
	split  source.Split
}

// NewScan returns the scan of a source. Package call makes the sources; programs get their
// scans from the methods of a generated package.
func NewScan[T any](s source.Scan[T]) Scan[T] {
	return Scan[T]{source: s, split: source.Split{Workers: 1}}
}

// Workers divides the table into n segments that are read at the same time, as far as the
// client's concurrency allows. The default is 1.
func (s Scan[T]) Workers(n int) Scan[T] {
	s.split.Workers = min(max(n, 1), maxSegments)
	return s
}

// PageSize sets how many items a request evaluates. The default, 0, is 1 MB of items.
func (s Scan[T]) PageSize(n int) Scan[T] {
	s.split.PageSize = max(n, 0)
	return s
}

// All reads item by item. With several workers their pages come as they are ready, and each
// worker has at most one waiting. An error ends the sequence.
func (s Scan[T]) All(ctx context.Context) iter.Seq2[T, error] { return s.source.All(ctx, s.split) }

// Each calls handle for every item, from all workers at the same time. The first error ends
// the scan and is returned; the context that handle gets is cancelled then.
func (s Scan[T]) Each(ctx context.Context, handle func(context.Context, T) error) error {
	return s.source.Each(ctx, s.split, handle)
}
