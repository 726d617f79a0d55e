package access

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// GetOne reads one item by its primary key. There being none is ErrNotFound, and so is
// one that decode skips.
func GetOne[T any](ctx context.Context, c *Client, g *Get, decode func(Item) (T, error)) (T, error) {
	var none T
	k := c.begin(ctx, g.Pattern, "GetItem")
	item, err := getItem(ctx, c, k, g)
	if err == nil {
		var value T
		if value, err = decode(item); err == nil {
			k.end(nil)
			return value, nil
		}
		if errors.Is(err, Skip) {
			err = ErrNotFound
		}
	}
	err = fmt.Errorf("%s: %w", g.Pattern.Name, err)
	k.end(err)
	return none, err
}

func getItem(ctx context.Context, c *Client, k *call, g *Get) (Item, error) {
	if g.Err != nil {
		return nil, g.Err
	}
	table := c.tableName(g.Pattern.Table)
	in := &dynamodb.GetItemInput{TableName: &table, Key: g.Key, ReturnConsumedCapacity: c.capacity()}
	if g.Projection != "" {
		in.ProjectionExpression = &g.Projection
		in.ExpressionAttributeNames = g.Names
	}
	if g.Consistent {
		in.ConsistentRead = &g.Consistent
	}
	out, err := send(ctx, c, k, API.GetItem, in)
	if err != nil {
		return nil, err
	}
	if out.Item == nil {
		k.add(out.ConsumedCapacity, 0)
		return nil, ErrNotFound
	}
	k.add(out.ConsumedCapacity, 1)
	return out.Item, nil
}

// QueryOne reads the first item of a query: one item through an index, or the first of
// several partitions. There being none is ErrNotFound.
func QueryOne[T any](ctx context.Context, c *Client, q *Query, decode func(Item) (T, error)) (T, error) {
	return NewList(c, *q, decode).First(ctx)
}
