package access

import "context"

// CollectAll gives every item of a query to each, in order and from all pages. The first
// error of each ends it; each may return Skip, which does not.
func CollectAll(ctx context.Context, c *Client, q *Query, each func(Item) error) error {
	list := NewList(c, *q, func(item Item) (struct{}, error) { return struct{}{}, each(item) })
	for _, err := range list.All(ctx) {
		if err != nil {
			return err
		}
	}
	return nil
}
