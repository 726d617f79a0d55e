package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// PutItem is a checked PutItemInput.
type PutItem struct {
	Table           string // as the request names it: a name or an ARN
	Item            dynamo.Item
	Condition       *expression.Condition // nil: none
	Return          ReturnValues          // ReturnNone or ReturnAllOld
	ReturnOnFailure bool                  // a failed condition answers with the item
	Capacity        CapacityDetail
	Metrics         bool // ReturnItemCollectionMetrics is SIZE
}

// CheckPutItem checks the input of PutItem.
func CheckPutItem(in *dynamo.PutItemInput) (*PutItem, error) {
	members := writeMembers{
		tableName: in.TableName, subject: in.Item, subjectPath: "item",
		capacity: in.ReturnConsumedCapacity, metrics: in.ReturnItemCollectionMetrics,
		returnValues: in.ReturnValues, onFailure: in.ReturnValuesOnConditionCheckFailure,
	}
	if err := members.check(putOrder); err != nil {
		return nil, err
	}
	use := usage{
		expressions: expressions{{"ConditionExpression", in.ConditionExpression}},
		legacy:      in.Legacy, names: in.Names, values: &in.Values,
	}
	if err := use.check(); err != nil {
		return nil, enveloped(err)
	}
	if err := newerValues.checkItem(in.Item); err != nil {
		return nil, enveloped(err)
	}
	put := &PutItem{
		Table:           *in.TableName,
		Item:            in.Item.Item,
		Return:          returnValues.value(in.ReturnValues),
		ReturnOnFailure: returnOnFailure.value(in.ReturnValuesOnConditionCheckFailure),
		Capacity:        capacityDetails.value(in.ReturnConsumedCapacity),
		Metrics:         collectionMetrics.value(in.ReturnItemCollectionMetrics),
	}
	if err := checkReturnsOld(put.Return); err != nil {
		return nil, enveloped(err)
	}
	if in.Item.Item.Size() > dynamo.MaxItemSize {
		return nil, errItemTooLarge()
	}
	var err error
	if put.Condition, err = use.condition(in.ConditionExpression); err != nil {
		return nil, enveloped(err)
	}
	return put, nil
}

// condition parses the ConditionExpression of a request that has no other expression.
func (u *usage) condition(text *string) (*expression.Condition, error) {
	if text == nil {
		return nil, nil
	}
	scope, err := u.scope()
	if err != nil {
		return nil, err
	}
	condition, err := scope.ParseCondition(*text)
	if err != nil {
		return nil, err
	}
	return condition, scope.CheckUnused()
}
