package request

import "sortkey.dev/engine/internal/dynamo"

// PutItem is a checked PutItemInput.
type PutItem struct {
	Write
	Item dynamo.Item
	Size int // of the item
}

// CheckPutItem checks the input of PutItem.
func CheckPutItem(in *dynamo.PutItemInput) (*PutItem, error) {
	members := writeMembers{&in.WriteParameters, in.Item, "item"}
	if err := members.check(putOrder); err != nil {
		return nil, err
	}
	put := &PutItem{Write: writeOf(&in.WriteParameters), Item: in.Item.Item}
	use := conditionUse(&in.WriteParameters)
	if err := put.checkReplace(&use, in.Item); err != nil {
		return nil, enveloped(err)
	}
	if put.Size = put.Item.Size(); put.Size > dynamo.MaxItemSize {
		return nil, errItemTooLarge()
	}
	if err := put.parseCondition(&use, in.ConditionExpression); err != nil {
		return nil, enveloped(err)
	}
	return put, nil
}
