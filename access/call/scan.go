package call

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/source"
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

// Scan returns the scan of a sweep. It leaves out the items that decode skips, such as those
// of other entities in the table.
func Scan[T any](c *access.Client, s Sweep, decode func(access.Item) (T, error)) access.Scan[T] {
	return access.NewScan[T](&scan[T]{c: c, sweep: s, decode: decode})
}

// A scan is a sweep that reads items of one type.
type scan[T any] struct {
	c      *access.Client
	sweep  Sweep
	decode func(access.Item) (T, error)
}

// All implements source.Scan.
func (s *scan[T]) All(ctx context.Context, split source.Split) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		read := s.readAhead
		if split.Workers == 1 {
			read = s.read
		}
		left := false
		err := s.observed(ctx, split, read, func(_ context.Context, value T) error {
			if left = !yield(value, nil); left {
				return errLeft
			}
			return nil
		})
		if err != nil && !left {
			var none T
			yield(none, err)
		}
	}
}

// errLeft says that the caller left a loop. It is never returned to a caller.
var errLeft = errors.New("access: the loop was left")

// Each implements source.Scan.
func (s *scan[T]) Each(ctx context.Context, split source.Split, handle func(context.Context, T) error) error {
	return s.observed(ctx, split, s.read, handle)
}

// A taker gets the pages of a scan that have something.
type taker[T any] func(ctx context.Context, page []T) error

// observed reads with read, calls handle for every item and reports the call to the observer.
func (s *scan[T]) observed(ctx context.Context, split source.Split, read func(context.Context, source.Split, *recorder, taker[T]) error, handle func(context.Context, T) error) error {
	k := begin(ctx, s.c, s.sweep.Pattern, "Scan")
	if s.sweep.Err != nil {
		err := fmt.Errorf("%s: %w", s.sweep.Pattern.Name, s.sweep.Err)
		k.end(err)
		return err
	}
	err := read(ctx, split, k, func(ctx context.Context, page []T) error {
		for _, value := range page {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("%s: %w", s.sweep.Pattern.Name, err)
			}
			if err := handle(ctx, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err == errLeft {
		err = nil
	}
	k.end(err)
	return err
}

// readAhead reads like read, with the workers in the background and take called by the caller.
func (s *scan[T]) readAhead(ctx context.Context, split source.Split, k *recorder, take taker[T]) error {
	ctx, cancel := context.WithCancel(ctx)
	pages, result := make(chan []T), make(chan error, 1)
	go func() {
		result <- s.read(ctx, split, k, func(ctx context.Context, page []T) error {
			select {
			case pages <- page:
				return nil
			case <-ctx.Done():
				return fmt.Errorf("%s: %w", s.sweep.Pattern.Name, ctx.Err())
			}
		})
		close(pages)
	}()
	defer func() { // also if the loop's body panics
		cancel()
		for range pages {
		}
	}()
	for page := range pages {
		if err := take(ctx, page); err != nil {
			return err
		}
	}
	return <-result
}

// read reads all segments, each in a worker, which also calls take.
func (s *scan[T]) read(ctx context.Context, split source.Split, k *recorder, take taker[T]) error {
	return fanOut(ctx, s.c.Options().Concurrency, split.Workers, func(ctx context.Context, segment int) error {
		return s.segment(ctx, split, k, segment, take)
	})
}

func (s *scan[T]) segment(ctx context.Context, split source.Split, k *recorder, segment int, take taker[T]) error {
	table := s.c.Table(s.sweep.Pattern.Table)
	for from := (access.Item)(nil); ; {
		in := s.input(&table, split, segment)
		in.ExclusiveStartKey = from
		out, err := send(ctx, s.c, k, access.API.Scan, in)
		if err != nil {
			return fmt.Errorf("%s: %w", s.sweep.Pattern.Name, err)
		}
		k.add(out.ConsumedCapacity, len(out.Items))
		page, err := s.decodeAll(out.Items)
		if err != nil {
			return err
		}
		if len(page) > 0 {
			if err := take(ctx, page); err != nil {
				return err
			}
		}
		if from = out.LastEvaluatedKey; len(from) == 0 {
			return nil
		}
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
			return nil, fmt.Errorf("%s: %w", s.sweep.Pattern.Name, ofItem(err, item, s.sweep.Pattern.Keys))
		}
		page = append(page, value)
	}
	return page, nil
}

func (s *scan[T]) input(table *string, split source.Split, segment int) *dynamodb.ScanInput {
	in := &dynamodb.ScanInput{
		TableName:                 table,
		ExpressionAttributeNames:  s.sweep.Names,
		ExpressionAttributeValues: s.sweep.Values,
		ReturnConsumedCapacity:    capacity(s.c),
	}
	if s.sweep.Pattern.Index != "" {
		in.IndexName = &s.sweep.Pattern.Index
	}
	if s.sweep.Filter != "" {
		in.FilterExpression = &s.sweep.Filter
	}
	if s.sweep.Projection != "" {
		in.ProjectionExpression = &s.sweep.Projection
	}
	if s.sweep.Consistent {
		in.ConsistentRead = &s.sweep.Consistent
	}
	if split.Workers > 1 {
		in.Segment, in.TotalSegments = aws.Int32(int32(segment)), aws.Int32(int32(split.Workers))
	}
	if split.PageSize > 0 {
		in.Limit = aws.Int32(int32(min(split.PageSize, 1<<31-1)))
	}
	return in
}
