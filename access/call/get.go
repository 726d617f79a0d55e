package call

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

// GetOne reads one item by its primary key. The error is access.ErrNotFound if there is none,
// or if decode skips it.
func GetOne[T any](ctx context.Context, c *access.Client, g *Get, decode func(access.Item) (T, error)) (T, error) {
	if affected(c, g.Pattern) {
		read := func(c *access.Client) (T, error) {
			return getOne(ctx, c, g.inPhaseOf(c), decoderIn(c, g.Pattern, decode))
		}
		value, err := readInPhase(ctx, c, read)
		if !c.Shadows() {
			return value, err
		}
		if items, failed := single(value, err); failed == nil {
			shadow(ctx, c, g.Pattern.Name, items, func(c *access.Client) ([]T, error) { return single(read(c)) })
		}
		return value, err
	}
	return getOne(ctx, c, g, decode)
}

func getOne[T any](ctx context.Context, c *access.Client, g *Get, decode func(access.Item) (T, error)) (T, error) {
	var none T
	k := begin(ctx, c, g.Pattern, "GetItem")
	item, err := getItem(ctx, c, k, g)
	if err == nil {
		var value T
		if value, err = decode(item); err == nil {
			k.end(nil)
			return value, nil
		}
		if errors.Is(err, marshal.Skip) {
			err = access.ErrNotFound
		}
	}
	err = fmt.Errorf("%s: %w", g.Pattern.Name, err)
	k.end(err)
	return none, err
}

func getItem(ctx context.Context, c *access.Client, k *recorder, g *Get) (access.Item, error) {
	if g.Err != nil {
		return nil, g.Err
	}
	table := c.Table(g.Pattern.Table)
	in := &dynamodb.GetItemInput{TableName: &table, Key: g.Key, ReturnConsumedCapacity: capacity(c)}
	if g.Projection != "" {
		in.ProjectionExpression = &g.Projection
		in.ExpressionAttributeNames = g.Names
	}
	if g.Consistent {
		in.ConsistentRead = &g.Consistent
	}
	out, err := send(ctx, c, k, access.API.GetItem, in)
	if err != nil {
		return nil, err
	}
	if out.Item == nil {
		k.add(out.ConsumedCapacity, 0)
		return nil, access.ErrNotFound
	}
	k.add(out.ConsumedCapacity, 1)
	return out.Item, nil
}

// QueryOne reads the first item of a query: one item through an index, or the first of
// several partitions. The error is access.ErrNotFound if there is none.
func QueryOne[T any](ctx context.Context, c *access.Client, q *Query, decode func(access.Item) (T, error)) (T, error) {
	return List(c, *q, decode).First(ctx)
}
