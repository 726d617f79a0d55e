package call

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// A Sweep is the request of a pattern that reads a whole table or index.
type Sweep struct {
	Pattern    *access.Pattern
	Filter     string
	Projection string
	Names      map[string]string
	Values     access.Item
	Consistent bool
	Err        error // of making the values; the call returns it
}

// maxSegments is the most segments that DynamoDB divides a table into.
const maxSegments = 1_000_000

// Scan returns the scan of a sweep. It leaves out the items that decode skips, such as those
// of other entities in the table.
func Scan[T any](c *access.Client, s Sweep, decode func(access.Item) (T, error)) access.Scan[T] {
	one := &scan[T]{sweeping: sweeping{c: c, sweep: s, workers: 1}, decode: decode}
	if !affected(c, s.Pattern) {
		return one
	}
	old := *one
	old.sweeping.sweep = s.inOldPlace(c)
	old.decode = asNew(c, s.Pattern.Parts, decode)
	one.decode = onlyNew(c, s.Pattern, decode)
	return scanInPhase(&old, one)
}

// A scan is a sweep that reads items of one type.
type scan[T any] struct {
	sweeping sweeping // not embedded: its methods would be compiled for every type
	decode   func(access.Item) (T, error)
}

// Workers implements access.Scan.
func (s *scan[T]) Workers(n int) access.Scan[T] {
	changed := *s
	changed.sweeping.workers = min(max(n, 1), maxSegments)
	return &changed
}

// PageSize implements access.Scan.
func (s *scan[T]) PageSize(n int) access.Scan[T] {
	changed := *s
	changed.sweeping.size = max(n, 0)
	return &changed
}

// All implements access.Scan.
func (s *scan[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		left := false
		err := s.sweeping.observed(ctx, s.sweeping.workers > 1, s.pages(func(_ context.Context, value T) error {
			if left = !yield(value, nil); left {
				return errLeft
			}
			return nil
		}))
		if err != nil && !left {
			var none T
			yield(none, err)
		}
	}
}

// errLeft says that the caller left a loop. It is never returned to a caller.
var errLeft = errors.New("access: the loop was left")

// Each implements access.Scan.
func (s *scan[T]) Each(ctx context.Context, handle func(context.Context, T) error) error {
	return s.sweeping.observed(ctx, false, s.pages(handle))
}

// pages returns the function that decodes the items of a page and calls handle for them.
func (s *scan[T]) pages(handle func(context.Context, T) error) decodePage {
	return func(items []access.Item) (handOver, error) {
		page, err := s.decodeAll(items)
		if len(page) == 0 || err != nil {
			return nil, err
		}
		return func(ctx context.Context) error {
			for _, value := range page {
				if err := ctx.Err(); err != nil {
					return fmt.Errorf("%s: %w", s.sweeping.sweep.Pattern.Name, err)
				}
				if err := handle(ctx, value); err != nil {
					return err
				}
			}
			return nil
		}, nil
	}
}

func (s *scan[T]) decodeAll(items []access.Item) ([]T, error) {
	page := make([]T, 0, len(items))
	for _, item := range items {
		value, err := s.decode(item)
		if errors.Is(err, marshal.Skip) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.sweeping.sweep.Pattern.Name, ofItem(err, item, s.sweeping.sweep.Pattern.Keys))
		}
		page = append(page, value)
	}
	return page, nil
}
