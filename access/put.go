package access

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// PutItem writes a whole item. If the condition does not hold, the error is the one of
// the write's Fault.
func PutItem(ctx context.Context, c *Client, p *Pattern, w *Write) error {
	k := c.begin(ctx, p, "PutItem")
	err := putItem(ctx, c, k, p, w)
	k.end(err)
	return err
}

func putItem(ctx context.Context, c *Client, k *call, p *Pattern, w *Write) error {
	if err := w.ready(Put); err != nil {
		return named(p.Name, w.Name, err)
	}
	table := c.tableName(w.Table)
	out, err := send(ctx, c, k, API.PutItem, &dynamodb.PutItemInput{
		TableName:                           &table,
		Item:                                w.Item,
		ConditionExpression:                 optional(&w.Condition),
		ExpressionAttributeNames:            filled(w.Names),
		ExpressionAttributeValues:           filled(w.Values),
		ReturnValuesOnConditionCheckFailure: w.onFailure(),
		ReturnConsumedCapacity:              c.capacity(),
	})
	if err != nil {
		return failed(p, w, err)
	}
	k.add(out.ConsumedCapacity, 1)
	return nil
}

// ready reports why a write cannot be sent as an action.
func (w *Write) ready(action Action) error {
	if w.Err != nil {
		return w.Err
	}
	if w.Action != action {
		return fmt.Errorf("access: a write of kind %s cannot be sent as %s", w.Action, action)
	}
	return nil
}

// onFailure asks for the item as it is if there is a condition that can fail.
func (w *Write) onFailure() types.ReturnValuesOnConditionCheckFailure {
	if w.Condition == "" {
		return ""
	}
	return types.ReturnValuesOnConditionCheckFailureAllOld
}

// String is the action as DynamoDB names it in a transaction.
func (a Action) String() string {
	switch a {
	case Put:
		return "Put"
	case Update:
		return "Update"
	case Delete:
		return "Delete"
	case Check:
		return "ConditionCheck"
	}
	return fmt.Sprintf("Action(%d)", uint8(a))
}

// optional is a text of a request that is left out when it is empty.
func optional(text *string) *string {
	if *text == "" {
		return nil
	}
	return text
}

// filled is a map of a request that is left out when it is empty: DynamoDB refuses empty
// ones.
func filled[V any](m map[string]V) map[string]V {
	if len(m) == 0 {
		return nil
	}
	return m
}
