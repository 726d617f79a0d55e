package oracle

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// GetItem is a step.
type GetItem struct {
	Table      string
	Key        Item
	Project    []Path
	Consistent bool
	Capacity   types.ReturnConsumedCapacity
	Older      bool // the projection is AttributesToGet
	Spoil      string
}

func (s GetItem) input() (in *dynamodb.GetItemInput, complaint string) {
	e := &expressions{}
	in = &dynamodb.GetItemInput{
		TableName: &s.Table, Key: s.Key, ConsistentRead: optional(s.Consistent), ReturnConsumedCapacity: s.Capacity,
	}
	if s.Older {
		in.AttributesToGet = heads(s.Project)
		return in, ""
	}
	in.ProjectionExpression = e.projection(s.Project)
	complaint = e.spoil(s.Spoil)
	in.ExpressionAttributeNames = e.names
	return in, complaint
}

func (s GetItem) do(ctx context.Context, db Tables) (any, error) {
	in, _ := s.input()
	return db.GetItem(ctx, in)
}

func (s GetItem) expect(m *Model) (any, *Failure) {
	if _, complaint := s.input(); complaint != "" {
		return nil, refuse(complaint)
	}
	t := m.find(s.Table)
	if t == nil {
		return nil, noTable
	}
	if c := t.keyComplaint(s.Key); c != "" {
		return nil, refuse(c)
	}
	it := t.get(s.Key)
	cost := bill{table: readUnits(itemSize(it), s.Consistent)}
	return &dynamodb.GetItemOutput{Item: projected(it, s.Project), ConsumedCapacity: cost.consumed(s.Table, s.Capacity, plain)}, nil
}

// projected returns the projection of an item, which may be missing.
func projected(it Item, paths []Path) Item {
	if it == nil || paths == nil {
		return it
	}
	return project(it, paths)
}
