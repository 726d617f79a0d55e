package call

import (
	"context"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// BatchSum adds up one number of the items with these primary keys: the rows that a
// counter is spread over. It reads nothing else of them, with one request for every
// hundred. A key without an item adds nothing. The sum is exact until parse reads it.
func BatchSum[T any](ctx context.Context, c *access.Client, p *access.Pattern, keys []access.Item, attribute string, consistent bool, parse func(string) (T, error)) (T, error) {
	b := newBatchGet(ctx, c, p, keys, consistent)
	b.only = attribute
	sum, err := batchSum(ctx, b, parse)
	b.call.end(err)
	return sum, err
}

func batchSum[T any](ctx context.Context, b *batchGet, parse func(string) (T, error)) (T, error) {
	var none T
	terms, err := batchValues(ctx, b, func(item access.Item) (access.Decimal, error) {
		from := marshal.Decode("counter", item)
		term := from.OptDecimal(b.only)
		if term == nil { // an update made the item and added nothing
			return "", from.Err()
		}
		return *term, from.Err()
	})
	if err != nil {
		return none, err
	}
	var sum access.Decimal
	for _, term := range terms {
		if sum, err = sum.Add(term); err != nil {
			return none, fmt.Errorf("%s: the sum of %s: %w", b.pattern.Name, b.only, err)
		}
	}
	value, err := parse(sum.String())
	if err != nil {
		return none, fmt.Errorf("%s: the sum of %s: %w", b.pattern.Name, b.only, err)
	}
	return value, nil
}
