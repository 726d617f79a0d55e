package request

import (
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/expression"
)

// UpdateItem is a checked UpdateItemInput.
type UpdateItem struct {
	Write
	Key    dynamo.Item
	Update *expression.Update // nil: only make sure that the item exists
	// Charge is the size of the update statement, where it is limited: in
	// UpdateItem with an UpdateExpression.
	Charge int
}

// CheckUpdateItem checks the input of UpdateItem.
func (w Wording) CheckUpdateItem(in *dynamo.UpdateItemInput) (*UpdateItem, error) {
	w = w.of(in.Key.Fault, in.Values.Fault)
	members := writeMembers{&in.WriteParameters, in.Key, "key", in.AttributeUpdates}
	if err := members.check(w, updateOrder); err != nil {
		return nil, err
	}
	update := &UpdateItem{Write: writeOf(&in.WriteParameters), Key: in.Key.Item}
	if err := update.checkUse(w, in); err != nil {
		return nil, w.enveloped(err)
	}
	return update, nil
}

// checkUse checks how the parameters are combined and parses the expressions.
func (update *UpdateItem) checkUse(w Wording, in *dynamo.UpdateItemInput) error {
	use := usage{
		expressions: expressions{
			{"UpdateExpression", in.UpdateExpression},
			{"ConditionExpression", in.ConditionExpression},
		},
		legacy: legacyParameters{
			{"AttributeUpdates", len(in.AttributeUpdates) > 0},
			{"Expected", len(in.Expected) > 0},
			{"ConditionalOperator", in.ConditionalOperator != ""},
		},
		names: in.Names, values: &in.Values,
		valuesTail: w.tailOf("UpdateExpression is null"),
		layer:      w.values(),

		conditionalOperator: in.ConditionalOperator, conditions: len(in.Expected),
	}
	if err := use.check(); err != nil {
		return err
	}
	if err := w.values().checkItem(in.Key); err != nil {
		return err
	}
	if in.UpdateExpression == nil && in.ConditionExpression == nil {
		return update.translate(use.layer, in)
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
		update.Charge = update.Update.Charge()
	}
	return scope.CheckUnused()
}

// translate translates Expected and AttributeUpdates.
func (update *UpdateItem) translate(l layer, in *dynamo.UpdateItemInput) (err error) {
	if update.Condition, err = l.expected(in.Expected, in.ConditionalOperator); err != nil {
		return err
	}
	update.Update, err = l.attributeUpdates(in.AttributeUpdates)
	return err
}
