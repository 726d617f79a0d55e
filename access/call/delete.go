package call

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
)

// DeleteItem deletes an item. Without a condition it succeeds if there is none. If the
// condition does not hold, the action's Fault makes the error.
func DeleteItem(ctx context.Context, c *access.Client, p *access.Pattern, w *Action) error {
	if w.Part != "" {
		return InPhase(ctx, c, func(c *access.Client) error {
			is := w.inPhaseOf(c)
			return remove(ctx, c, p, &is)
		})
	}
	return remove(ctx, c, p, w)
}

func remove(ctx context.Context, c *access.Client, p *access.Pattern, w *Action) error {
	k := begin(ctx, c, p, "DeleteItem")
	err := deleteItem(ctx, c, k, p, w)
	k.end(err)
	return err
}

func deleteItem(ctx context.Context, c *access.Client, k *recorder, p *access.Pattern, w *Action) error {
	if err := w.ready(Delete); err != nil {
		return named(p.Name, w.Name, err)
	}
	if w.elsewhere != nil {
		return writeBoth(ctx, c, k, p, w)
	}
	table := c.Table(w.Table)
	out, err := send(ctx, c, k, access.API.DeleteItem, &dynamodb.DeleteItemInput{
		TableName:                           &table,
		Key:                                 w.Key,
		ConditionExpression:                 optional(&w.Condition),
		ExpressionAttributeNames:            filled(w.Names),
		ExpressionAttributeValues:           filled(w.Values),
		ReturnValuesOnConditionCheckFailure: w.onFailure(),
		ReturnConsumedCapacity:              capacity(c),
	})
	if err != nil {
		return failed(p, w, err)
	}
	k.add(out.ConsumedCapacity, 1)
	return nil
}
