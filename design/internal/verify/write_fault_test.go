package verify_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// A faulty database does something else than it is told.
type faulty struct {
	*engine.API
	updated  func(db *engine.API, in *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error)
	asked    func(in *dynamodb.TransactWriteItemsInput)
	transact func(db *engine.API, in *dynamodb.TransactWriteItemsInput, out *dynamodb.TransactWriteItemsOutput, err error) (*dynamodb.TransactWriteItemsOutput, error)
	batch    func(out *dynamodb.BatchGetItemOutput)
}

func (f *faulty) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	out, err := f.API.BatchGetItem(ctx, in, options...)
	if f.batch != nil && err == nil {
		f.batch(out)
	}
	return out, err
}

func (f *faulty) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	out, err := f.API.UpdateItem(ctx, in, options...)
	if f.updated == nil {
		return out, err
	}
	return f.updated(f.API, in, out, err)
}

func (f *faulty) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if f.asked != nil {
		f.asked(in)
	}
	out, err := f.API.TransactWriteItems(ctx, in, options...)
	if f.transact == nil {
		return out, err
	}
	return f.transact(f.API, in, out, err)
}

// TestFaultsAreFound runs writes on databases that are wrong in one way each.
func TestFaultsAreFound(t *testing.T) {
	for _, test := range []struct {
		name, design, pattern string
		fault                 faulty
		kind, detail          string
	}{
		{
			name: "an update drops an index key", design: keyDesign, pattern: "Free", kind: "content", detail: "StatePK should be",
			fault: faulty{updated: func(db *engine.API, in *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
				if err == nil {
					update(db, in.TableName, in.Key, "REMOVE StatePK", nil)
				}
				return out, err
			}},
		},
		{
			name: "a condition is ignored", design: keyDesign, pattern: "Claim", kind: "outcome", detail: "it succeeded, but must be refused",
			fault: faulty{updated: func(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
				if unmet := new(types.ConditionalCheckFailedException); errors.As(err, &unmet) {
					return &dynamodb.UpdateItemOutput{Attributes: unmet.Item}, nil
				}
				return out, err
			}},
		},
		{
			name: "a condition fails that holds", design: keyDesign, pattern: "Finish", kind: "outcome", detail: "it was refused, but must succeed",
			fault: faulty{updated: func(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
				if err == nil {
					return nil, &types.ConditionalCheckFailedException{Item: out.Attributes}
				}
				return out, err
			}},
		},
		{
			name: "the reason is not told", design: keyDesign, pattern: "Own", kind: "outcome", detail: "the version is not the one seen",
			fault: faulty{updated: func(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
				if unmet := new(types.ConditionalCheckFailedException); errors.As(err, &unmet) {
					return nil, &types.ConditionalCheckFailedException{}
				}
				return out, err
			}},
		},
		{
			name: "the row of an old value stays", design: uniqueDesign, pattern: "ChangeEmail", kind: "surplus", detail: "EMAIL#",
			fault: faulty{asked: func(in *dynamodb.TransactWriteItemsInput) {
				for i, action := range in.TransactItems {
					if action.Delete != nil {
						in.TransactItems = append(in.TransactItems[:i:i], in.TransactItems[i+1:]...)
						return
					}
				}
			}},
		},
		{
			name: "a counter is added to twice", design: counterDesign, pattern: "AddTask", kind: "content", detail: "tasks should be",
			fault: faulty{transact: func(db *engine.API, in *dynamodb.TransactWriteItemsInput, out *dynamodb.TransactWriteItemsOutput, err error) (*dynamodb.TransactWriteItemsOutput, error) {
				for _, action := range in.TransactItems {
					if u := action.Update; u != nil && err == nil {
						update(db, u.TableName, u.Key, "ADD tasks :one", map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}})
					}
				}
				return out, err
			}},
		},
		{
			name: "a shard is added to twice", design: counterDesign, pattern: "See", kind: "content", detail: "the shards of Project.views add up to",
			fault: faulty{transact: func(db *engine.API, in *dynamodb.TransactWriteItemsInput, out *dynamodb.TransactWriteItemsOutput, err error) (*dynamodb.TransactWriteItemsOutput, error) {
				for _, action := range in.TransactItems {
					if u := action.Update; u != nil && err == nil {
						update(db, u.TableName, u.Key, "ADD #views :one", map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}})
					}
				}
				return out, err
			}},
		},
		{
			name: "a shard is not read", design: counterDesign, pattern: "See", kind: "content", detail: "Project.views is read as",
			fault: faulty{batch: func(out *dynamodb.BatchGetItemOutput) {
				for table, items := range out.Responses {
					out.Responses[table] = items[:max(len(items)-1, 0)]
				}
			}},
		},
		{
			name: "a refused transaction leaves something behind", design: requireDesign, pattern: "Book", kind: "surplus", detail: "BOOKING#",
			fault: faulty{transact: func(db *engine.API, in *dynamodb.TransactWriteItemsInput, out *dynamodb.TransactWriteItemsOutput, err error) (*dynamodb.TransactWriteItemsOutput, error) {
				if first := in.TransactItems[0].Put; err != nil && first != nil {
					db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: first.TableName, Item: first.Item})
				}
				return out, err
			}},
		},
		{
			name: "too many units", design: requireDesign, pattern: "Own", kind: "units", detail: "DynamoDB counted 2 units, the cost model 1",
			fault: faulty{updated: func(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
				if err == nil && out.ConsumedCapacity != nil {
					*out.ConsumedCapacity.CapacityUnits++
				}
				return out, err
			}},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			db, err := engine.Open("", nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			test.fault.API = db.API()
			l := layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(test.design)}})
			report, err := verify.Run(context.Background(), l, &test.fault, verify.Options{Only: []string{test.pattern}})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range report.Patterns[0].Differences {
				if d.Kind == test.kind && strings.Contains(d.Detail, test.detail) {
					return
				}
			}
			t.Errorf("no difference of kind %s says %q; found are %v", test.kind, test.detail, report.Patterns[0].Differences)
		})
	}
}

// update changes an item behind everybody's back.
func update(db *engine.API, table *string, key map[string]types.AttributeValue, expression string, values map[string]types.AttributeValue) {
	in := &dynamodb.UpdateItemInput{TableName: table, Key: key, UpdateExpression: &expression, ExpressionAttributeValues: values}
	if strings.Contains(expression, "#views") {
		in.ExpressionAttributeNames = map[string]string{"#views": "views"}
	}
	if _, err := db.UpdateItem(context.Background(), in); err != nil {
		panic(err)
	}
}
