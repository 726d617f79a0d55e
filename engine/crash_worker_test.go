package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A worker writes items that it owns to both tables.
type worker struct {
	*actor
	rnd *rand.Rand
	now func() int // seconds
}

var hotItem = itemID{"main", "hot", "0"}

func (w *worker) mainID() itemID {
	return itemID{"main", fmt.Sprintf("%s-%d", w.name, w.rnd.IntN(2)), fmt.Sprint(w.rnd.IntN(3))}
}

func (w *worker) plainID() itemID {
	return itemID{"plain", fmt.Sprintf("%s-%d", w.name, w.rnd.IntN(3)), "0"}
}

// doc returns a new version of an item. Some versions are left out of some indexes.
func (w *worker) doc(id itemID) doc {
	d := doc{"pk": id.pk, "sk": id.sk, "op": len(w.steps), "pad": strings.Repeat("x", w.rnd.IntN(500))}
	if w.rnd.IntN(4) > 0 {
		d["group"] = fmt.Sprint("g", w.rnd.IntN(3))
	}
	if w.rnd.IntN(4) > 0 {
		d["rank"] = w.rnd.IntN(5)
	}
	return d
}

// step returns a random step.
func (w *worker) step() *step {
	kinds := []func(*step){
		w.put, w.put, w.update, w.update, w.delete, w.batch, w.transact, w.transact, w.transact,
		w.putShortLived, w.addHot, w.refusedPut, w.cancelledTransaction, w.putAgain,
	}
	s := &step{next: w.last().clone()}
	kinds[w.rnd.IntN(len(kinds))](s)
	return s
}

func (w *worker) put(s *step) {
	id := w.mainID()
	d := w.doc(id)
	s.what = "put"
	s.next.items[id] = d.stored()
	s.run = runPut(&dynamodb.PutItemInput{TableName: &id.table, Item: d.attributes()})
}

func runPut(in *dynamodb.PutItemInput) func(context.Context, *API) error {
	return func(ctx context.Context, api *API) error {
		_, err := api.PutItem(ctx, in)
		return err
	}
}

// putAgain puts an item unchanged.
func (w *worker) putAgain(s *step) {
	var same doc
	for id, item := range s.next.items {
		if _, expires := numberOf(item, "until"); !expires && id.table == "main" {
			same = docOf(item)
			break
		}
	}
	if same == nil {
		w.put(s)
		return
	}
	s.what = "put again"
	s.run = runPut(&dynamodb.PutItemInput{TableName: new("main"), Item: same.attributes()})
}

// docOf decodes a stored item.
func docOf(item string) doc {
	d := doc{}
	for _, name := range []string{"pk", "sk", "pad", "group"} {
		if text := textOf(item, name); text != "" || name == "pad" {
			d[name] = text
		}
	}
	for _, name := range []string{"op", "rank"} {
		if n, there := numberOf(item, name); there {
			d[name] = n
		}
	}
	return d
}

// putShortLived puts an item that expires in a few seconds. It is never written again.
func (w *worker) putShortLived(s *step) {
	id := itemID{"main", w.name + "-fly", fmt.Sprint(len(w.steps))}
	d := w.doc(id)
	d["until"] = w.now() + w.rnd.IntN(5)
	s.what = "put a short-lived item"
	s.next.items[id] = d.stored()
	s.run = runPut(&dynamodb.PutItemInput{TableName: &id.table, Item: d.attributes()})
}

// change returns an update that sets the version, sometimes the rank, and removes the group.
func (w *worker) change(s *step, id itemID) *types.Update {
	d := doc{"pk": id.pk, "sk": id.sk, "pad": ""}
	if old, there := s.next.items[id]; there {
		d = docOf(old)
	}
	delete(d, "group")
	d["op"], d["rank"] = len(w.steps), w.rnd.IntN(5)
	s.next.items[id] = d.stored()
	return &types.Update{
		TableName: &id.table, Key: id.key(),
		UpdateExpression:         new("SET #op = :op, #rank = :rank, #pad = if_not_exists(#pad, :none) REMOVE #group"),
		ExpressionAttributeNames: map[string]string{"#op": "op", "#rank": "rank", "#pad": "pad", "#group": "group"},
		ExpressionAttributeValues: doc{
			":op": d["op"], ":rank": d["rank"], ":none": "",
		}.attributes(),
	}
}

func (w *worker) update(s *step) {
	u := w.change(s, w.mainID())
	s.what = "update"
	s.run = runUpdate(&dynamodb.UpdateItemInput{TableName: u.TableName, Key: u.Key, UpdateExpression: u.UpdateExpression,
		ExpressionAttributeNames: u.ExpressionAttributeNames, ExpressionAttributeValues: u.ExpressionAttributeValues})
}

func runUpdate(in *dynamodb.UpdateItemInput) func(context.Context, *API) error {
	return func(ctx context.Context, api *API) error {
		_, err := api.UpdateItem(ctx, in)
		return err
	}
}

// addHot adds to an item that all workers write.
func (w *worker) addHot(s *step) {
	s.what = "add to the hot item"
	s.next.hot++
	s.run = runUpdate(&dynamodb.UpdateItemInput{TableName: &hotItem.table, Key: hotItem.key(), UpdateExpression: new("ADD #w :one"),
		ExpressionAttributeNames: map[string]string{"#w": w.name}, ExpressionAttributeValues: doc{":one": 1}.attributes()})
}

func (w *worker) delete(s *step) {
	id := w.mainID()
	s.what = "delete"
	delete(s.next.items, id)
	s.run = func(ctx context.Context, api *API) error {
		_, err := api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &id.table, Key: id.key()})
		return err
	}
}

// batch writes to both tables.
func (w *worker) batch(s *step) {
	requests := map[string][]types.WriteRequest{}
	seen := map[itemID]bool{}
	for _, id := range []itemID{w.mainID(), w.plainID(), w.mainID(), w.plainID()} {
		if seen[id] {
			continue
		}
		seen[id] = true
		if w.rnd.IntN(4) == 0 {
			delete(s.next.items, id)
			requests[id.table] = append(requests[id.table], types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: id.key()}})
			continue
		}
		d := w.doc(id)
		s.next.items[id] = d.stored()
		requests[id.table] = append(requests[id.table], types.WriteRequest{PutRequest: &types.PutRequest{Item: d.attributes()}})
	}
	s.what = "batch"
	s.run = runBatch(requests)
}

func runBatch(requests map[string][]types.WriteRequest) func(context.Context, *API) error {
	return func(ctx context.Context, api *API) error {
		_, err := api.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: requests})
		return err
	}
}

// transact writes to both tables in one transaction with a token.
func (w *worker) transact(s *step) {
	put, update, drop := w.mainID(), w.plainID(), w.mainID()
	d := w.doc(put)
	s.what = "transaction"
	s.next.items[put] = d.stored()
	actions := []types.TransactWriteItem{
		{Put: &types.Put{TableName: &put.table, Item: d.attributes()}},
		{Update: w.change(s, update)},
	}
	if drop != put {
		delete(s.next.items, drop)
		actions = append(actions, types.TransactWriteItem{Delete: &types.Delete{TableName: &drop.table, Key: drop.key()}})
	}
	w.begin(s, actions)
}

func (w *worker) begin(s *step, actions []types.TransactWriteItem) {
	s.transaction = &dynamodb.TransactWriteItemsInput{
		TransactItems:          actions,
		ClientRequestToken:     new(fmt.Sprintf("%s-%d", w.name, len(w.steps))),
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	s.run = func(ctx context.Context, api *API) error { return s.transactOnce(ctx, api, false) }
}

// transactOnce sends the transaction and checks the response: whether it was replayed,
// or rejected for the right reason.
func (s *step) transactOnce(ctx context.Context, api *API, replay bool) error {
	out, err := api.TransactWriteItems(ctx, s.transaction)
	if s.refused {
		return refusal[*types.TransactionCanceledException](err)
	}
	if err != nil {
		return err
	}
	if got := isReplay(out); got != replay {
		return fmt.Errorf("replayed: %v, want %v", got, replay)
	}
	return nil
}

// refusal returns nil if err is the expected error.
func refusal[E error](err error) error {
	if _, refused := errors.AsType[E](err); refused {
		return nil
	}
	if err == nil {
		return fmt.Errorf("succeeded, want %T", *new(E))
	}
	return err
}

// isReplay reports whether a transaction had been committed before: it is charged as reads.
func isReplay(out *dynamodb.TransactWriteItemsOutput) bool {
	for _, c := range out.ConsumedCapacity {
		if c.WriteCapacityUnits != nil && *c.WriteCapacityUnits > 0 {
			return false
		}
	}
	return true
}

// neverHolds is a condition that does not hold.
var neverHolds = new("attribute_exists(nowhere)")

// cancelledTransaction has one action that could succeed and one that cannot.
func (w *worker) cancelledTransaction(s *step) {
	before := s.next.clone()
	put, update := w.mainID(), w.plainID()
	s.what, s.refused = "cancelled transaction", true
	w.begin(s, []types.TransactWriteItem{
		{Update: w.change(s, update)},
		{Put: &types.Put{TableName: &put.table, Item: w.doc(put).attributes(), ConditionExpression: neverHolds}},
	})
	s.next = before
}

func (w *worker) refusedPut(s *step) {
	id := w.mainID()
	in := &dynamodb.PutItemInput{TableName: &id.table, Item: w.doc(id).attributes(), ConditionExpression: neverHolds}
	s.what = "refused put"
	s.run = func(ctx context.Context, api *API) error {
		_, err := api.PutItem(ctx, in)
		return refusal[*types.ConditionalCheckFailedException](err)
	}
}
