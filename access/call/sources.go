package call

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"reflect"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// An update may change a part of a key of the old version without giving the others: the new version has no such key. Then the item is
// read first, and the update asks that it is as it was read.

// sources holds what was read of the items of writes, by the place of the write.
type sources map[int]access.Item

// withSources reads what keys of the old version are made of and the writes do not give. It returns the writes with it, and with
// conditions that the items still have it.
func withSources(ctx context.Context, c *access.Client, writes []Action) ([]Action, sources, error) {
	if c.Phase() == access.PhaseAfter {
		return writes, nil, nil
	}
	change := c.Design().Change
	all, read := writes, sources(nil)
	for i := range writes {
		if writes[i].Part == "" || writes[i].Kind != Update || writes[i].Err != nil {
			continue
		}
		w := writes[i]
		var item access.Item
		for {
			unknown, is := errors.AsType[*access.UnknownError](w.old(change).Err)
			if !is {
				break
			}
			if read == nil {
				all, read = append([]Action{}, writes...), sources{}
			}
			if read[i] == nil {
				var err error
				if item, err = storedItem(ctx, c, &w); err != nil {
					return nil, nil, err
				}
				read[i] = access.Item{}
			}
			read[i][unknown.Attribute] = item[unknown.Attribute]
			w = w.given(change, unknown.Attribute, item[unknown.Attribute])
		}
		if item != nil {
			all[i] = w
		}
	}
	return all, read, nil
}

// given returns the write with the value of an attribute of the old version that its item has, nil if it has none.
func (w *Action) given(change access.Change, old string, v types.AttributeValue) Action {
	with, name := *w, cmp.Or(change.Renamed(w.Part)[old], old)
	with.Known = maps.Clone(w.Known)
	if with.Known == nil {
		with.Known = access.Item{}
	}
	with.Known[name] = v
	u := union{w: &with}
	condition := "attribute_not_exists(" + u.name(name) + ")"
	if v != nil {
		condition = u.name(name) + " = " + u.value(v)
	}
	if with.Condition != "" {
		condition = "(" + with.Condition + ") AND " + condition
	}
	with.Condition = condition
	return with
}

// storedItem reads the item of a write in the place that is read now, with what keys of the old version are made of under its names. It
// is empty if there is none.
func storedItem(ctx context.Context, c *access.Client, w *Action) (access.Item, error) {
	g, places := &Get{Pattern: &access.Pattern{Table: w.Table}, Key: w.Key, Consistent: true}, c.Design().Change.Places(w.Part)
	if places != nil && c.Phase() < access.PhaseRead {
		var err error
		g.Pattern, _ = inOld(g.Pattern, places, nil)
		if g.Key, err = oldKey(places, w.Key, w.Known); err != nil {
			return nil, named(w.Name, "", err)
		}
	}
	item, err := getItem(ctx, c, nil, g)
	switch {
	case errors.Is(err, access.ErrNotFound):
		return access.Item{}, nil
	case err != nil || places == nil || c.Phase() < access.PhaseRead:
		return item, err
	}
	for old, new := range c.Design().Change.Renamed(w.Part) {
		item[old] = item[new]
	}
	return item, nil
}

// changed reports whether a write failed, or a transaction with it, because an item was no longer as it was read.
func (s sources) changed(ctx context.Context, c *access.Client, writes []Action, failure error) bool {
	if len(s) == 0 || failure == nil || !isConditionFailure(failure) {
		return false
	}
	for i, read := range s {
		item, err := storedItem(ctx, c, &writes[i])
		if err != nil {
			return false
		}
		for name, v := range read {
			if !reflect.DeepEqual(item[name], v) {
				return true
			}
		}
	}
	return false
}

func isConditionFailure(err error) bool {
	var failed *types.ConditionalCheckFailedException
	var canceled *types.TransactionCanceledException
	return errors.As(err, &failed) || errors.As(err, &canceled)
}
