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

// Hooks of a faulty database: what it returns instead of the result of a request.
type (
	updateHook   func(db *engine.API, in *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error)
	transactHook func(db *engine.API, in *dynamodb.TransactWriteItemsInput, err error)
)

// A faulty database is wrong in one way.
type faulty struct {
	*engine.API
	updated    updateHook
	asked      func(in *dynamodb.TransactWriteItemsInput)
	transacted transactHook
	batch      func(out *dynamodb.BatchGetItemOutput)
	snapshot   func(out *dynamodb.TransactGetItemsOutput)
}

func (f *faulty) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	out, err := f.API.TransactGetItems(ctx, in, options...)
	if f.snapshot != nil && err == nil {
		f.snapshot(out)
	}
	return out, err
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
	if f.transacted != nil {
		f.transacted(f.API, in, err)
	}
	return out, err
}

// dropIndexKey removes an index key after each update.
func dropIndexKey(db *engine.API, in *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
	if err == nil {
		update(db, in.TableName, in.Key, "REMOVE StatePK", nil)
	}
	return out, err
}

// ignoreCondition reports success if a condition failed.
func ignoreCondition(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
	if failed, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return &dynamodb.UpdateItemOutput{Attributes: failed.Item}, nil
	}
	return out, err
}

// failCondition reports a failed condition after success.
func failCondition(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
	if err == nil {
		return nil, &types.ConditionalCheckFailedException{Item: out.Attributes}
	}
	return out, err
}

// hideItem reports a failed condition without the item.
func hideItem(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
	if _, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		return nil, &types.ConditionalCheckFailedException{}
	}
	return out, err
}

// countOneUnitMore reports one unit too many.
func countOneUnitMore(_ *engine.API, _ *dynamodb.UpdateItemInput, out *dynamodb.UpdateItemOutput, err error) (*dynamodb.UpdateItemOutput, error) {
	if err == nil && out.ConsumedCapacity != nil {
		*out.ConsumedCapacity.CapacityUnits++
	}
	return out, err
}

// skipDelete removes the first delete from a transaction.
func skipDelete(in *dynamodb.TransactWriteItemsInput) {
	for i, action := range in.TransactItems {
		if action.Delete != nil {
			in.TransactItems = append(in.TransactItems[:i:i], in.TransactItems[i+1:]...)
			return
		}
	}
}

// addTwice adds 1 to a counter again after each transaction that updates it.
func addTwice(expression string) transactHook {
	return func(db *engine.API, in *dynamodb.TransactWriteItemsInput, err error) {
		for _, action := range in.TransactItems {
			if u := action.Update; u != nil && err == nil {
				update(db, u.TableName, u.Key, expression, map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}})
			}
		}
	}
}

// putAnyway writes the first item of a refused transaction.
func putAnyway(db *engine.API, in *dynamodb.TransactWriteItemsInput, err error) {
	if first := in.TransactItems[0].Put; err != nil && first != nil {
		db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: first.TableName, Item: first.Item})
	}
}

// loseItem removes the last item of each table from an answer.
func loseItem(out *dynamodb.BatchGetItemOutput) {
	for table, items := range out.Responses {
		out.Responses[table] = items[:max(len(items)-1, 0)]
	}
}

// A faultTest is a faulty database, and the difference that a run on it must report.
type faultTest struct {
	name, design, pattern string
	fault                 faulty
	kind, detail          string
}

// TestRunReportsFaults runs writes on databases that are wrong in one way each.
func TestRunReportsFaults(t *testing.T) {
	for _, test := range []faultTest{
		{"an update drops an index key", keyDesign, "Free", faulty{updated: dropIndexKey}, "content", "StatePK should be"},
		{"a condition is ignored", keyDesign, "Claim", faulty{updated: ignoreCondition}, "outcome", "it succeeded, but must be refused"},
		{"a condition fails that holds", keyDesign, "Finish", faulty{updated: failCondition}, "outcome", "it was refused, but must succeed"},
		{"the reason is not reported", keyDesign, "Own", faulty{updated: hideItem}, "outcome", "the version is not the one seen"},
		{"the row of an old value stays", uniqueDesign, "ChangeEmail", faulty{asked: skipDelete}, "surplus", "EMAIL#"},
		{"a counter is added to twice", counterDesign, "AddTask", faulty{transacted: addTwice("ADD tasks :one")}, "content", "tasks should be"},
		{"a shard is added to twice", counterDesign, "See", faulty{transacted: addTwice("ADD #views :one")}, "content", "the shards of Project.views add up to"},
		{"a shard is not read", counterDesign, "See", faulty{batch: loseItem}, "content", "Project.views is read as"},
		{"a refused transaction leaves an item behind", requireDesign, "Book", faulty{transacted: putAnyway}, "surplus", "BOOKING#"},
		{"too many units", requireDesign, "Own", faulty{updated: countOneUnitMore}, "units", "DynamoDB counted 2 units, the cost model 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

// run runs a pattern on the faulty database.
func (test *faultTest) run(t *testing.T) {
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
}

// update changes an item outside of the run.
func update(db *engine.API, table *string, key map[string]types.AttributeValue, expression string, values map[string]types.AttributeValue) {
	in := &dynamodb.UpdateItemInput{TableName: table, Key: key, UpdateExpression: &expression, ExpressionAttributeValues: values}
	if strings.Contains(expression, "#views") {
		in.ExpressionAttributeNames = map[string]string{"#views": "views"}
	}
	if _, err := db.UpdateItem(context.Background(), in); err != nil {
		panic(err)
	}
}
