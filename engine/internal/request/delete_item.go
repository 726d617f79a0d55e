package request

import "sortkey.dev/engine/internal/dynamo"

// DeleteItem is a checked DeleteItemInput.
type DeleteItem struct {
	Write
	Key dynamo.Item
}

// CheckDeleteItem checks the input of DeleteItem.
func CheckDeleteItem(in *dynamo.DeleteItemInput) (*DeleteItem, error) {
	members := writeMembers{&in.WriteParameters, in.Key, "key"}
	if err := members.check(deleteOrder); err != nil {
		return nil, err
	}
	del := &DeleteItem{Write: writeOf(&in.WriteParameters), Key: in.Key.Item}
	use := conditionUse(&in.WriteParameters)
	if err := del.checkReplace(&use, in.Key); err != nil {
		return nil, enveloped(err)
	}
	if err := del.parseCondition(&use, in.ConditionExpression); err != nil {
		return nil, enveloped(err)
	}
	return del, nil
}
