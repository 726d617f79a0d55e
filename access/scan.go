package access

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// A Sweep is the request of a pattern that reads a whole table or index.
type Sweep struct {
	Pattern    *Pattern
	Filter     string
	Projection string
	Names      map[string]string
	Values     Item
	Consistent bool
	Err        error // what went wrong when the values were made; the call returns it
}

// mostSegments is how many parts DynamoDB cuts a table into at most.
const mostSegments = 1_000_000

// A Scan reads a whole table or index, in no order. Nothing is sent until All or Each is
// called. Its methods return changed copies.
type Scan[T any] struct {
	c        *Client
	sweep    *Sweep
	decode   func(Item) (T, error)
	workers  int
	pageSize int
}

// NewScan makes the scan of a sweep. Items that decode skips, such as those of other
// entities in the table, are left out.
func NewScan[T any](c *Client, s Sweep, decode func(Item) (T, error)) Scan[T] {
	return Scan[T]{c: c, sweep: &s, decode: decode, workers: 1}
}

// Workers cuts the table into n segments that are read at the same time, as far as the
// client's concurrency allows. If it is not called there is one.
func (s Scan[T]) Workers(n int) Scan[T] {
	s.workers = min(max(n, 1), mostSegments)
	return s
}

// PageSize says how many items a request looks at; 0, and if it is not called: 1 MB.
func (s Scan[T]) PageSize(n int) Scan[T] {
	s.pageSize = max(n, 0)
	return s
}

// All reads item by item. With several workers their pages come as they are ready, and
// each has at most one waiting. After an error there is nothing more.
func (s Scan[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		read := s.readAhead
		if s.workers == 1 {
			read = s.read
		}
		left := false
		err := s.observed(ctx, read, func(_ context.Context, value T) error {
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

// errLeft says that the caller left a loop. Nobody sees it.
var errLeft = errors.New("access: the loop was left")

// Each calls handle for every item, from all workers at once. The first error ends the
// scan and is returned; the context handle gets ends with it.
func (s Scan[T]) Each(ctx context.Context, handle func(context.Context, T) error) error {
	return s.observed(ctx, s.read, handle)
}

// A taker gets the pages of a scan that have something.
type taker[T any] func(ctx context.Context, page []T) error

// observed is the whole of a call: it reads in one way or the other and calls handle for
// every item.
func (s Scan[T]) observed(ctx context.Context, read func(context.Context, *call, taker[T]) error, handle func(context.Context, T) error) error {
	k := s.c.begin(ctx, s.sweep.Pattern, "Scan")
	if s.sweep.Err != nil {
		err := fmt.Errorf("%s: %w", s.sweep.Pattern.Name, s.sweep.Err)
		k.end(err)
		return err
	}
	err := read(ctx, k, func(ctx context.Context, page []T) error {
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

// readAhead is read with the workers in the background and take called by the caller.
func (s Scan[T]) readAhead(ctx context.Context, k *call, take taker[T]) error {
	ctx, cancel := context.WithCancel(ctx)
	pages, result := make(chan []T), make(chan error, 1)
	go func() {
		result <- s.read(ctx, k, func(ctx context.Context, page []T) error {
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
func (s Scan[T]) read(ctx context.Context, k *call, take taker[T]) error {
	return fanOut(ctx, s.c.concurrency, s.workers, func(ctx context.Context, segment int) error {
		return s.segment(ctx, k, segment, take)
	})
}

func (s Scan[T]) segment(ctx context.Context, k *call, segment int, take taker[T]) error {
	table := s.c.tableName(s.sweep.Pattern.Table)
	for from := (Item)(nil); ; {
		in := s.input(&table, segment)
		in.ExclusiveStartKey = from
		out, err := send(ctx, s.c, k, API.Scan, in)
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

func (s Scan[T]) decodeAll(items []Item) ([]T, error) {
	page := make([]T, 0, len(items))
	for _, item := range items {
		value, err := s.decode(item)
		if errors.Is(err, Skip) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.sweep.Pattern.Name, ofItem(err, item, s.sweep.Pattern.Keys))
		}
		page = append(page, value)
	}
	return page, nil
}

func (s Scan[T]) input(table *string, segment int) *dynamodb.ScanInput {
	in := &dynamodb.ScanInput{
		TableName:                 table,
		ExpressionAttributeNames:  s.sweep.Names,
		ExpressionAttributeValues: s.sweep.Values,
		ReturnConsumedCapacity:    s.c.capacity(),
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
	if s.workers > 1 {
		in.Segment, in.TotalSegments = aws.Int32(int32(segment)), aws.Int32(int32(s.workers))
	}
	if s.pageSize > 0 {
		in.Limit = aws.Int32(int32(min(s.pageSize, 1<<31-1)))
	}
	return in
}
