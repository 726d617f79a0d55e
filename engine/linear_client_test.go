package engine_test

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A registerClient uses the items of the table "registers" and records the outcomes.
type registerClient struct {
	testDB  *testDB
	history *history
	client  int
	written int
	seen    [itemsOfRegisters]register // the last state that it saw of each item
}

const itemsOfRegisters = 3

// A call makes one request that acts on items, and returns the outcome for each.
type call func(r *registerClient, ctx context.Context, acts []act) ([]outcome, error)

// operations lists the operations that clients choose from.
var operations = []struct {
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

// put returns the item that the act puts.
func (a act) put() attributes { return attributes{"id": number(a.item), "n": number(int(a.number))} }

// state returns the state that an item in a response shows; no item means absent.
func state(item attributes) *register { return new(register(integer(item, "n"))) }

// condition returns the condition expression of an act, with its values.
func (a act) condition() (*string, attributes) {
	switch {
	case a.expects == nil:
		return nil, nil
	case *a.expects == absent:
		return new("attribute_not_exists(id)"), nil
	}
	return new("n = :expected"), attributes{":expected": number(int(*a.expects))}
}

// expression returns the update expression of an act that sets or adds, with its values and those of its condition.
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

// refusal turns a failed condition into an outcome.
func refusal(err error) ([]outcome, error) {
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return []outcome{{refused: true, before: state(failed.Item)}}, nil
	}
	return nil, err
}

const showOld = types.ReturnValuesOnConditionCheckFailureAllOld

func gets(r *registerClient, ctx context.Context, acts []act) ([]outcome, error) {
	out, err := r.testDB.db.API().GetItem(ctx, &dynamodb.GetItemInput{TableName: registerTable, Key: acts[0].key(), ConsistentRead: new(true)})
	if err != nil {
		return nil, err
	}
	return []outcome{{before: state(out.Item)}}, nil
}

func getsBatch(r *registerClient, ctx context.Context, acts []act) ([]outcome, error) {
	keys := &types.KeysAndAttributes{ConsistentRead: new(true)}
	answers := make([]outcome, len(acts))
	for i, a := range acts {
		keys.Keys = append(keys.Keys, a.key())
		answers[i].before = new(absent)
	}
	out, err := r.testDB.db.API().BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{*registerTable: *keys}})
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

func getsTogether(r *registerClient, ctx context.Context, acts []act) (answers []outcome, err error) {
	in := &dynamodb.TransactGetItemsInput{}
	for _, a := range acts {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: registerTable, Key: a.key()}})
	}
	out, err := r.testDB.db.API().TransactGetItems(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, response := range out.Responses {
		answers = append(answers, outcome{before: state(response.Item)})
	}
	return answers, nil
}

func puts(r *registerClient, ctx context.Context, acts []act) ([]outcome, error) {
	a := acts[0]
	condition, values := a.condition()
	out, err := r.testDB.db.API().PutItem(ctx, &dynamodb.PutItemInput{
		TableName: registerTable, Item: a.put(), ReturnValues: types.ReturnValueAllOld,
		ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
	})
	if err != nil {
		return refusal(err)
	}
	return []outcome{{before: state(out.Attributes)}}, nil
}

// updates requests the state before or after, in turns.
func updates(r *registerClient, ctx context.Context, acts []act) ([]outcome, error) {
	a := acts[0]
	condition, _ := a.condition()
	expression, values := a.expression()
	returns := types.ReturnValueAllOld
	if r.written%2 == 0 {
		returns = types.ReturnValueUpdatedNew
	}
	out, err := r.testDB.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: registerTable, Key: a.key(), UpdateExpression: expression, ReturnValues: returns,
		ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
	})
	if err != nil {
		return refusal(err)
	}
	if returns == types.ReturnValueAllOld {
		return []outcome{{before: state(out.Attributes)}}, nil
	}
	return []outcome{{after: state(out.Attributes)}}, nil
}

func deletes(r *registerClient, ctx context.Context, acts []act) ([]outcome, error) {
	condition, values := acts[0].condition()
	out, err := r.testDB.db.API().DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: registerTable, Key: acts[0].key(), ReturnValues: types.ReturnValueAllOld,
		ConditionExpression: condition, ExpressionAttributeValues: values, ReturnValuesOnConditionCheckFailure: showOld,
	})
	if err != nil {
		return refusal(err)
	}
	return []outcome{{before: state(out.Attributes)}}, nil
}

func writesBatch(r *registerClient, ctx context.Context, acts []act) ([]outcome, error) {
	var requests []types.WriteRequest
	for _, a := range acts {
		if a.verb == clears {
			requests = append(requests, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: a.key()}})
		} else {
			requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: a.put()}})
		}
	}
	out, err := r.testDB.db.API().BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{*registerTable: requests}})
	if err == nil && len(out.UnprocessedItems) > 0 {
		err = errors.New("items were left unprocessed")
	}
	return make([]outcome, len(acts)), err
}

// writesTogether executes a transaction. If conditions cancelled it, the failed actions
// return the state of their items. The other actions did nothing, and their conditions
// held: they become reads of the expected state, or of any state.
func writesTogether(r *registerClient, ctx context.Context, acts []act) ([]outcome, error) {
	in := &dynamodb.TransactWriteItemsInput{}
	for _, a := range acts {
		in.TransactItems = append(in.TransactItems, a.action())
	}
	_, err := r.testDB.db.API().TransactWriteItems(ctx, in)
	answers := make([]outcome, len(acts))
	cancelled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok || isConflict(err) {
		return answers, err
	}
	for i, reason := range cancelled.CancellationReasons {
		if *reason.Code == "ConditionalCheckFailed" {
			answers[i] = outcome{refused: true, before: state(reason.Item)}
		} else {
			answers[i] = outcome{before: acts[i].expects}
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
