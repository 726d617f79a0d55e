package call

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/fanout"
)

// A sweeping is the part of a scan that does not depend on the type of its items, and is therefore
// compiled once.
type sweeping struct {
	c       *access.Client
	path    *path // nil: no migration affects the scan
	sweep   Sweep
	workers int // segments that are read at the same time; at least 1
	size    int // items a request evaluates; 0: 1 MB
}

// A decodePage decodes the items of a page. It returns nil if none is left to hand over.
type decodePage func([]access.Item) (handOver, error)

// A handOver gives the decoded items of a page to the caller of a scan.
type handOver func(context.Context) error

// observed reads everything and reports the call to the observer. Ahead says that workers read in
// the background while this goroutine hands their pages over; else they do it themselves.
func (s *sweeping) observed(ctx context.Context, ahead bool, decode decodePage) error {
	k := begin(ctx, s.c, s.sweep.Pattern, "Scan")
	if s.sweep.Err != nil {
		err := fmt.Errorf("%s: %w", s.sweep.Pattern.Name, s.sweep.Err)
		k.end(err)
		return err
	}
	var err error
	if ahead {
		err = s.readAhead(ctx, k, decode)
	} else {
		err = s.read(ctx, k, decode, func(ctx context.Context, page handOver) error { return page(ctx) })
	}
	if err == errLeft {
		err = nil
	}
	k.end(err)
	return err
}

// readAhead reads like read, with the workers in the background; the pages are handed over by the caller.
func (s *sweeping) readAhead(ctx context.Context, k *recorder, decode decodePage) error {
	ctx, cancel := context.WithCancel(ctx)
	pages, result := make(chan handOver), make(chan error, 1)
	go func() {
		result <- s.read(ctx, k, decode, func(ctx context.Context, page handOver) error {
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
		if err := page(ctx); err != nil {
			return err
		}
	}
	return <-result
}

// read reads all segments, each in a worker, which also calls take for the pages that have something.
func (s *sweeping) read(ctx context.Context, k *recorder, decode decodePage, take func(context.Context, handOver) error) error {
	return fanout.Do(ctx, s.c.Options().Concurrency, s.workers, func(ctx context.Context, segment int) error {
		table := s.c.Table(s.sweep.Pattern.Table)
		for from := (access.Item)(nil); ; {
			in := s.input(&table, segment)
			in.ExclusiveStartKey = from
			out, err := sendOn(ctx, s.c, s.path, k, access.API.Scan, in)
			if err != nil {
				return fmt.Errorf("%s: %w", s.sweep.Pattern.Name, err)
			}
			k.add(out.ConsumedCapacity, len(out.Items))
			page, err := decode(out.Items)
			if err != nil {
				return err
			}
			if page != nil {
				if err := take(ctx, page); err != nil {
					return err
				}
			}
			if from = out.LastEvaluatedKey; len(from) == 0 {
				return nil
			}
		}
	})
}

func (s *sweeping) input(table *string, segment int) *dynamodb.ScanInput {
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
	if s.workers > 1 {
		in.Segment, in.TotalSegments = aws.Int32(int32(segment)), aws.Int32(int32(s.workers))
	}
	if s.size > 0 {
		in.Limit = aws.Int32(int32(min(s.size, 1<<31-1)))
	}
	return in
}
