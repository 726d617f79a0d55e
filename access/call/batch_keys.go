package call

import (
	"context"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// BatchGetKeys is BatchGet for keys of a generated type. The method primary makes the key as
// DynamoDB takes it.
func BatchGetKeys[K, T any](ctx context.Context, c *access.Client, p *access.Pattern, keys []K, primary func(K, *marshal.KeyText) access.Item, consistent bool, decode func(access.Item) (T, error)) ([]T, error) {
	var k marshal.KeyText
	items := make([]access.Item, len(keys))
	for i, key := range keys {
		items[i] = primary(key, &k)
	}
	if err := k.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return BatchGet(ctx, c, p, items, consistent, decode)
}
