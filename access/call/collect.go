package call

import (
	"context"

	"sortkey.dev/access"
)

// CollectAll calls each for every item of a query, in order and from all pages. The first
// error of each ends it, except marshal.Skip: such an item does not count.
//
// If the pattern has a limit, each gets as many items, and if there is another behind them
// the error is ErrTruncated: a caller that collects wants everything, and must not take a part
// for it. That one is not shown to each, so it is also one that each would have skipped. To
// know, a request asks for one item more than the limit. What fits is then read
// in one request, and costs the units of its items; asking for just the limit would
// leave open whether anything follows, and to find out would take a further request.
func CollectAll(ctx context.Context, c *access.Client, q *Query, each func(access.Item) error) error {
	return collect(ctx, q, each, func(decode func(access.Item) (struct{}, error)) access.List[struct{}] { return List(c, *q, decode) })
}

// CollectOfBoth is CollectAll for a pattern that has another query in the old version of the design, nil if that does not serve it.
// See ListInPhase.
func CollectOfBoth(ctx context.Context, c *access.Client, old, new *Query, each func(access.Item) error) error {
	return collect(ctx, new, each, func(decode func(access.Item) (struct{}, error)) access.List[struct{}] {
		if old == nil {
			return ListNotYet(c, *new, decode)
		}
		return ListOfBoth(c, *old, decode, *new, decode)
	})
}

func collect(ctx context.Context, q *Query, each func(access.Item) error, listOf func(func(access.Item) (struct{}, error)) access.List[struct{}]) error {
	taken := 0
	list := listOf(func(item access.Item) (struct{}, error) {
		if q.Limit > 0 && taken == q.Limit {
			return struct{}{}, access.ErrTruncated
		}
		err := each(item)
		if err == nil {
			taken++
		}
		return struct{}{}, err
	})
	if q.Limit > 0 {
		list = list.Limit(q.Limit + 1)
	}
	for _, err := range list.All(ctx) {
		if err != nil {
			return err
		}
	}
	return nil
}
