package access

import "context"

// CollectAll gives every item of a query to each, in order and from all pages. The first
// error of each ends it; each may return Skip, which does not, and such an item does not
// count.
//
// If the pattern has a limit, each gets as many items, and if there is another behind them
// the error is ErrTruncated: whoever collects wants everything, and must not take a part
// for it. That one is not shown to each, so it is also one that each would have skipped. To
// know, a request asks for one item more than the limit. What fits is then read
// in one request, and its units are those of its items; asking for just the limit would
// leave open whether anything follows, and to find out would take a further request.
func CollectAll(ctx context.Context, c *Client, q *Query, each func(Item) error) error {
	taken := 0
	list := NewList(c, *q, func(item Item) (struct{}, error) {
		if q.Limit > 0 && taken == q.Limit {
			return struct{}{}, ErrTruncated
		}
		err := each(item)
		if err == nil {
			taken++
		}
		return struct{}{}, err
	})
	if list.limit > 0 {
		list.limit++
	}
	for _, err := range list.All(ctx) {
		if err != nil {
			return err
		}
	}
	return nil
}
