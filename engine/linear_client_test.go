package engine_test

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A registerClient works on the items of the table "registers" and notes what it was told.
type registerClient struct {
	stage   *stage
	history *history
	client  int
	written int
	seen    [itemsOfRegisters]register // the state of each item that it saw last
}

const itemsOfRegisters = 3

// A call makes one request that acts on items, and returns what was told of each.
type call func(r *registerClient, ctx context.Context, acts []act) ([]told, error)

// doors are the operations that clients choose from.
var doors = []struct {
	call       call
	items      int
	verbs      []verb
	conditions bool
}{
	{gets, 1, []verb{reads}, false},
	{gets, 1, []verb{reads}, false},
	{getsBatch, 2, []verb{reads}, false},
	{getsTogether, 2, []verb{reads}, false},
	{puts, 1, []verb{sets}, true},
	{updates, 1, []verb{sets, adds, adds}, true},
	{updates, 1, []verb{sets, adds, adds}, true},
	{deletes, 1, []verb{clears}, true},
	{writesBatch, 2, []verb{sets, clears}, false},
	{writesTogether, 2, []verb{sets, adds, clears}, true},
	{writesTogether, 1, []verb{sets, adds, clears}, true},
}

var registerTable = new("registers")

func (a act) key() attributes { return attributes{"id": number(a.item)} }

// put is the item that a put makes of it.
func (a act) put() attributes { return attributes{"id": number(a.item), "n": number(int(a.number))} }

// state is what an item that was shown tells, where no item means absent.
func state(item attributes) *register { return new(register(integer(item, "n"))) }

// condition is the expression of what an act expects, with its values.
func (a act) condition() (*string, attributes) {
	switch {
	case a.expects == nil:
		return nil, nil
	case *a.expects == absent:
		return new("attribute_not_exists(id)"), nil
	}
	return new("n = :expected"), attributes{":expected": number(int(*a.expects))}
}

// expression is the update of an act that sets or adds, with its values and those of its condition.
func (a act) expression() (*string, attributes) {
	_, values := a.condition()
	all := attributes{":n": number(int(a.number))}
	for name, value := range values {
		all[name] = value
	}
	if a.verb == adds {
		return new("ADD n :n"), all
	}
	return new("SET n = :n"), all
}

// refusal turns a failed condition into what it told.
func refusal(err error) ([]told, error) {
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return []told{{refused: true, before: state(failed.Item)}}, nil
	}
	return nil, err
}

const showOld = types.ReturnValuesOnConditionCheckFailureAllOld

func gets(r *registerClient, ctx context.Context, acts []act) ([]told, error) {
	out, err := r.stage.db.API().GetItem(ctx, &dynamodb.GetItemInput{TableName: registerTable, Key: acts[0].key(), ConsistentRead: new(true)})
	if err != nil {
		return nil, err
	}
	return []told{{before: state(out.Item)}}, nil
}

func getsBatch(r *registerClient, ctx context.Context, acts []act) ([]told, error) {
	keys := &types.KeysAndAttributes{ConsistentRead: new(true)}
	answers := make([]told, len(acts))
	for i, a := range acts {
		keys.Keys = append(keys.Keys, a.key())
		answers[i].before = new(absent)
	}
	out, err := r.stage.db.API().BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{*registerTable: *keys}})
	if err != nil {
		return nil, err
	}
	if len(out.UnprocessedKeys) > 0 {
		return nil, errors.New("keys were left unprocessed")
	}
	for _, item := range out.Responses[*registerTable] {
		for i, a := range acts {
			if a.item == integer(item, "id") {
				answers[i].before = state(item)
			}
		}
	}
	return answers, nil
}

func getsTogether(r *registerClient, ctx context.Context, acts []act) (answers []told, err error) {
	in := &dynamodb.TransactGetItemsInput{}
	for _, a := range acts {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: registerTable, Key: a.key()}})
	}
	out, err := r.stage.db.API().TransactGetItems(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, response := range out.Responses {
		answers = append(answers, told{before: state(response.Item)})
	}
	return answers, nil
}

func puts(r *registerClient, ctx context.Context, acts []act) ([]told, error) {
	a := acts[0]
	condition, values := a.condition()
	out, err := r.stage.db.API().PutItem(ctx, &dynamodb.PutItemInput{
		TableName: registerTable, Item: a.put(), ReturnValues: types.ReturnValueAllOld,
		ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
	})
	if err != nil {
		return refusal(err)
	}
	return []told{{before: state(out.Attributes)}}, nil
}

// updates asks for the state before or after, in turns.
func updates(r *registerClient, ctx context.Context, acts []act) ([]told, error) {
	a := acts[0]
	condition, _ := a.condition()
	expression, values := a.expression()
	returns := types.ReturnValueAllOld
	if r.written%2 == 0 {
		returns = types.ReturnValueUpdatedNew
	}
	out, err := r.stage.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: registerTable, Key: a.key(), UpdateExpression: expression, ReturnValues: returns,
		ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
	})
	if err != nil {
		return refusal(err)
	}
	if returns == types.ReturnValueAllOld {
		return []told{{before: state(out.Attributes)}}, nil
	}
	return []told{{after: state(out.Attributes)}}, nil
}

func deletes(r *registerClient, ctx context.Context, acts []act) ([]told, error) {
	condition, values := acts[0].condition()
	out, err := r.stage.db.API().DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: registerTable, Key: acts[0].key(), ReturnValues: types.ReturnValueAllOld,
		ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
	})
	if err != nil {
		return refusal(err)
	}
	return []told{{before: state(out.Attributes)}}, nil
}

func writesBatch(r *registerClient, ctx context.Context, acts []act) ([]told, error) {
	var requests []types.WriteRequest
	for _, a := range acts {
		if a.verb == clears {
			requests = append(requests, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: a.key()}})
		} else {
			requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: a.put()}})
		}
	}
	out, err := r.stage.db.API().BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{*registerTable: requests}})
	if err == nil && len(out.UnprocessedItems) > 0 {
		err = errors.New("items were left unprocessed")
	}
	return make([]told, len(acts)), err
}

// writesTogether is a transaction. When it was cancelled for conditions, those that
// failed tell the state of their items. Of the others it is known that they did
// nothing, and that their conditions held: they become reads of what they expected,
// or of anything.
func writesTogether(r *registerClient, ctx context.Context, acts []act) ([]told, error) {
	in := &dynamodb.TransactWriteItemsInput{}
	for _, a := range acts {
		in.TransactItems = append(in.TransactItems, a.action())
	}
	_, err := r.stage.db.API().TransactWriteItems(ctx, in)
	answers := make([]told, len(acts))
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok || isConflict(err) {
		return answers, err
	}
	for i, reason := range cancelled.CancellationReasons {
		if *reason.Code == "ConditionalCheckFailed" {
			answers[i] = told{refused: true, before: state(reason.Item)}
		} else {
			answers[i] = told{before: acts[i].expects}
			acts[i] = act{item: acts[i].item}
		}
	}
	return answers, nil
}

func (a act) action() types.TransactWriteItem {
	condition, values := a.condition()
	if a.verb == clears {
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: registerTable, Key: a.key(), ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
		}}
	}
	if a.verb == sets {
		return types.TransactWriteItem{Put: &types.Put{
			TableName: registerTable, Item: a.put(), ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
		}}
	}
	expression, values := a.expression()
	return types.TransactWriteItem{Update: &types.Update{
		TableName: registerTable, Key: a.key(), UpdateExpression: expression,
		ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
	}}
}
