package oracle

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// PutItem is a step.
type PutItem struct {
	Table      string
	Item       Item
	If         *Condition
	Return     types.ReturnValue
	ShowFailed bool // the item whose condition fails
	Capacity   types.ReturnConsumedCapacity
	Metrics    bool
	Older      bool // the condition is Expected
	Spoil      string
}

func (s PutItem) input() (in *dynamodb.PutItemInput, complaint string) {
	e := &expressions{}
	in = &dynamodb.PutItemInput{
		TableName: &s.Table, Item: s.Item, ReturnValues: s.Return,
		ReturnValuesOnConditionCheckFailure: onFailure(s.ShowFailed), ReturnConsumedCapacity: s.Capacity, ReturnItemCollectionMetrics: metricsParameter(s.Metrics),
	}
	if s.Older {
		in.Expected, in.ConditionalOperator = s.If.expected(), s.If.operator()
		return in, s.If.olderComplaint()
	}
	in.ConditionExpression = s.If.write(e, "ConditionExpression")
	complaint = e.spoil(s.Spoil)
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.names, e.values
	return in, complaint
}

func (s PutItem) do(ctx context.Context, db Tables) (any, error) {
	in, _ := s.input()
	return db.PutItem(ctx, in)
}

const (
	maxItemSize  = 400 << 10
	tooLargePut  = "Item size has exceeded the maximum allowed size"
	tooLargeItem = "Item size to update has exceeded the maximum allowed size"
	onlyAllOld   = "ReturnValues can only be ALL_OLD or NONE"
)

func (s PutItem) expect(m *Model) (any, *Failure) {
	if !allOldOrNone(s.Return) {
		return nil, enveloped(onlyAllOld)
	}
	if itemSize(canonicalItem(s.Item)) > maxItemSize {
		return nil, refuse(tooLargePut)
	}
	if _, complaint := s.input(); complaint != "" {
		return nil, enveloped(complaint)
	}
	t := m.find(s.Table)
	if t == nil {
		return nil, noTable
	}
	if c := t.putComplaint(s.Item); c != "" {
		return nil, refuse(c)
	}
	old := t.get(s.Item)
	next, f := t.put(s.Item, s.If, s.ShowFailed)
	if f != nil {
		return nil, f
	}
	cost, _ := m.write(t, s.Item, next, false)
	out := &dynamodb.PutItemOutput{ConsumedCapacity: cost.consumed(s.Table, s.Capacity, plain), ItemCollectionMetrics: t.metrics(s.Item, s.Metrics)}
	if s.Return == types.ReturnValueAllOld {
		out.Attributes = old
	}
	return out, nil
}

func allOldOrNone(r types.ReturnValue) bool {
	return r == "" || r == types.ReturnValueNone || r == types.ReturnValueAllOld
}

// put returns the item after a put, if its index keys are valid and its condition holds.
func (t *table) put(it Item, condition *Condition, show bool) (Item, *Failure) {
	if c := t.indexComplaint(it, nil); c != nil {
		return nil, refuse(c.texts...)
	}
	if old := t.get(it); !condition.holds(old) {
		return nil, conditionFailed(old, show)
	}
	return canonicalItem(it), nil
}
