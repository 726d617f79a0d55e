package oracle

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DeleteItem is a step.
type DeleteItem struct {
	Table      string
	Key        Item
	If         *Condition
	Return     types.ReturnValue
	ShowFailed bool // the item whose condition fails
	Capacity   types.ReturnConsumedCapacity
	Metrics    bool
	Older      bool // the condition is Expected
	Spoil      string
}

func (s DeleteItem) input() (in *dynamodb.DeleteItemInput, complaint string) {
	e := &expressions{}
	in = &dynamodb.DeleteItemInput{
		TableName: &s.Table, Key: s.Key, ReturnValues: s.Return,
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

func (s DeleteItem) do(ctx context.Context, db Tables) (any, error) {
	in, _ := s.input()
	return db.DeleteItem(ctx, in)
}

func (s DeleteItem) expect(m *Model) (any, *Failure) {
	if _, complaint := s.input(); complaint != "" {
		return nil, enveloped(complaint)
	}
	if !allOldOrNone(s.Return) {
		return nil, enveloped(onlyAllOld)
	}
	t := m.find(s.Table)
	if t == nil {
		return nil, noTable
	}
	if c := t.keyComplaint(s.Key); c != "" {
		return nil, refuse(c)
	}
	old := t.get(s.Key)
	if !s.If.holds(old) {
		return nil, conditionFailed(old, s.ShowFailed)
	}
	cost, _ := m.write(t, s.Key, nil, false)
	out := &dynamodb.DeleteItemOutput{ConsumedCapacity: cost.consumed(s.Table, s.Capacity, plain), ItemCollectionMetrics: t.metrics(s.Key, s.Metrics)}
	if s.Return == types.ReturnValueAllOld {
		out.Attributes = old
	}
	return out, nil
}
