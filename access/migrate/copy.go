package migrate

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	parts "sortkey.dev/access/part"
)

// reasons of conflicts.
const (
	keyTaken = "another item has the key of its copy"
	keyKept  = "it has the same key in both versions, and other attributes"
)

// A copyPass does something to each item of a part that lies elsewhere in the next version.
type copyPass struct {
	*run
	part *part
}

// fill puts the copy of an item if there is none. Where the key of the copy follows from what can change, the same
// transaction checks that it is as read. An item that is deleted meanwhile may leave a copy behind,
// which no program reads; repair removes it.
func (p copyPass) fill(ctx context.Context, item access.Item) (outcome, error) {
	for range mostAttempts {
		copied, err := p.part.Move.Forth(item)
		switch {
		case err != nil:
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		case p.part.Stays(item, copied) && parts.EqualItems(item, copied):
			return passed, nil
		case p.part.Stays(item, copied):
			return conflict, p.conflict(ctx, p.part, item, keyKept)
		}
		failed, err := p.put(ctx, item, copied)
		switch {
		case err != nil:
			return 0, err
		case failed == nil:
			return changed, nil
		case len(failed) > 1 && failed[1] != nil: // the original is not as read
			if item, err = p.read(ctx, p.part.In.Old, p.part.Table, item); item == nil || err != nil {
				return passed, err
			}
			if is, _ := p.part.isOriginal(item); !is {
				return passed, nil
			}
			continue
		}
		have := *failed[0]
		if have == nil { // the endpoint does not return the item
			if have, err = p.read(ctx, p.part.Into.New, p.part.To, copied); err != nil || have == nil {
				return passed, err
			}
		}
		if !p.part.Own(have, item) {
			return conflict, p.conflict(ctx, p.part, item, keyTaken)
		}
		return passed, nil
	}
	return conflict, p.conflict(ctx, p.part, item, "other writers changed the item at every attempt")
}

// put puts a copy if there is none, and checks the original if that decides its key. It returns the conditions that failed,
// in order, each with the item as it is, and nil for those that held.
func (p copyPass) put(ctx context.Context, item, copied access.Item) ([]*access.Item, error) {
	table := p.table(p.part.To)
	absent := &types.Put{
		TableName: &table, Item: copied, ConditionExpression: new("attribute_not_exists(#pk)"),
		ExpressionAttributeNames:            map[string]string{"#pk": p.part.Into.New.PK},
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}
	if len(p.part.Sources) > 0 {
		w := p.original(item)
		w.asRead(item, p.part.Sources)
		return p.transact(ctx, types.TransactWriteItem{Put: absent}, types.TransactWriteItem{ConditionCheck: w.check()})
	}
	err := p.paced(ctx, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		options, err := p.permitted(ctx)
		if err != nil {
			return nil, err
		}
		out, err := p.api.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: absent.TableName, Item: absent.Item, ConditionExpression: absent.ConditionExpression,
			ExpressionAttributeNames: absent.ExpressionAttributeNames, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			ReturnValuesOnConditionCheckFailure: absent.ReturnValuesOnConditionCheckFailure,
		}, options...)
		if err != nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	})
	if unmet, failed := errors.AsType[*types.ConditionalCheckFailedException](err); failed {
		return []*access.Item{&unmet.Item}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("copy an item to %s: %w", table, err)
	}
	return nil, nil
}

// original begins a condition on the original of a copy: it is there.
func (p copyPass) original(item access.Item) *update {
	w := newUpdate(p.table(p.part.Table), p.part.In.Old.KeyOf(item))
	w.where("attribute_exists(" + w.name(p.part.In.Old.PK) + ")")
	return w
}

// remove deletes a copy. It is allowed where writers do so, too, and no program reads it.
func (p copyPass) remove(ctx context.Context, item access.Item) (outcome, error) {
	if p.part.In == p.part.Into {
		if is, _ := p.part.isOriginal(item); is {
			return passed, nil // it is its own copy
		}
	}
	return changed, p.delete(ctx, p.part.To, p.part.Into.New.KeyOf(item))
}

// clean deletes an original that no program reads or writes any more.
func (p copyPass) clean(ctx context.Context, item access.Item) (outcome, error) {
	if p.part.In == p.part.Into && p.part.isCopy(item) {
		return passed, nil // it is its own copy
	}
	return changed, p.delete(ctx, p.part.Table, p.part.In.Old.KeyOf(item))
}

func (p copyPass) delete(ctx context.Context, table string, key access.Item) error {
	table = p.table(table)
	err := p.paced(ctx, func(ctx context.Context) (*types.ConsumedCapacity, error) {
		options, err := p.permitted(ctx)
		if err != nil {
			return nil, err
		}
		out, err := p.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}, options...)
		if err != nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	})
	if err != nil {
		return fmt.Errorf("delete an item of %s: %w", table, err)
	}
	return nil
}
