package oracle

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// SetProtection is a step: an UpdateTable that enables or disables deletion protection.
type SetProtection struct {
	Table string
	On    bool
}

func (s SetProtection) do(ctx context.Context, db Tables) (any, error) {
	_, err := db.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: &s.Table, DeletionProtectionEnabled: &s.On})
	return nil, err
}

func (s SetProtection) expect(m *Model) (any, *Failure) {
	t := m.tables[s.Table]
	if t == nil {
		return nil, tableNotFound(s.Table)
	}
	t.guarded = s.On
	return nil, nil
}

// SetTag is a step: a TagResource, or an UntagResource if the value is empty.
type SetTag struct{ Table, Key, Value string }

func (s SetTag) do(ctx context.Context, db Tables) (any, error) {
	if s.Value == "" {
		_, err := db.UntagResource(ctx, &dynamodb.UntagResourceInput{ResourceArn: aws.String(arn + s.Table), TagKeys: []string{s.Key}})
		return nil, err
	}
	_, err := db.TagResource(ctx, &dynamodb.TagResourceInput{ResourceArn: aws.String(arn + s.Table), Tags: []types.Tag{{Key: &s.Key, Value: &s.Value}}})
	return nil, err
}

func (s SetTag) expect(m *Model) (any, *Failure) {
	t := m.tables[s.Table]
	switch {
	case t == nil:
		return nil, notFound("Requested resource not found: ResourceArn: " + arn + s.Table + " not found")
	case s.Value == "":
		delete(t.tags, s.Key)
	default:
		t.tags[s.Key] = s.Value
	}
	return nil, nil
}
