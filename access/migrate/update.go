package migrate

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// An update builds an UpdateItem request.
type update struct {
	table               string
	key                 access.Item
	sets, removes, adds []string
	condition           []string
	names               map[string]string
	values              access.Item
}

func newUpdate(table string, key access.Item) *update {
	return &update{table: table, key: key, names: map[string]string{}, values: access.Item{}}
}

// name returns the placeholder of an attribute.
func (w *update) name(attribute string) string {
	for placeholder, have := range w.names {
		if have == attribute {
			return placeholder
		}
	}
	placeholder := fmt.Sprintf("#n%d", len(w.names))
	w.names[placeholder] = attribute
	return placeholder
}

func (w *update) value(v types.AttributeValue) string {
	placeholder := fmt.Sprintf(":v%d", len(w.values))
	w.values[placeholder] = v
	return placeholder
}

func (w *update) set(attribute string, v types.AttributeValue) {
	w.sets = append(w.sets, w.name(attribute)+" = "+w.value(v))
}

// assign sets an attribute, or removes it if the value is nil.
func (w *update) assign(attribute string, v types.AttributeValue) {
	if v == nil {
		w.removes = append(w.removes, w.name(attribute))
		return
	}
	w.set(attribute, v)
}

func (w *update) where(condition string) { w.condition = append(w.condition, condition) }

// asRead asks that attributes are as they are in an item.
func (w *update) asRead(item access.Item, attributes []string) {
	for _, name := range attributes {
		if _, key := w.key[name]; key {
			continue
		}
		if item[name] == nil {
			w.where("attribute_not_exists(" + w.name(name) + ")")
			continue
		}
		w.where(w.name(name) + " = " + w.value(item[name]))
	}
}

func (w *update) input() *dynamodb.UpdateItemInput {
	var sections []string
	if len(w.sets) > 0 {
		sections = append(sections, "SET "+strings.Join(w.sets, ", "))
	}
	if len(w.removes) > 0 {
		sections = append(sections, "REMOVE "+strings.Join(w.removes, ", "))
	}
	if len(w.adds) > 0 {
		sections = append(sections, "ADD "+strings.Join(w.adds, ", "))
	}
	in := &dynamodb.UpdateItemInput{
		TableName: &w.table, Key: w.key, UpdateExpression: new(strings.Join(sections, " ")),
		ConditionExpression: new(strings.Join(w.condition, " AND ")), ExpressionAttributeNames: w.names,
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	}
	if len(w.values) > 0 {
		in.ExpressionAttributeValues = w.values
	}
	return in
}

// action returns the update as an action of a transaction.
func (w *update) action() types.TransactWriteItem {
	in := w.input()
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &w.table, Key: w.key, UpdateExpression: in.UpdateExpression, ConditionExpression: in.ConditionExpression,
		ExpressionAttributeNames: in.ExpressionAttributeNames, ExpressionAttributeValues: in.ExpressionAttributeValues,
	}}
}

// check returns the condition alone, as a part of a transaction.
func (w *update) check() *types.ConditionCheck {
	c := &types.ConditionCheck{TableName: &w.table, Key: w.key, ConditionExpression: new(strings.Join(w.condition, " AND ")), ExpressionAttributeNames: w.names}
	if len(w.values) > 0 {
		c.ExpressionAttributeValues = w.values
	}
	return c
}

// checking returns the conditions of the update as an action of a transaction.
func (w *update) checking() types.TransactWriteItem {
	return types.TransactWriteItem{ConditionCheck: w.check()}
}

func orNoValues(values access.Item) access.Item {
	if len(values) == 0 {
		return nil
	}
	return values
}
