package table

import (
	"bytes"
	"errors"
	"slices"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// write returns the part of an action that all actions share.
func write(a *request.TransactAction) *request.Write {
	switch {
	case a.Put != nil:
		return &a.Put.Write
	case a.Update != nil:
		return &a.Update.Write
	case a.Delete != nil:
		return &a.Delete.Write
	}
	return &a.Check.Write
}

// subject returns the item of a put, or the key of another action.
func subject(a *request.TransactAction) dynamo.Item {
	switch {
	case a.Put != nil:
		return a.Put.Item
	case a.Update != nil:
		return a.Update.Key
	case a.Delete != nil:
		return a.Delete.Key
	}
	return a.Check.Key
}

// prepare checks the actions against their tables, as far as that is possible without
// items, and creates their mutations.
func (x *transaction) prepare() error {
	for i := range x.req.Actions {
		if err := checkNoEmptyKey(x.tables[i], &x.req.Actions[i]); err != nil {
			return err
		}
	}
	for i := range x.req.Actions {
		if err := checkActionKey(x.tables[i], &x.req.Actions[i]); err != nil {
			x.start()
			if err := x.note(i, err); err != nil {
				return err
			}
			return x.cancelled()
		}
	}
	n := len(x.req.Actions)
	x.ms, x.keys = make([]mutation, n), make([][]byte, 0, n)
	room := make([]byte, 0, n*usualKeySize) // of all keys
	for i := range x.req.Actions {
		a := &x.req.Actions[i]
		start := len(room)
		room = appendRowKey(room, x.tables[i], subject(a))
		key := room[start:len(room):len(room)]
		if slices.ContainsFunc(x.keys, func(other []byte) bool { return bytes.Equal(other, key) }) {
			return errRepeatedItem()
		}
		x.keys = append(x.keys, key)
		x.ms[i] = mutation{table: x.tables[i], key: key, next: actionNext(x.tables[i], a), transactional: true}
	}
	return nil
}

func errRepeatedItem() error {
	return dynamo.Invalid("Transaction request cannot include multiple operations on one item")
}

// checkNoEmptyKey rejects empty values of keys, which fail the whole request.
func checkNoEmptyKey(t *catalog.Table, a *request.TransactAction) error {
	item := subject(a)
	for _, k := range t.KeyAttributes {
		if err := checkNotEmpty(k, item); err != nil {
			return err
		}
	}
	if a.Put == nil {
		return nil
	}
	err := checkIndexKeys(t, item, nil)
	if _, empty := errors.AsType[*emptyKeyError](err); empty {
		return err
	}
	return nil
}

// checkActionKey checks the key of an action against the schema.
func checkActionKey(t *catalog.Table, a *request.TransactAction) error {
	if a.Put != nil {
		return checkItemKey(t, a.Put.Item)
	}
	return checkKey(t, subject(a))
}

// actionNext is the change of an action with a good key. What else only the table can
// tell is found when it runs, and is then the reason of this action.
func actionNext(t *catalog.Table, a *request.TransactAction) func(old dynamo.Item) (dynamo.Item, int, error) {
	switch {
	case a.Put != nil:
		return func(old dynamo.Item) (dynamo.Item, int, error) {
			if err := checkIndexKeys(t, a.Put.Item, nil); err != nil {
				return nil, 0, err
			}
			return a.Put.Item, a.Put.Size, checkAction(t, &a.Put.Write, old)
		}
	case a.Update != nil:
		return func(old dynamo.Item) (dynamo.Item, int, error) {
			if err := checkUpdate(t, a.Update); err != nil {
				return nil, 0, err
			}
			return update(t, a.Update, old)
		}
	case a.Delete != nil:
		return func(old dynamo.Item) (dynamo.Item, int, error) {
			return nil, 0, checkAction(t, &a.Delete.Write, old)
		}
	default:
		return func(old dynamo.Item) (dynamo.Item, int, error) {
			return old, old.Size(), checkAction(t, &a.Check.Write, old)
		}
	}
}

// checkAction checks the condition of an action, and whether it holds.
func checkAction(t *catalog.Table, w *request.Write, old dynamo.Item) error {
	if err := checkCondition(t, w.Condition); err != nil {
		return err
	}
	return checkHolds(w, old)
}
