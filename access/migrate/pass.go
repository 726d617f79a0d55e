package migrate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/fanout"
)

// A pass looks at every item of a part once, segment by segment. Segments are kept in rows of the control
// table: each is leased by a worker, and its position is written after every page, so that whoever goes
// on after a crash repeats one page.
type pass struct {
	*run
	part   *part
	step   string                                                  // fill, verify, repair, remove or clean
	tables []string                                                // as the design names them; each has the same number of segments
	of     func(access.Item) (bool, error)                         // whether an item is one of the pass, or why it is of no entity
	each   func(context.Context, access.Item) (outcome, error)     // nil: sums says what is done
	sums   *sums                                                   // nil: the items are not summed up
	page   func(context.Context, []access.Item) ([]outcome, error) // what is done with the items of a page; nil: each
	books  *segments
}

// do works on segments until none is left, and returns the counts of all.
func (p *pass) do(ctx context.Context) (counts, error) {
	p.starts(p.books, p.step, p.part.Name)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	for range min(p.options.Workers, p.books.total) {
		workers.Go(func() {
			if err := p.work(ctx); err != nil {
				stop(err)
			}
		})
	}
	workers.Wait()
	if err := context.Cause(ctx); err != nil {
		return counts{}, err
	}
	return p.books.sum(ctx)
}

// work takes segments, one after the other, until all are done.
func (p *pass) work(ctx context.Context) error {
	for {
		s, err := p.books.take(ctx)
		switch {
		case err != nil:
			return err
		case s == nil && (p.alone || p.books.finished()): // alone: this process is at the rest
			return nil
		case s == nil: // others have the rest
			if err := p.sleep(ctx, p.books.poll); err != nil {
				return err
			}
			continue
		}
		err = p.segment(ctx, s)
		if err != nil && !errors.Is(err, errLostSegment) {
			p.books.release(ctx, s)
			return err
		}
	}
}

// segment goes through the rest of a segment, or through all of it where items are summed up: sums are kept only whole.
func (p *pass) segment(ctx context.Context, s *segment) error {
	each := len(p.tables)
	table, number, of := p.tables[s.number%each], s.number/each, p.books.total/each
	var summed *buckets
	if p.sums != nil {
		summed, s.position, s.counts = &buckets{}, nil, counts{}
	}
	for !s.done {
		out, err := p.scan(ctx, p.table(table), int32(number), int32(of), s.position)
		if err != nil {
			return err
		}
		var page counts
		if p.sums != nil {
			page, err = p.sums.page(ctx, table, out.Items, summed)
		} else {
			page, err = p.onPage(ctx, out.Items)
		}
		if err != nil {
			return err
		}
		s.counts.add(page)
		s.position, s.done = out.LastEvaluatedKey, len(out.LastEvaluatedKey) == 0
		if s.done && p.sums != nil {
			if err := p.sums.save(ctx, s.number, summed); err != nil {
				return err
			}
		}
		if err := p.books.save(ctx, s); err != nil {
			return err
		}
		if err := p.far(p.books); err != nil {
			return err
		}
	}
	return nil
}

// inFlight bounds the requests that a page has under way.
const inFlight = 8

// onPage does its work on the items of a page, several at a time.
func (p *pass) onPage(ctx context.Context, items []access.Item) (counts, error) {
	var total counts
	var own []access.Item
	for _, item := range items {
		is, err := p.of(item)
		if err != nil {
			total.note(conflict)
			if err := p.conflict(ctx, p.part, item, "the item is of no entity: "+err.Error()); err != nil {
				return total, err
			}
		}
		if is {
			own = append(own, item)
		}
	}
	work := p.page
	if work == nil {
		work = p.eachOf
	}
	outcomes, err := work(ctx, own)
	if err != nil {
		return total, fmt.Errorf("%s %s: %w", p.step, p.part.Name, err)
	}
	for _, o := range outcomes {
		total.note(o)
	}
	return total, nil
}

// eachOf does its work on items, several at a time.
func (p *pass) eachOf(ctx context.Context, items []access.Item) ([]outcome, error) {
	outcomes := make([]outcome, len(items))
	err := fanout.Do(ctx, inFlight, len(items), func(ctx context.Context, i int) (err error) {
		outcomes[i], err = p.each(ctx, items[i])
		return err
	})
	return outcomes, err
}

// counts adds up what became of items.
type counts struct{ seen, changed, differing, conflicts int64 }

func (c *counts) note(o outcome) {
	c.seen++
	switch o {
	case changed:
		c.changed++
	case differs:
		c.differing++
	case conflict:
		c.conflicts++
	}
}

func (c *counts) add(other counts) {
	c.seen += other.seen
	c.changed += other.changed
	c.differing += other.differing
	c.conflicts += other.conflicts
}
