package access

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// DeleteItem deletes an item. Without a condition there need not be one. If the condition
// does not hold, the error is the one of the write's Fault.
func DeleteItem(ctx context.Context, c *Client, p *Pattern, w *Write) error {
	k := c.begin(ctx, p, "DeleteItem")
	err := deleteItem(ctx, c, k, p, w)
	k.end(err)
	return err
}

func deleteItem(ctx context.Context, c *Client, k *call, p *Pattern, w *Write) error {
	if err := w.ready(Delete); err != nil {
		return named(p.Name, w.Name, err)
	}
	table := c.tableName(w.Table)
	out, err := send(ctx, c, k, API.DeleteItem, &dynamodb.DeleteItemInput{
		TableName:                           &table,
		Key:                                 w.Key,
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
