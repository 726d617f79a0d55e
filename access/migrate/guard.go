package migrate

import (
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
	parts "sortkey.dev/access/part"
)

// A guardPass does something to the rows that keep a value of the items of a part unique. It meets items and rows.
type guardPass struct {
	itemPass
	item func(context.Context, access.Item) (outcome, error) // nil: items are passed by
	row  func(context.Context, access.Item) (outcome, error) // nil: rows are passed by
	rows *parts.RowReader                                    // of the rows that the pass meets
}

// guards sets what a step does with the items and rows of a part that keeps a value unique.
func (r *run) guards(work *pass) {
	p := work.part
	is := &guardPass{itemPass: itemPass{r, p}, rows: p.NewRows}
	switch work.step {
	case stepFill:
		is.item = is.fill
	case stepVerify:
		is.item, is.row = is.check, is.checkRow
	case stepRepair:
		is.item, is.row = is.fill, is.repairRow
	case stepRemove:
		if !p.Unique.Owners {
			is.row = is.delete
		}
	case stepClean:
		is.rows, is.row = p.OldRows, is.delete
	}
	if is.rows == nil { // this version does not have the rule: nothing to do
		work.tables = nil
		return
	}
	if is.item == nil {
		work.tables = nil
	}
	if is.row != nil && !slices.Contains(work.tables, is.rows.Table) {
		work.tables = append(work.tables, is.rows.Table)
	}
	work.of = is.meets
	work.each = func(ctx context.Context, item access.Item) (outcome, error) {
		if is.rows.Is(item) {
			return is.row(ctx, item)
		}
		return is.item(ctx, item)
	}
}

// meets reports whether an item or row is one of the pass.
func (p *guardPass) meets(item access.Item) (bool, error) {
	if p.rows.Is(item) {
		return p.row != nil, nil
	}
	if p.item == nil {
		return false, nil
	}
	is, err := p.part.of(item)
	if err != nil && p.rows.Table != p.part.Table { // it may be of another table
		return false, nil
	}
	return is, err
}

// fill gives the value of an item its row, in a transaction that checks that the item still has the value. A row of
// another item that has the value is never taken: both are listed.
func (p *guardPass) fill(ctx context.Context, item access.Item) (outcome, error) {
	for range mostAttempts {
		row, err := p.rows.Row(item)
		if err != nil {
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		}
		if row == nil {
			return passed, nil
		}
		failed, err := p.transact(ctx, p.still(item), p.put(row))
		if failed == nil {
			return changed, err
		}
		if failed[0] == nil && failed[1] != nil {
			if owner := marshal.Owner(*failed[1]); owner != nil {
				return p.owned(ctx, item, row, owner)
			}
			if failed, err = p.transact(ctx, p.still(item), p.adopt(row)); failed == nil {
				return changed, err
			}
		}
		if item, err = p.again(ctx, item); item == nil || err != nil {
			return passed, err
		}
		if is, _ := p.part.of(item); !is {
			return passed, nil
		}
	}
	return differs, nil
}

// owned returns what becomes of an item whose row names an owner.
func (p *guardPass) owned(ctx context.Context, item, row, owner access.Item) (outcome, error) {
	if sameKey(owner, p.key(item)) {
		return passed, nil
	}
	other, err := p.again(ctx, owner)
	if err != nil {
		return 0, err
	}
	if other == nil || !p.rows.Keeps(row, other) { // it is on its way, or verification finds it
		return differs, nil
	}
	return conflict, p.duplicate(ctx, item, owner)
}

// check looks whether the value of an item has its row. A difference counts when it is there three times.
func (p *guardPass) check(ctx context.Context, item access.Item) (outcome, error) {
	return p.thrice(ctx, item, p.part.of, func(item access.Item) (outcome, error) {
		row, err := p.rows.Row(item)
		if err != nil {
			return conflict, p.conflict(ctx, p.part, item, err.Error())
		}
		if row == nil || p.expired(item) {
			return passed, nil
		}
		have, err := p.get(ctx, p.rows.Table, p.rows.Key(row))
		if err != nil {
			return 0, err
		}
		if owner := marshal.Owner(have); owner != nil {
			return p.owned(ctx, item, row, owner)
		}
		return differs, nil
	})
}

// checkRow looks whether the owner of a row has the value.
func (p *guardPass) checkRow(ctx context.Context, row access.Item) (outcome, error) {
	of := func(row access.Item) (bool, error) { return p.rows.Is(row), nil }
	return p.thrice(ctx, row, of, func(row access.Item) (outcome, error) {
		_, right, err := p.ownerOf(ctx, row)
		if err != nil || !right {
			return differs, err
		}
		return passed, nil
	})
}

// repairRow deletes a row whose owner does not have the value.
func (p *guardPass) repairRow(ctx context.Context, row access.Item) (outcome, error) {
	owner, right, err := p.ownerOf(ctx, row)
	if err != nil || right {
		return passed, err
	}
	w := p.write(marshal.Owner(row))
	if owner != nil {
		w.asRead(owner, p.rows.Sources)
	} else {
		w.condition = []string{"attribute_not_exists(" + w.name(p.part.Primary()[0]) + ")"}
	}
	failed, err := p.transact(ctx, w.checking(), p.remove(row))
	if failed != nil || err != nil {
		return differs, err
	}
	return changed, nil
}

// ownerOf returns the owner of a row as it is now, nil if it is gone, and whether it has the value. A row that
// names no owner is right: it is as old as the rule, or its item will make it right.
func (p *guardPass) ownerOf(ctx context.Context, row access.Item) (owner access.Item, right bool, err error) {
	key := marshal.Owner(row)
	if key == nil {
		return nil, true, nil
	}
	owner, err = p.again(ctx, key)
	if owner == nil || err != nil {
		return nil, false, err
	}
	return owner, p.rows.Keeps(row, owner), nil
}

// delete deletes a row, if it is as it was read.
func (p *guardPass) delete(ctx context.Context, row access.Item) (outcome, error) {
	failed, err := p.transact(ctx, p.remove(row))
	if failed != nil || err != nil {
		return passed, err
	}
	return changed, nil
}

// still checks that an item is there and has the value as it was read.
func (p *guardPass) still(item access.Item) types.TransactWriteItem {
	w := p.write(item)
	w.asRead(item, p.rows.Sources)
	return w.checking()
}

// put makes a row if there is none.
func (p *guardPass) put(row access.Item) types.TransactWriteItem {
	w := p.onRow(row)
	w.where("attribute_not_exists(" + w.name(p.firstKey(row)) + ")")
	return types.TransactWriteItem{Put: &types.Put{
		TableName: &w.table, Item: row, ConditionExpression: w.input().ConditionExpression, ExpressionAttributeNames: w.names,
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	}}
}

// adopt makes an item the owner of a row that names none.
func (p *guardPass) adopt(row access.Item) types.TransactWriteItem {
	w := p.onRow(row)
	w.where("attribute_exists(" + w.name(p.firstKey(row)) + ")")
	for name, value := range p.rows.OwnedBy(marshal.Owner(row)) {
		w.where("attribute_not_exists(" + w.name(name) + ")")
		w.set(name, value)
	}
	return w.action()
}

// remove deletes a row that is as it was read.
func (p *guardPass) remove(row access.Item) types.TransactWriteItem {
	w := p.onRow(row)
	w.asRead(row, slices.Sorted(maps.Keys(p.rows.OwnedBy(row))))
	w.where("attribute_exists(" + w.name(p.firstKey(row)) + ")")
	return types.TransactWriteItem{Delete: &types.Delete{
		TableName: &w.table, Key: w.key, ConditionExpression: w.input().ConditionExpression,
		ExpressionAttributeNames: w.names, ExpressionAttributeValues: orNoValues(w.values),
	}}
}

func (p *guardPass) onRow(row access.Item) *update {
	return &update{table: p.table(p.rows.Table), key: p.rows.Key(row), names: map[string]string{}, values: access.Item{}}
}

func (p *guardPass) firstKey(row access.Item) string {
	return slices.Min(slices.Collect(maps.Keys(p.rows.Key(row))))
}

// thrice calls look until it finds nothing wrong, up to three times a while apart, with the item as it is then.
func (p *guardPass) thrice(ctx context.Context, item access.Item, of func(access.Item) (bool, error), look func(access.Item) (outcome, error)) (outcome, error) {
	table := p.part.Table
	if p.rows.Is(item) {
		table = p.rows.Table
	}
	found := passed
	for attempt := range 3 {
		var err error
		if attempt > 0 {
			if err = p.sleep(ctx, p.options.recheck()); err != nil {
				return 0, err
			}
			if item, err = p.get(ctx, table, p.keyIn(table, item)); item == nil || err != nil {
				return passed, err
			}
			if is, _ := of(item); !is {
				return passed, nil
			}
		}
		if found, err = look(item); err != nil || found == passed || found == conflict {
			return found, err
		}
	}
	return found, nil
}

// keyIn returns the primary key of an item of the part, or of a row.
func (p *guardPass) keyIn(table string, item access.Item) access.Item {
	if table == p.rows.Table && p.rows.Is(item) {
		return p.rows.Key(item)
	}
	return p.key(item)
}

// key returns the primary key of an item of the part.
func (p itemPass) key(item access.Item) access.Item {
	return p.part.In.Old.KeyOf(item)
}

// get reads an item of a table consistently; nil if there is none.
func (r *run) get(ctx context.Context, table string, key access.Item) (access.Item, error) {
	var out *dynamodb.GetItemOutput
	err := r.paced(ctx, func(ctx context.Context) (_ *types.ConsumedCapacity, err error) {
		options, err := r.permitted(ctx)
		if err != nil {
			return nil, err
		}
		out, err = r.api.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: new(r.table(table)), Key: key, ConsistentRead: new(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}, options...)
		if err != nil {
			return nil, err
		}
		return out.ConsumedCapacity, nil
	})
	if err != nil || len(out.Item) == 0 {
		return nil, err
	}
	return out.Item, nil
}

func sameKey(a, b access.Item) bool {
	return maps.EqualFunc(a, b, parts.Equal)
}
