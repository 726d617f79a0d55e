package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"sortkey.dev/engine"
)

// A mixedLoad runs all kinds of operations on one database at the same time.
type mixedLoad struct {
	*testDB
	workers *workerGroup
}

// TestAllOperationsConcurrently creates, changes and deletes tables while they are read and
// written. No call blocks forever or fails for an unexpected reason, the remaining data
// is consistent, and no goroutine outlives Close.
func TestAllOperationsConcurrently(t *testing.T) {
	before := runtime.NumGoroutine() + 1 // the subtest
	opts := engine.Options{Sync: engine.SyncRelaxed, ExpiryInterval: time.Millisecond}
	onEachStore(t, opts, func(s *testDB) {
		c := s.newWorkers()
		mixedLoad := &mixedLoad{s, c}
		for _, do := range []work{mixedLoad.changeTables, mixedLoad.changeIndexes, mixedLoad.changeStreams, mixedLoad.changeExpiry} {
			c.start(1, func(int) work { return repeat(s.times(150, 80), tolerant(do)) })
		}
		for _, do := range []work{mixedLoad.writeOne, mixedLoad.writeOne, mixedLoad.writeSeveral, mixedLoad.writeSeveral, mixedLoad.readPages, mixedLoad.readTogether, mixedLoad.readStreams, mixedLoad.ask} {
			c.runMeanwhile(tolerant(do))
		}
		c.wait()
		s.must(mixedLoad.compare(s.Context()))
		s.must(s.reopen())
		s.must(mixedLoad.compare(s.Context()))
		s.must(s.db.Close())
		s.expectGoroutines(before)
	})
}

// tolerant ignores the errors of tables, indexes and streams that do not exist, or
// that another worker is changing.
func tolerant(do work) work {
	return func(ctx context.Context, rnd *rand.Rand) error {
		err := do(ctx, rnd)
		var api smithy.APIError
		switch {
		case isConflict(err):
			return nil
		case errors.As(err, &api):
			switch api.ErrorCode() {
			case "ResourceNotFoundException", "ResourceInUseException", "LimitExceededException":
				return nil
			}
		}
		return tolerate(err,
			"Attempting to create an index which already exists", "The table does not have the specified index", "Cannot read from backfilling",
			"Table already has an enabled stream", "Table has no stream to disable", "TimeToLive is already", "its stream is disabled", "no such table")
	}
}

func randomTable(rnd *rand.Rand) *string { return new([]string{"north", "south", "west"}[rnd.IntN(3)]) }

func randomItem(rnd *rand.Rand) attributes {
	item := attributes{"id": number(rnd.IntN(200)), "n": number(rnd.IntN(10))}
	if rnd.IntN(4) == 0 {
		item["until"] = number(int(time.Now().Unix()) - 1 + rnd.IntN(3))
	}
	return item
}

func (w *mixedLoad) changeTables(ctx context.Context, rnd *rand.Rand) (err error) {
	name := randomTable(rnd)
	if rnd.IntN(4) == 0 {
		_, err = w.db.API().DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: name})
		return err
	}
	table := keyed(*name, "id/N")
	if rnd.IntN(2) == 0 {
		table.StreamSpecification = withImages
	}
	_, err = w.db.API().CreateTable(ctx, table)
	return err
}

func (w *mixedLoad) changeIndexes(ctx context.Context, rnd *rand.Rand) error {
	table, index := *randomTable(rnd), []string{"one", "two"}[rnd.IntN(2)]
	if rnd.IntN(2) == 0 {
		return w.dropIndex(ctx, table, index)
	}
	return w.beginIndex(ctx, table, index, types.ProjectionTypeKeysOnly, "n/N")
}

func (w *mixedLoad) changeStreams(ctx context.Context, rnd *rand.Rand) error {
	in := &dynamodb.UpdateTableInput{TableName: randomTable(rnd), StreamSpecification: withImages}
	switch rnd.IntN(4) {
	case 0:
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: new(false)}
	case 1:
		in.StreamSpecification, in.DeletionProtectionEnabled = nil, new(false)
	case 2:
		out, err := w.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: in.TableName})
		if err != nil || out.Table.LatestStreamArn == nil {
			return err
		}
		return w.db.ReplaceShard(ctx, *out.Table.LatestStreamArn, rnd.IntN, 1+rnd.IntN(2))
	}
	_, err := w.db.API().UpdateTable(ctx, in)
	return err
}

func (w *mixedLoad) changeExpiry(ctx context.Context, rnd *rand.Rand) error {
	_, err := w.db.API().UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: randomTable(rnd), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: new("until"), Enabled: new(rnd.IntN(3) > 0)},
	})
	return err
}

func (w *mixedLoad) writeOne(ctx context.Context, rnd *rand.Rand) (err error) {
	item := randomItem(rnd)
	switch rnd.IntN(3) {
	case 0:
		_, err = w.db.API().DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: randomTable(rnd), Key: attributes{"id": item["id"]}})
	case 1:
		_, err = w.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: randomTable(rnd), Key: attributes{"id": item["id"]}, UpdateExpression: new("ADD n :n"), ExpressionAttributeValues: attributes{":n": item["n"]},
		})
	default:
		_, err = w.db.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: randomTable(rnd), Item: item})
	}
	return err
}

// writeSeveral writes to all tables, in any order, in a batch or a transaction.
func (w *mixedLoad) writeSeveral(ctx context.Context, rnd *rand.Rand) (err error) {
	tables := []string{"north", "south", "west"}
	rnd.Shuffle(len(tables), func(i, j int) { tables[i], tables[j] = tables[j], tables[i] })
	batch, transaction := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{}}, &dynamodb.TransactWriteItemsInput{}
	for _, table := range tables[:2+rnd.IntN(2)] {
		item := randomItem(rnd)
		batch.RequestItems[table] = []types.WriteRequest{{PutRequest: &types.PutRequest{Item: item}}}
		transaction.TransactItems = append(transaction.TransactItems, types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}})
	}
	if rnd.IntN(2) == 0 {
		_, err = w.db.API().BatchWriteItem(ctx, batch)
	} else {
		_, err = w.db.API().TransactWriteItems(ctx, transaction)
	}
	return err
}

func (w *mixedLoad) readPages(ctx context.Context, rnd *rand.Rand) error {
	_, err := w.scan(ctx, *randomTable(rnd), []string{"", "one", "two"}[rnd.IntN(3)], 30)
	return err
}

func (w *mixedLoad) readTogether(ctx context.Context, rnd *rand.Rand) error {
	in := &dynamodb.TransactGetItemsInput{}
	for _, table := range []string{"north", "south", "west"} {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: &table, Key: attributes{"id": number(rnd.IntN(200))}}})
	}
	_, err := w.db.API().TransactGetItems(ctx, in)
	return err
}

// readStreams reads the latest stream of a table from its beginning, or waits for a change.
func (w *mixedLoad) readStreams(ctx context.Context, rnd *rand.Rand) error {
	name := randomTable(rnd)
	if rnd.IntN(4) == 0 {
		return w.awaitChange(*name)
	}
	out, err := w.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: name})
	if err != nil || out.Table.LatestStreamArn == nil {
		return err
	}
	seen := replica{}
	return newShardReader(w.db, *out.Table.LatestStreamArn, 50).catchUp(ctx, seen.follow)
}

// awaitChange waits for a change of a table until the main workers have finished.
func (w *mixedLoad) awaitChange(table string) error {
	changes, err := w.db.Changes(w.workers.busy, table, engine.FromNow)
	if err == nil {
		for _, err = range changes {
			break
		}
	}
	if w.workers.busy.Err() != nil {
		return nil
	}
	return err
}

// ask describes the tables.
func (w *mixedLoad) ask(ctx context.Context, rnd *rand.Rand) (err error) {
	switch rnd.IntN(3) {
	case 0:
		_, err = w.db.API().ListTables(ctx, &dynamodb.ListTablesInput{})
	case 1:
		_, err = w.db.API().DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: randomTable(rnd)})
	default:
		_, err = w.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: randomTable(rnd)})
	}
	return err
}

// compare disables expiry, and then compares indexes and counters with the items.
func (w *mixedLoad) compare(ctx context.Context) error {
	out, err := w.db.API().ListTables(ctx, &dynamodb.ListTablesInput{})
	if err != nil {
		return err
	}
	for _, table := range out.TableNames {
		_, err := w.db.API().UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
			TableName: &table, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: new("until"), Enabled: new(false)},
		})
		if err := tolerate(err, "TimeToLive is already"); err != nil {
			return err
		}
		if err := w.indexesComplete(ctx, table); err != nil {
			return err
		}
	}
	return w.agree(ctx, out.TableNames...)
}

// expectGoroutines fails the test if more goroutines run than before.
func (s *testDB) expectGoroutines(before int) {
	s.Helper()
	patience, cancel := context.WithTimeout(s.Context(), 2*time.Minute) // reached only by a leak
	defer cancel()
	err := eventually(patience, func() (bool, error) { return runtime.NumGoroutine() <= before, nil })
	if err != nil {
		var stacks strings.Builder
		pprof.Lookup("goroutine").WriteTo(&stacks, 1)
		s.Fatalf("%d goroutines, %d before: %s", runtime.NumGoroutine(), before, stacks.String())
	}
}
