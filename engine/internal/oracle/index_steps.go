package oracle

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// AddIndex is a step: an UpdateTable that creates a global index, and the wait until
// it can be read.
type AddIndex struct {
	Table     string
	Index     Index
	Types     map[string]string // of the index key
	Meanwhile []Step            // steps that run while the index is built
	Restart   *Restart          // in the middle of the build
}

func (s AddIndex) check(ctx context.Context, p *player) *Problem {
	x := &s.Index
	_, err := p.db.Tables().UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: &s.Table, AttributeDefinitions: definitions(s.Types),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Create: &types.CreateGlobalSecondaryIndexAction{IndexName: &x.Name, KeySchema: x.keySchema(), Projection: x.projection()}}},
	})
	failure := s.add(p.model)
	if wrong := p.compareFailures(err, failure); wrong != nil {
		return wrong
	}
	for i, step := range s.Meanwhile {
		if i == 1 && s.Restart != nil && failure == nil {
			if wrong := p.restart(s.Restart.Crash); wrong != nil {
				return wrong
			}
		}
		if wrong := p.play(ctx, step); wrong != nil {
			return wrong
		}
	}
	if failure != nil {
		return nil
	}
	err = eventually(ctx, func() (bool, error) {
		out, err := p.db.Tables().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &s.Table})
		if err != nil {
			return false, err
		}
		building := func(x types.GlobalSecondaryIndexDescription) bool { return x.IndexStatus != types.IndexStatusActive }
		return !slices.ContainsFunc(out.Table.GlobalSecondaryIndexes, building), nil
	})
	if err != nil {
		return problem("error", "wait for the index: %v", err)
	}
	return nil
}

func (s AddIndex) expect(m *Model) (any, *Failure) {
	failure := s.add(m)
	for _, step := range s.Meanwhile {
		step.expect(m)
		m.expire()
	}
	return nil, failure
}

// add adds the index to the model.
func (s AddIndex) add(m *Model) *Failure {
	t := m.tables[s.Table]
	switch {
	case t == nil:
		return tableNotFound(s.Table)
	case t.index(s.Index.Name) != nil:
		return refuse("Attempting to create an index which already exists")
	}
	t.indexes = append(t.indexes, s.Index)
	for name, kind := range s.Types {
		if t.types[name] == "" {
			t.types[name] = kind
		}
	}
	return nil
}

// DropIndex is a step: an UpdateTable that deletes a global index.
type DropIndex struct{ Table, Index string }

func (s DropIndex) do(ctx context.Context, db Tables) (any, error) {
	_, err := db.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &s.Table,
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &s.Index}}}})
	return nil, err
}

func (s DropIndex) expect(m *Model) (any, *Failure) {
	t := m.tables[s.Table]
	if t == nil {
		return nil, tableNotFound(s.Table)
	}
	switch x := t.index(s.Index); {
	case x == nil:
		return nil, notFound("Requested resource not found: Index " + s.Index + " for table " + s.Table)
	case x.Local:
		return nil, refuse("Cannot delete an index that is not a GlobalSecondaryIndex: " + s.Index)
	}
	t.indexes = slices.DeleteFunc(t.indexes, func(x Index) bool { return x.Name == s.Index })
	t.forgetTypes()
	return nil, nil
}
