package call

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// PutItem writes a whole item. If the condition does not hold, the action's Fault makes the
// error.
func PutItem(ctx context.Context, c *access.Client, p *access.Pattern, w *Action) error {
	if w.Part != "" {
		return InPhase(ctx, c, func(c *access.Client) error {
			is := w.inPhaseOf(c)
			return put(ctx, c, p, &is)
		})
	}
	return put(ctx, c, p, w)
}

func put(ctx context.Context, c *access.Client, p *access.Pattern, w *Action) error {
	k := begin(ctx, c, p, "PutItem")
	err := putItem(ctx, c, k, p, w)
	k.end(err)
	return err
}

func putItem(ctx context.Context, c *access.Client, k *recorder, p *access.Pattern, w *Action) error {
	if err := w.ready(Put); err != nil {
		return named(p.Name, w.Name, err)
	}
	if w.elsewhere != nil {
		return writeBoth(ctx, c, k, p, w)
	}
	table := c.Table(w.Table)
	out, err := send(ctx, c, k, access.API.PutItem, &dynamodb.PutItemInput{
		TableName:                           &table,
		Item:                                w.Item,
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

// ready returns why an action cannot be sent as one of a kind.
func (w *Action) ready(action Kind) error {
	if w.Err != nil {
		return w.Err
	}
	if w.Kind != action {
		return fmt.Errorf("access: a write of kind %s cannot be sent as %s", w.Kind, action)
	}
	return nil
}

// onFailure asks for the item as it is if there is a condition that can fail.
func (w *Action) onFailure() types.ReturnValuesOnConditionCheckFailure {
	if w.Condition == "" {
		return ""
	}
	return types.ReturnValuesOnConditionCheckFailureAllOld
}

// optional returns a text of a request that is left out when it is empty.
func optional(text *string) *string {
	if *text == "" {
		return nil
	}
	return text
}

// filled returns a map of a request that is left out when it is empty: DynamoDB refuses empty
// ones.
func filled[V any](m map[string]V) map[string]V {
	if len(m) == 0 {
		return nil
	}
	return m
}
