package request

import "sortkey.dev/engine/internal/dynamo"

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
