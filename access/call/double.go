package call

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/internal/code"
	"sortkey.dev/access/internal/fanout"
)

// mostDoubles bounds how often a write to two places is sent while copies are missing and other writers change the items.
const mostDoubles = 30

// A double is a transaction in which items are written in two places. Updates change a copy that is there. If it is missing,
// the double makes it in a transaction of its own, and tries again.
type double struct {
	c      *access.Client
	k      *recorder
	writes []Action
	gone   []bool // by update: its item is in neither place, as far as is known
	alone  []bool // by update: its item can have no copy, and has none
}

func newDouble(c *access.Client, k *recorder, writes []Action) *double {
	return &double{c: c, k: k, writes: writes, gone: make([]bool, len(writes)), alone: make([]bool, len(writes))}
}

// actions returns the writes in the first places, in order, and then those in the second ones, with the index of the first.
func (d *double) actions() (all []Action, of []int) {
	all = make([]Action, len(d.writes), 2*len(d.writes))
	for i, w := range d.writes {
		e := w.elsewhere
		w.elsewhere = nil
		all[i] = w
		if e == nil {
			continue
		}
		second := e.second
		second.client = w.client
		if second.Kind == Update {
			if !e.pinned {
				all[i] = exists(w, e.places.first, !d.gone[i])
			}
			if second.Update == "" && w.Update == "" {
				continue
			}
			if d.alone[i] {
				second = Action{Kind: Check, Name: w.Name, Table: second.Table, Key: second.Key, KeyNames: second.KeyNames, client: w.client}
			}
			second = exists(second, e.places.second, !d.gone[i] && !d.alone[i])
		}
		all, of = append(all, second), append(of, i)
	}
	return all, of
}

// send sends the transaction until it is done, or refused for another reason than missing copies. It returns the actions that
// were sent last.
func (d *double) send(ctx context.Context, token string) ([]Action, error) {
	for attempt := 0; ; attempt++ {
		all, of := d.actions()
		if err := checkActions(d.c, all); err != nil {
			return all, err
		}
		err := sendTransaction(ctx, d.c, d.k, all, token)
		if err == nil {
			return all, nil
		}
		again, failed := d.settle(ctx, err, of)
		if failed != nil {
			return all, failed
		}
		if !again || attempt+1 >= mostDoubles {
			return all, err
		}
		if attempt > 1 {
			if stopped := pause(ctx, d.c, min(attempt, 5)); stopped != nil {
				return all, fmt.Errorf("%w while waiting after: %w", stopped, err)
			}
		}
		d.k.retry()
	}
}

// settle reports whether a transaction that was refused may be sent again: it makes the copies that it missed, and removes those that
// were left over.
func (d *double) settle(ctx context.Context, err error, of []int) (again bool, failed error) {
	canceled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok || len(canceled.CancellationReasons) != len(d.writes)+len(of) {
		return false, nil
	}
	turned := make([]bool, len(d.writes))
	for i := range d.writes {
		reason := &canceled.CancellationReasons[i]
		if textOf(reason.Code) != code.ConditionalCheckFailed {
			continue
		}
		e := d.writes[i].elsewhere
		there := len(reason.Item) > 0
		if e == nil || e.second.Kind != Update || e.pinned || there != d.gone[i] {
			return false, nil // a condition of the caller
		}
		d.gone[i], turned[i], again = !there, true, true
	}
	for j, i := range of {
		if textOf(canceled.CancellationReasons[len(d.writes)+j].Code) != code.ConditionalCheckFailed {
			continue
		}
		again = true
		if turned[i] {
			continue
		}
		if failed = d.mend(ctx, i); failed != nil {
			return false, failed
		}
	}
	return again, nil
}

// mend makes the copy of an item, or removes one whose original is gone, if that is still so. Whoever comes first does it.
func (d *double) mend(ctx context.Context, i int) error {
	w := &d.writes[i]
	e, c := w.elsewhere, d.c
	if w.client != nil {
		c = w.client
	}
	original, err := readFirst(ctx, c, d.k, w)
	if err != nil || original == nil != d.gone[i] {
		return err // the item has come or gone meanwhile, and the next attempt finds out
	}
	check := asRead(Action{Kind: Check, Name: w.Name, Table: w.Table, Key: w.Key, KeyNames: w.KeyNames}, e.places.first, original)
	change := Action{Kind: Delete, Name: w.Name, Table: e.second.Table, Key: e.second.Key, KeyNames: e.second.KeyNames}
	if original != nil {
		change.Kind, change.Key = Put, nil
		if change.Item, err = e.places.second.Item(original); err != nil { // a conflict of the migration
			d.alone[i] = !d.alone[i]
			return nil
		}
		d.alone[i] = false
		change = exists(change, e.places.second, false)
	}
	err = sendTransaction(ctx, c, d.k, []Action{check, change}, rand.Text())
	if canceled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, reason := range canceled.CancellationReasons {
			if textOf(reason.Code) == code.ConditionalCheckFailed {
				return nil
			}
		}
	}
	return err
}

// readFirst reads the item of an update in its first place, as it is now; nil: there is none.
func readFirst(ctx context.Context, c *access.Client, k *recorder, w *Action) (access.Item, error) {
	table, consistent := c.Table(w.Table), true
	out, err := send(ctx, c, k, access.API.GetItem, &dynamodb.GetItemInput{
		TableName: &table, Key: w.Key, ConsistentRead: &consistent, ReturnConsumedCapacity: capacity(c),
	})
	if err != nil || len(out.Item) == 0 {
		return nil, err
	}
	k.add(out.ConsumedCapacity, 0)
	return out.Item, nil
}

// writeBoth sends a put or a delete in two places.
func writeBoth(ctx context.Context, c *access.Client, k *recorder, p *access.Pattern, w *Action) error {
	_, err := newDouble(c, k, []Action{*w}).send(ctx, rand.Text())
	if err != nil {
		return failed(p, w, asSingle(err))
	}
	return nil
}

// updateBoth sends an update in two places, and returns the new item. A transaction does not return it, so the update is sent under
// the condition that the item is as it was read, and what becomes of it is computed.
func updateBoth(ctx context.Context, c *access.Client, k *recorder, p *access.Pattern, w *Action) (access.Item, error) {
	var last access.Item
	for attempt := 0; ; attempt++ {
		item, err := readFirst(ctx, c, k, w)
		if err != nil {
			return nil, named(p.Name, w.Name, err)
		}
		made, unknown := evaluate(w, item)
		both := asRead(*w, w.elsewhere.places.first, item)
		if unknown != nil { // DynamoDB refuses it, or the condition does
			both = *w
		}
		pinned := *w.elsewhere
		pinned.pinned = pinned.pinned || unknown == nil
		both.elsewhere = &pinned
		d := newDouble(c, k, []Action{both})
		d.gone[0] = item == nil
		_, err = d.send(ctx, rand.Text())
		switch {
		case err == nil && unknown == nil:
			return made, nil
		case err == nil:
			return nil, &access.DoneError{Pattern: p.Name, Action: w.Name, Cause: unknown}
		}
		err = asSingle(err)
		unmet, isUnmet := errors.AsType[*types.ConditionalCheckFailedException](err)
		if !isUnmet || sameItem(unmet.Item, item) {
			return nil, failed(p, w, err)
		}
		if len(unmet.Item) == 0 && attempt > 0 && sameItem(item, last) { // the endpoint does not return items
			unmet.Item = item
			return nil, failed(p, w, err)
		}
		if last = item; attempt+1 >= mostDoubles {
			return nil, named(p.Name, w.Name, fmt.Errorf("gave up after %d attempts: %w", attempt+1, &types.TransactionConflictException{Message: unmet.Message}))
		}
		if stopped := pause(ctx, c, min(attempt, 5)); stopped != nil {
			return nil, named(p.Name, w.Name, fmt.Errorf("%w while waiting after: %w", stopped, err))
		}
		k.retry()
	}
}

func sameItem(a, b access.Item) bool {
	return bytes.Equal(appendItem(nil, a), appendItem(nil, b))
}

// withoutSecond returns the error of a transaction without the conditions in second places, which callers know nothing of: if nothing
// else failed, other writers were faster at every attempt.
func withoutSecond(err error, firsts int) error {
	canceled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok || len(canceled.CancellationReasons) <= firsts {
		return err
	}
	of := *canceled
	of.CancellationReasons = slices.Clone(canceled.CancellationReasons)
	other := slices.ContainsFunc(of.CancellationReasons[:firsts], func(r types.CancellationReason) bool { return textOf(r.Code) != "" && textOf(r.Code) != code.None })
	for i := firsts; i < len(of.CancellationReasons); i++ {
		if reason := &of.CancellationReasons[i]; textOf(reason.Code) == code.ConditionalCheckFailed {
			reason.Code, reason.Item = new(code.TransactionConflict), nil
			if other {
				reason.Code = new(code.None)
			}
		}
	}
	return &of
}

// asSingle returns the error that a request with the first write of a transaction alone would have had.
func asSingle(err error) error {
	canceled, ok := errors.AsType[*types.TransactionCanceledException](err)
	if !ok || len(canceled.CancellationReasons) == 0 {
		return err
	}
	if first := &canceled.CancellationReasons[0]; textOf(first.Code) == code.ConditionalCheckFailed {
		return &types.ConditionalCheckFailedException{Message: first.Message, Item: first.Item}
	}
	for i := range canceled.CancellationReasons {
		switch reason := &canceled.CancellationReasons[i]; textOf(reason.Code) {
		case code.TransactionConflict, code.ConditionalCheckFailed: // of the copy: other writers were faster at every attempt
			return fmt.Errorf("%w: %w", &types.TransactionConflictException{Message: reason.Message}, err)
		case code.ThrottlingError, code.ProvisionedThroughputExceeded:
			return fmt.Errorf("%w: %w", &types.ProvisionedThroughputExceededException{Message: reason.Message}, err)
		}
	}
	return err
}

// each sends the writes of a batch one by one, those of items that lie in two places as transactions.
func (b *batch) each(ctx context.Context, p *access.Pattern) error {
	var mu sync.Mutex
	done := make([]bool, len(b.writes))
	err := fanout.Do(ctx, b.c.Options().Concurrency, len(b.writes), func(ctx context.Context, i int) error {
		w := &b.writes[i]
		write := putItem
		if w.Kind == Delete {
			write = deleteItem
		}
		err := write(ctx, b.c, b.k, p, w)
		mu.Lock()
		defer mu.Unlock()
		done[i] = err == nil
		return err
	})
	if err == nil {
		return nil
	}
	left := &access.BatchError{Pattern: p.Name, Err: err, Of: len(b.writes)}
	for i, is := range done {
		if !is {
			left.Left = append(left.Left, i)
		}
	}
	return left
}
