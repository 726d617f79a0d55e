package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// UpdateItem is a checked UpdateItemInput.
type UpdateItem struct {
	Table           string
	Key             dynamo.Item
	Update          *expression.Update // nil: only make sure that the item exists
	Condition       *expression.Condition
	Return          ReturnValues
	ReturnOnFailure bool
	Capacity        CapacityDetail
	Metrics         bool
}

// CheckUpdateItem checks the input of UpdateItem.
func CheckUpdateItem(in *dynamo.UpdateItemInput) (*UpdateItem, error) {
	members := writeMembers{
		tableName: in.TableName, subject: in.Key, subjectPath: "key",
		capacity: in.ReturnConsumedCapacity, metrics: in.ReturnItemCollectionMetrics,
		returnValues: in.ReturnValues, onFailure: in.ReturnValuesOnConditionCheckFailure,
	}
	if err := members.check(updateOrder); err != nil {
		return nil, err
	}
	update := &UpdateItem{
		Table:           *in.TableName,
		Key:             in.Key.Item,
		Return:          returnValues.value(in.ReturnValues),
		ReturnOnFailure: returnOnFailure.value(in.ReturnValuesOnConditionCheckFailure),
		Capacity:        capacityDetails.value(in.ReturnConsumedCapacity),
		Metrics:         collectionMetrics.value(in.ReturnItemCollectionMetrics),
	}
	if err := update.checkUse(in); err != nil {
		return nil, enveloped(err)
	}
	return update, nil
}

// checkUse checks how the parameters are used together and parses the expressions.
func (update *UpdateItem) checkUse(in *dynamo.UpdateItemInput) error {
	use := usage{
		expressions: expressions{
			{"UpdateExpression", in.UpdateExpression},
			{"ConditionExpression", in.ConditionExpression},
		},
		legacy: in.Legacy, names: in.Names, values: &in.Values,
	}
	if err := use.check(); err != nil {
		return err
	}
	if err := newerValues.checkItem(in.Key); err != nil {
		return err
	}
	if in.UpdateExpression == nil && in.ConditionExpression == nil {
		return nil
	}
	scope, err := use.scope()
	if err != nil {
		return err
	}
	if in.ConditionExpression != nil {
		if update.Condition, err = scope.ParseCondition(*in.ConditionExpression); err != nil {
			return err
		}
	}
	if in.UpdateExpression != nil {
		if update.Update, err = scope.ParseUpdate(*in.UpdateExpression); err != nil {
			return err
		}
	}
	return scope.CheckUnused()
}
