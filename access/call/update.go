package call

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// UpdateItem changes an item and returns the new item. If the condition does not hold, the
// action's Fault makes the error. The error is an *access.DoneError if the write succeeded but
// the returned item cannot be decoded.
func UpdateItem[T any](ctx context.Context, c *access.Client, p *access.Pattern, w *Action, decode func(access.Item) (T, error)) (T, error) {
	if w.Part != "" {
		return ValueInPhase(ctx, c, func(c *access.Client) (T, error) {
			decode := decode
			if c.Phase() < access.PhaseRead {
				decode = asNew(c, []string{w.Part}, decode)
			}
			for attempt := 1; ; attempt++ {
				all, read, err := withSources(ctx, c, []Action{*w})
				if err != nil {
					var none T
					return none, named(p.Name, w.Name, err)
				}
				is := all[0].inPhaseOf(c)
				updated, err := update(ctx, c, p, &is, decode)
				if attempt >= c.Options().Attempts || !read.changed(ctx, c, all, err) {
					return updated, err
				}
			}
		})
	}
	return update(ctx, c, p, w, decode)
}

func update[T any](ctx context.Context, c *access.Client, p *access.Pattern, w *Action, decode func(access.Item) (T, error)) (T, error) {
	k := begin(ctx, c, p, "UpdateItem")
	var updated T
	item, err := updateItem(ctx, c, k, p, w)
	if err == nil {
		if updated, err = decode(item); err != nil {
			err = &access.DoneError{Pattern: p.Name, Action: w.Name, Item: item, Cause: err}
		}
	}
	k.end(err)
	return updated, err
}

func updateItem(ctx context.Context, c *access.Client, k *recorder, p *access.Pattern, w *Action) (access.Item, error) {
	if err := w.ready(Update); err != nil {
		return nil, named(p.Name, w.Name, err)
	}
	if w.elsewhere != nil {
		return updateBoth(ctx, c, k, p, w)
	}
	table := c.Table(w.Table)
	out, err := send(ctx, c, k, access.API.UpdateItem, &dynamodb.UpdateItemInput{
		TableName:                           &table,
		Key:                                 w.Key,
		UpdateExpression:                    optional(&w.Update),
		ConditionExpression:                 optional(&w.Condition),
		ExpressionAttributeNames:            filled(w.Names),
		ExpressionAttributeValues:           filled(w.Values),
		ReturnValues:                        types.ReturnValueAllNew,
		ReturnValuesOnConditionCheckFailure: w.onFailure(),
		ReturnConsumedCapacity:              capacity(c),
	})
	if err != nil {
		return nil, failed(p, w, err)
	}
	k.add(out.ConsumedCapacity, 1)
	return out.Attributes, nil
}
