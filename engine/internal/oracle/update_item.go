package oracle

import (
	"cmp"
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// UpdateItem is a step.
type UpdateItem struct {
	Table      string
	Key        Item
	Update     Update
	If         *Condition
	Return     types.ReturnValue
	ShowFailed bool // the item whose condition fails
	Capacity   types.ReturnConsumedCapacity
	Metrics    bool
	Older      bool // the condition is Expected, the update AttributeUpdates
	Spoil      string
}

func (s UpdateItem) input() (in *dynamodb.UpdateItemInput, complaint string) {
	e := &expressions{}
	in = &dynamodb.UpdateItemInput{
		TableName: &s.Table, Key: s.Key, ReturnValues: s.Return,
		ReturnValuesOnConditionCheckFailure: onFailure(s.ShowFailed), ReturnConsumedCapacity: s.Capacity, ReturnItemCollectionMetrics: metricsParameter(s.Metrics),
	}
	if s.Older {
		in.Expected, in.ConditionalOperator, in.AttributeUpdates = s.If.expected(), s.If.operator(), s.Update.older()
		return in, cmp.Or(s.If.olderComplaint(), s.Update.olderComplaint())
	}
	in.ConditionExpression, in.UpdateExpression = s.If.write(e, "ConditionExpression"), s.Update.write(e)
	complaint = e.spoil(s.Spoil)
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.names, e.values
	return in, complaint
}

func (s UpdateItem) do(ctx context.Context, db Tables) (any, error) {
	in, _ := s.input()
	return db.UpdateItem(ctx, in)
}

func (s UpdateItem) expect(m *Model) (any, *Failure) {
	_, complaint := s.input()
	if complaint == "" {
		complaint = s.Update.overlap()
	}
	if complaint != "" {
		return nil, enveloped(complaint)
	}
	t := m.find(s.Table)
	if t == nil {
		return nil, noTable
	}
	if c := t.keyComplaint(s.Key); c != "" {
		return nil, refuse(c)
	}
	old := t.get(s.Key)
	next, f := t.update(s.Key, s.Update, s.If, s.ShowFailed)
	if f != nil {
		return nil, s.worded(f.failure())
	}
	cost, _ := m.write(t, s.Key, next, false)
	return &dynamodb.UpdateItemOutput{
		Attributes:       s.attributes(old, next),
		ConsumedCapacity: cost.consumed(s.Table, s.Capacity, plain), ItemCollectionMetrics: t.metrics(s.Key, s.Metrics),
	}, nil
}

// worded returns the failure of an update in the wording of its parameters.
func (s UpdateItem) worded(f *Failure) *Failure {
	for i, message := range f.Messages {
		if s.Older && message == wrongOperand {
			f.Messages[i] = "Type mismatch for attribute to update"
		}
	}
	return f
}

// attributes returns the requested attributes, nil if there are none.
func (s UpdateItem) attributes(old, next Item) Item {
	var part Item
	switch s.Return {
	case types.ReturnValueAllOld:
		return old
	case types.ReturnValueAllNew:
		return next
	case types.ReturnValueUpdatedOld:
		part = project(old, s.Update.paths())
	case types.ReturnValueUpdatedNew:
		part = project(next, s.Update.paths())
	}
	if len(part) == 0 {
		return nil
	}
	return part
}

// An updateFailure is the failure of an update. An empty index key fails a
// transaction as a whole.
type updateFailure struct {
	*Failure
	emptyKey bool
}

func (f *updateFailure) failure() *Failure { return f.Failure }

// update returns the item after an update with a valid key, nil if there is none.
func (t *table) update(key Item, u Update, condition *Condition, show bool) (Item, *updateFailure) {
	for _, p := range u.paths() {
		if name := p.head(); name == t.hash || name == t.sort {
			return nil, &updateFailure{Failure: refuse(invalid + "Cannot update attribute " + name + ". This attribute is part of the key")}
		}
	}
	old := t.get(key)
	if !condition.holds(old) {
		return nil, &updateFailure{Failure: conditionFailed(old, show)}
	}
	if old == nil && u.onlyRemoves() {
		return nil, nil
	}
	if old == nil {
		old = canonicalItem(key)
	}
	if len(u) == 0 {
		return old, nil
	}
	next, complaints := u.apply(old)
	if len(complaints) > 0 {
		return nil, &updateFailure{Failure: refuse(complaints...)}
	}
	if c := t.indexComplaint(next, u); c != nil {
		return nil, &updateFailure{refuse(c.texts...), c.empty}
	}
	if itemSize(next) > maxItemSize {
		return nil, &updateFailure{Failure: refuse(tooLargeItem)}
	}
	return next, nil
}
