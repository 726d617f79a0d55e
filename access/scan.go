package access

import (
	"context"
	"iter"
)

// A Scan reads a whole table or index, in no order. Nothing is sent until All or Each is
// called. Workers and PageSize return changed copies. Like List it is an interface to be compiled fast.
type Scan[T any] interface {
	// Workers divides the table into n segments that are read at the same time, as far as the
	// client's concurrency allows. The default is 1.
	Workers(n int) Scan[T]

	// PageSize sets how many items a request evaluates. The default, 0, is 1 MB of items.
	PageSize(n int) Scan[T]

	// All reads item by item. With several workers their pages come as they are ready, and each
	// worker has at most one waiting. An error ends the sequence.
	All(ctx context.Context) iter.Seq2[T, error]

	// Each calls handle for every item, from all workers at the same time. The first error ends
	// the scan and is returned; the context that handle gets is cancelled then.
	Each(ctx context.Context, handle func(context.Context, T) error) error
}
