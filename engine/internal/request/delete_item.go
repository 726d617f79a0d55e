package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// DeleteItem is a checked DeleteItemInput.
type DeleteItem struct {
	Table           string
	Key             dynamo.Item
	Condition       *expression.Condition
	Return          ReturnValues // ReturnNone or ReturnAllOld
	ReturnOnFailure bool
	Capacity        CapacityDetail
	Metrics         bool
}

// CheckDeleteItem checks the input of DeleteItem.
func CheckDeleteItem(in *dynamo.DeleteItemInput) (*DeleteItem, error) {
	members := writeMembers{
		tableName: in.TableName, subject: in.Key, subjectPath: "key",
		capacity: in.ReturnConsumedCapacity, metrics: in.ReturnItemCollectionMetrics,
		returnValues: in.ReturnValues, onFailure: in.ReturnValuesOnConditionCheckFailure,
	}
	if err := members.check(deleteOrder); err != nil {
		return nil, err
	}
	del := &DeleteItem{
		Table:           *in.TableName,
		Key:             in.Key.Item,
		Return:          returnValues.value(in.ReturnValues),
		ReturnOnFailure: returnOnFailure.value(in.ReturnValuesOnConditionCheckFailure),
		Capacity:        capacityDetails.value(in.ReturnConsumedCapacity),
		Metrics:         collectionMetrics.value(in.ReturnItemCollectionMetrics),
	}
	if err := del.checkUse(in); err != nil {
		return nil, enveloped(err)
	}
	return del, nil
}

// checkUse checks how the parameters are used together and parses the condition.
func (del *DeleteItem) checkUse(in *dynamo.DeleteItemInput) (err error) {
	use := usage{
		expressions: expressions{{"ConditionExpression", in.ConditionExpression}},
		legacy:      in.Legacy, names: in.Names, values: &in.Values,
	}
	if err := use.check(); err != nil {
		return err
	}
	if err := newerValues.checkItem(in.Key); err != nil {
		return err
	}
	if err := checkReturnsOld(del.Return); err != nil {
		return err
	}
	del.Condition, err = use.condition(in.ConditionExpression)
	return err
}
