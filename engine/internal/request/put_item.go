package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// PutItem is a checked PutItemInput.
type PutItem struct {
	Write
	Item dynamo.Item
	Size int // of the item
}

// CheckPutItem checks the input of PutItem.
func (w Wording) CheckPutItem(in *dynamo.PutItemInput) (*PutItem, error) {
	w = w.of(in.Item.Fault, in.Values.Fault)
	members := writeMembers{&in.WriteParameters, in.Item, "item", nil}
	if err := members.check(w, putOrder); err != nil {
		return nil, err
	}
	put := &PutItem{Write: writeOf(&in.WriteParameters), Item: in.Item.Item}
	use := conditionUse(w, &in.WriteParameters)
	if err := put.checkReplace(w, &use, in.Item); err != nil {
		return nil, w.enveloped(err)
	}
	if put.Size = put.Item.Size(); put.Size > dynamo.MaxItemSize {
		return nil, errItemTooLarge()
	}
	if err := put.parseCondition(&use, &in.WriteParameters); err != nil {
		return nil, w.enveloped(err)
	}
	return put, nil
}

// NewInsert returns the put of an INSERT statement: it fails with a duplicate item if the
// condition does not hold. It checks the item like CheckPutItem.
func NewInsert(table string, item dynamo.Item, condition *expression.Condition) (*PutItem, error) {
	if err := olderValues.checkItem(dynamo.RawItem{Item: item}); err != nil {
		return nil, err
	}
	put := &PutItem{Write: Write{Table: table, Condition: condition, Insert: true}, Item: item, Size: item.Size()}
	if put.Size > dynamo.MaxItemSize {
		return nil, errItemTooLarge()
	}
	return put, nil
}
