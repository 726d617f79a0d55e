package call

import (
	"context"
	"errors"
	"fmt"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// GetMany reads items by their primary keys, any number of them: in batches of 100, and again for
// those that DynamoDB leaves out of an answer. The result has one element for each key, in their
// order; nil where there is no item, or decode skips it. A key that is given twice is read once.
func GetMany[T any](ctx context.Context, c *access.Client, g *Gets, decode func(access.Item) (T, error)) ([]*T, error) {
	if affected(c, g.Pattern) {
		return readInPhase(ctx, c, func(c *access.Client) ([]*T, error) {
			return getMany(ctx, c, g.inPhaseOf(c), decoderIn(c, g.Pattern, decode))
		})
	}
	return getMany(ctx, c, g, decode)
}

func getMany[T any](ctx context.Context, c *access.Client, g *Gets, decode func(access.Item) (T, error)) ([]*T, error) {
	b := newBatchGet(ctx, c, g.Pattern, g.Keys, g.Consistent)
	b.projection, b.expressed = g.Projection, g.Names
	values, err := manyValues(ctx, b, g, decode)
	b.call.end(err)
	return values, err
}

func manyValues[T any](ctx context.Context, b *batchGet, g *Gets, decode func(access.Item) (T, error)) ([]*T, error) {
	if g.Err != nil {
		return nil, fmt.Errorf("%s: %w", g.Pattern.Name, g.Err)
	}
	if err := b.read(ctx); err != nil {
		return nil, err
	}
	decoded, places := make([]T, len(b.found)), make([]*T, len(b.found))
	for i, item := range b.found {
		if item == nil {
			continue
		}
		value, err := decode(item)
		switch {
		case errors.Is(err, marshal.Skip):
		case err != nil:
			return nil, fmt.Errorf("%s: %w", g.Pattern.Name, ofItem(err, item, b.names))
		default:
			decoded[i], places[i] = value, &decoded[i]
		}
	}
	if len(b.asked) == len(places) { // no key twice
		return places, nil
	}
	all := make([]*T, len(b.asked))
	for i, at := range b.asked {
		all[i] = places[at]
	}
	return all, nil
}
