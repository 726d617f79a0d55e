package request

import "sortkey.dev/engine/internal/dynamo"

// DeleteItem is a checked DeleteItemInput.
type DeleteItem struct {
	Write
	Key dynamo.Item
}

// CheckDeleteItem checks the input of DeleteItem.
func (w Wording) CheckDeleteItem(in *dynamo.DeleteItemInput) (*DeleteItem, error) {
	w = w.of(in.Key.Fault, in.Values.Fault)
	members := writeMembers{&in.WriteParameters, in.Key, "key", nil}
	if err := members.check(w, deleteOrder); err != nil {
		return nil, err
	}
	del := &DeleteItem{Write: writeOf(&in.WriteParameters), Key: in.Key.Item}
	use := conditionUse(w, &in.WriteParameters)
	if err := del.checkReplace(w, &use, in.Key); err != nil {
		return nil, w.enveloped(err)
	}
	if err := del.parseCondition(&use, &in.WriteParameters); err != nil {
		return nil, w.enveloped(err)
	}
	return del, nil
}
