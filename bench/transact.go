package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A transaction of the workload places an order: it puts a new item, counts up
// another one and looks whether a third is there. The keys are random, so two
// transactions seldom want the same item. Every request has a token, as the
// SDKs give it one.

// The distances of a transaction's items from the key of the request.
const (
	updateOffset = iota
	checkOffset
	replaceOffset // of the item put, where the table must not grow
)

const (
	newCondition    = "attribute_not_exists(pk)"
	existsCondition = "attribute_exists(pk)"
	countExpression = "SET version = version + :one"
	conflictCode    = "TransactionConflict"
	conditionCode   = "ConditionalCheckFailed"
	canceledType    = "TransactionCanceledException"
	maxConflicts    = 100 // in a row; more is no longer bad luck
)

// transactBody returns the JSON of a transaction.
func (d *dataset) transactBody(prefix string) *template {
	table := `"TableName":"` + d.tableName(prefix) + `",`
	t := new(template).put(`{"ClientRequestToken":"`+prefix+"-").add(slotFresh, numberWidth, 0).put(`","TransactItems":[`)
	if d.putsOnly {
		for i := range putItems {
			t.put(strings.Repeat(",", min(i, 1))+`{"Put":{`+table+`"Item":`).addItem(d, i).put(`}}`)
		}
		return t.put(`]}`)
	}
	t.put(`{"Put":{` + table)
	if d.grows {
		t.put(`"ConditionExpression":"`+newCondition+`","Item":{"pk":{"S":"`+newPrefix).add(slotFresh, numberWidth, 0).put(`"}`).
			addAttributes(d).put(`}`)
	} else {
		t.put(`"ConditionExpression":"`+existsCondition+`","Item":`).addItem(d, replaceOffset)
	}
	t.put(`}},{"Update":{`+table+`"UpdateExpression":"`+countExpression+`",`+
		`"ExpressionAttributeValues":{":one":{"N":"1"}},"Key":{`).addKey(d, updateOffset)
	return t.put(`}}},{"ConditionCheck":{`+table+`"ConditionExpression":"`+existsCondition+`","Key":{`).
		addKey(d, checkOffset).put(`}}}]}`)
}

// conflicts counts the transactions of a caller that were cancelled because
// another one had an item at that time. They are repeated after a pause, as a
// client would do that does not want to keep the other one from its work.
type conflicts struct{ count int }

// The pause before a transaction is repeated doubles from the first to the last.
const (
	firstPause = 100 * time.Microsecond
	lastPause  = 5 * time.Millisecond
)

// repeat counts and waits.
func (c *conflicts) repeat(try int) {
	c.count++
	time.Sleep(min(firstPause<<min(try-1, 10), lastPause))
}

// retried returns how many requests were repeated.
func (c *conflicts) retried() int { return c.count }

// again reports whether the answer asks to repeat the request, the try-th time.
func (c *conflicts) again(status int, answer []byte, try int) bool {
	if status != http.StatusBadRequest || try >= maxConflicts || !bytes.Contains(answer, []byte(conflictCode)) {
		return false
	}
	var canceled cancellation
	if err := json.Unmarshal(answer, &canceled); err != nil || !canceled.only(conflictCode) {
		return false
	}
	c.repeat(try)
	return true
}

// againTyped returns the same for the error of a typed door.
func (c *conflicts) againTyped(err error, try int) bool {
	var canceled *types.TransactionCanceledException
	if try >= maxConflicts || !errors.As(err, &canceled) {
		return false
	}
	var same cancellation
	same.Type = canceledType
	for _, reason := range canceled.CancellationReasons {
		same.CancellationReasons = append(same.CancellationReasons, cancellationReason{aws.ToString(reason.Code)})
	}
	if !same.only(conflictCode) {
		return false
	}
	c.repeat(try)
	return true
}

// cancellation is the answer to a transaction that was not done.
type cancellation struct {
	Type                string `json:"__type"`
	CancellationReasons []cancellationReason
}

type cancellationReason struct{ Code string }

// only reports whether code is why the transaction was not done, and nothing else.
func (c cancellation) only(code string) bool {
	found := false
	for _, reason := range c.CancellationReasons {
		switch reason.Code {
		case code:
			found = true
		case "None", "":
		default:
			return false
		}
	}
	return found && strings.HasSuffix(c.Type, canceledType)
}

func (c *typedCaller) prepareTransact(table *string, prefix string) {
	if c.work.dataset.putsOnly {
		c.prepareTransactPuts(table, prefix)
		return
	}
	put, update, check := newTypedItem(newPrefix), newTypedItem(itemPrefix), newTypedItem(itemPrefix)
	c.items = []*typedItem{updateOffset: update, checkOffset: check}
	in := &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: table, Item: put.attributes, ConditionExpression: aws.String(newCondition)}},
		{Update: &types.Update{
			TableName: table, Key: update.keyOnly(), UpdateExpression: aws.String(countExpression),
			ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
		}},
		{ConditionCheck: &types.ConditionCheck{TableName: table, Key: check.keyOnly(), ConditionExpression: aws.String(existsCondition)}},
	}}
	c.call = func() error {
		fresh := freshNumber()
		put.set(c.rnd, fresh)
		return c.transact(in, prefix, fresh)
	}
}

// prepareTransactPuts prepares a transaction that puts items that are there.
func (c *typedCaller) prepareTransactPuts(table *string, prefix string) {
	in := &dynamodb.TransactWriteItemsInput{}
	for range putItems {
		item := newTypedItem(itemPrefix)
		c.items = append(c.items, item)
		in.TransactItems = append(in.TransactItems, types.TransactWriteItem{Put: &types.Put{TableName: table, Item: item.attributes}})
	}
	c.call = func() error { return c.transact(in, prefix, freshNumber()) }
}

// transact sends a transaction with a token made of the fresh number, until it
// meets no conflict.
func (c *typedCaller) transact(in *dynamodb.TransactWriteItemsInput, prefix string, fresh int) error {
	// A client that finds none makes one and leaves it in the input.
	in.ClientRequestToken = aws.String(prefix + "-" + number(fresh))
	for try := 1; ; try++ {
		_, err := c.api.TransactWriteItems(context.Background(), in)
		if err == nil || !c.againTyped(err, try) {
			return err
		}
	}
}

// verifyTransact looks at what a transaction about key has done that was just
// answered, does it again with the same token, which must change nothing,
// and with another one, which must be refused as the new item is there.
func (w workload) verifyTransact(p poster, run dataRun, key int, before storedItem, request string) error {
	d := w.dataset
	if d.putsOnly {
		return w.verifyTransactPuts(p, run, key, request)
	}
	wantVersion := func(step string, added int) error {
		after, err := d.read(p, run, d.keyOf(key))
		if err == nil && !countedUp(before, after, added) {
			err = fmt.Errorf("%s: version %q after %q", step, after.Version.N, before.Version.N)
		}
		return err
	}
	if err := wantVersion("a transaction", 1); err != nil {
		return err
	}
	_, rest, _ := strings.Cut(request, `"Item":{`)
	pk, _, _ := strings.Cut(rest, `,"`)
	if !d.grows {
		pk = d.keyOf((key + replaceOffset) % w.keys(run))
	}
	item, err := d.read(p, run, pk)
	if err != nil {
		return err
	}
	if len(item.Body.S) != d.bodyWidth() || !strings.Contains(request, item.Body.S) {
		return fmt.Errorf("a transaction: item %s was not stored: %+v", pk, item)
	}
	if _, err := call(p, string(w.op), []byte(request)); err != nil {
		return fmt.Errorf("repeated with the same token: %w", err)
	}
	if err := wantVersion("repeated with the same token", 1); err != nil || !d.grows {
		return err
	}
	other := strings.Replace(request, `"ClientRequestToken":"`, `"ClientRequestToken":"x`, 1)
	status, answer, err := p.post(string(w.op), []byte(other))
	if err != nil {
		return err
	}
	var canceled cancellation
	if err := json.Unmarshal(answer, &canceled); err != nil || status != http.StatusBadRequest || !canceled.only(conditionCode) {
		return fmt.Errorf("a new item that is there already: status %d: %.300s", status, answer)
	}
	return wantVersion("a transaction that was cancelled", 1)
}

// verifyTransactPuts checks that all items of the request are stored, and that the
// request is idempotent: an item that was changed meanwhile stays as it is.
func (w workload) verifyTransactPuts(p poster, run dataRun, key int, request string) error {
	for i := range putItems {
		if err := w.verifyStored(p, run, (key+i)%w.keys(run), request); err != nil {
			return err
		}
	}
	change := new(template).put(`{"TableName":"`+w.dataset.tableName(run.prefix)+`","Item":`).addItem(w.dataset, 0).put(`}`)
	change.fill(newRandom(uint64(freshNumber())), key, w.keys(run))
	if _, err := call(p, string(putItem), change.text); err != nil {
		return err
	}
	if _, err := call(p, string(w.op), []byte(request)); err != nil {
		return fmt.Errorf("repeated with the same token: %w", err)
	}
	if err := w.verifyStored(p, run, key, string(change.text)); err != nil {
		return fmt.Errorf("repeated with the same token: %w", err)
	}
	return nil
}

// transactPuts looks at the items that are replaced, as a transaction has to do
// for their size, and writes them and the token in one commit.
func (c *rawCaller) transactPuts(n int) error {
	d := c.work.dataset
	batch := c.db.NewBatch()
	defer batch.Close()
	for i := range putItems {
		if err := c.get((n + i) % c.keys); err != nil {
			return err
		}
		if err := batch.Set(c.key, c.newValue(), nil); err != nil {
			return err
		}
	}
	c.key = rawPartition(c.key[:0], d, rawTokens, newPrefix, freshNumber())
	return errors.Join(batch.Set(c.key, c.value[:rawTokenSize], nil), batch.Commit(c.write))
}

// transact does to the store what a transaction has to do at least: it looks
// at three items and writes two, and the token, in one commit.
func (c *rawCaller) transact(n int) error {
	if c.work.dataset.putsOnly {
		return c.transactPuts(n)
	}
	d, fresh := c.work.dataset, freshNumber()
	for _, offset := range []int{updateOffset, checkOffset} {
		if err := c.get((n + offset) % c.keys); err != nil {
			return err
		}
	}
	if d.grows {
		c.key = rawPartition(c.key[:0], d, rawItems, newPrefix, fresh)
	} else {
		c.key = rawItemKey(c.key[:0], d, (n+replaceOffset)%c.keys)
	}
	_, closer, err := c.db.Get(c.key)
	switch {
	case err == nil && d.grows:
		err = errors.Join(fmt.Errorf("new item %d is there already", fresh), closer.Close())
	case err == nil:
		err = closer.Close()
	case d.grows && errors.Is(err, errNotFound):
		err = nil
	}
	if err != nil {
		return err
	}
	batch := c.db.NewBatch()
	defer batch.Close()
	err = batch.Set(c.key, c.newValue(), nil)
	c.key = rawItemKey(c.key[:0], d, n)
	err = errors.Join(err, batch.Set(c.key, c.newValue(), nil))
	c.key = rawPartition(c.key[:0], d, rawTokens, newPrefix, fresh)
	return errors.Join(err, batch.Set(c.key, c.value[:rawTokenSize], nil), batch.Commit(c.write))
}
