package migrate

import (
	"context"
	"fmt"
	"sync"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/fanout"
)

// mostKeys bounds the keys that a comparison holds in memory at a time.
const mostKeys = 1 << 20

// A comparison finds the copies that are not right, where sums of buckets differ: it scans both sides again and keeps
// the keys in those buckets, as many buckets at a time as fit. Only keys that differ are read in pairs.
type comparison struct {
	copyPass
	sums     *sums
	segments int
	each     func(context.Context, pair) (outcome, error)

	mu    sync.Mutex
	in    map[int]bool    // the buckets
	held  map[uint64]held // originals that have not been found among the copies, by the hashes of the keys of their copies
	total counts
}

// held stores what a comparison keeps of an original.
type held struct {
	item     digest
	compared uint64 // the hash of the key of an original that was compared with the copy; 0: none was
}

// compare ends a step that sums up originals and copies. seen is the number of items.
func (r *run) compare(ctx context.Context, step string, p *part, at place, segments int, seen int64) (Result, error) {
	c := &comparison{copyPass: copyPass{r, p}, sums: r.sums(step, p, at), segments: segments}
	c.each = c.check
	if step == stepRepair {
		c.each = c.repair
	}
	all, err := c.sums.differing(ctx)
	if err != nil {
		return Result{}, err
	}
	each := int(max(1, min(bucketCount, mostKeys*bucketCount/max(seen, 1))))
	for len(all) > 0 {
		n := min(each, len(all))
		if err := c.buckets(ctx, all[:n]); err != nil {
			return Result{}, fmt.Errorf("%s %s: %w", step, p.Name, err)
		}
		all = all[n:]
	}
	return c.total.result(), nil
}

// buckets compares the items of some buckets.
func (c *comparison) buckets(ctx context.Context, all []int) error {
	c.in, c.held = map[int]bool{}, map[uint64]held{}
	for _, i := range all {
		c.in[i] = true
	}
	err := c.scan(ctx, c.part.Table, originals, func(one *print, _ access.Item) *pair {
		h := c.held[one.key]
		h.item.add(one.item)
		c.held[one.key] = h
		return nil
	})
	if err == nil {
		err = c.scan(ctx, c.part.To, copies, c.ofCopy)
	}
	if err != nil || len(c.held) == 0 {
		return err
	}
	return c.scan(ctx, c.part.Table, originals, c.ofOriginal)
}

// ofCopy returns the pair of a copy that differs from its original, or nil.
func (c *comparison) ofCopy(one *print, item access.Item) *pair {
	h, isHeld := c.held[one.key]
	if isHeld && h.item == one.item {
		delete(c.held, one.key)
		return nil
	}
	of, err := c.part.pairOfCopy(item)
	if err != nil {
		return nil
	}
	if isHeld {
		h.compared = hashOf(of.original)
		c.held[one.key] = h
	}
	return &of
}

// ofOriginal returns the pair of an original that no copy led to.
func (c *comparison) ofOriginal(one *print, item access.Item) *pair {
	h, isHeld := c.held[one.key]
	if !isHeld || h.compared == hashOf(c.part.In.Old.KeyOf(item)) {
		return nil
	}
	of, err := c.part.pairOfOriginal(item)
	if err != nil {
		return nil
	}
	return &of
}

// scan calls look for the items of one side in the buckets, one at a time, and compares the pairs that it returns.
func (c *comparison) scan(ctx context.Context, table string, side int, look func(*print, access.Item) *pair) error {
	return fanout.Do(ctx, c.options.Workers, c.segments, func(ctx context.Context, segment int) error {
		var after access.Item
		for {
			if err := c.obey(ctx); err != nil {
				return err
			}
			out, err := c.run.scan(ctx, c.table(table), int32(segment), int32(c.segments), after)
			if err != nil {
				return err
			}
			if err := c.page(ctx, table, side, out.Items, look); err != nil {
				return err
			}
			if after = out.LastEvaluatedKey; len(after) == 0 {
				return nil
			}
		}
	})
}

func (c *comparison) page(ctx context.Context, table string, side int, items []access.Item, look func(*print, access.Item) *pair) error {
	found := make([]*print, len(items))
	for i, item := range items {
		if prints, err := c.sums.prints(table, item); err == nil { // else it was counted as a conflict when it was summed up
			found[i] = prints[side]
		}
	}
	var all []*pair
	c.mu.Lock()
	for i, one := range found {
		if one == nil || !c.in[one.bucket()] {
			continue
		}
		if of := look(one, items[i]); of != nil {
			all = append(all, of)
		}
	}
	c.mu.Unlock()
	return fanout.Do(ctx, inFlight, len(all), func(ctx context.Context, i int) error {
		o, err := c.each(ctx, *all[i])
		if err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.total.note(o)
		c.total.seen--
		return nil
	})
}
