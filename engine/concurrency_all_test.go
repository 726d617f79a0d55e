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

// A town is a database in which everything happens at the same time.
type town struct {
	*stage
	crew *crew
}

// TestEverythingAtOnce creates, changes and deletes tables while they are read and
// written. Nobody waits for ever, no call fails for a reason that it should
// not have, what is left agrees, and nothing runs on after Close.
func TestEverythingAtOnce(t *testing.T) {
	before := runtime.NumGoroutine() + 1 // the subtest
	opts := engine.Options{Sync: engine.SyncRelaxed, ExpiryInterval: time.Millisecond}
	onEachStore(t, opts, func(s *stage) {
		c := s.crew()
		town := &town{s, c}
		for _, do := range []work{town.changeTables, town.changeIndexes, town.changeStreams, town.changeExpiry} {
			c.start(1, func(int) work { return repeat(s.times(150, 80), tolerant(do)) })
		}
		for _, do := range []work{town.writeOne, town.writeOne, town.writeSeveral, town.writeSeveral, town.readPages, town.readTogether, town.readStreams, town.ask} {
			c.accompany(tolerant(do))
		}
		c.wait()
		s.must(town.compare(s.Context()))
		s.must(s.reopen())
		s.must(town.compare(s.Context()))
		s.must(s.db.Close())
		s.expectGoroutines(before)
	})
}

// tolerant lets the errors pass that come from tables, indexes and streams that are
// not there any more, or not yet, or are changed by somebody else.
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
			"Table already has an enabled stream", "Table has no stream to disable", "TimeToLive is already", "its stream is off", "there is no such table")
	}
}

func townTable(rnd *rand.Rand) *string { return new([]string{"north", "south", "west"}[rnd.IntN(3)]) }

func townItem(rnd *rand.Rand) attributes {
	item := attributes{"id": number(rnd.IntN(200)), "n": number(rnd.IntN(10))}
	if rnd.IntN(4) == 0 {
		item["until"] = number(int(time.Now().Unix()) - 1 + rnd.IntN(3))
	}
	return item
}

func (w *town) changeTables(ctx context.Context, rnd *rand.Rand) (err error) {
	name := townTable(rnd)
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

func (w *town) changeIndexes(ctx context.Context, rnd *rand.Rand) error {
	table, index := *townTable(rnd), []string{"one", "two"}[rnd.IntN(2)]
	if rnd.IntN(2) == 0 {
		return w.dropIndex(ctx, table, index)
	}
	return w.beginIndex(ctx, table, index, types.ProjectionTypeKeysOnly, "n/N")
}

func (w *town) changeStreams(ctx context.Context, rnd *rand.Rand) error {
	in := &dynamodb.UpdateTableInput{TableName: townTable(rnd), StreamSpecification: withImages}
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

func (w *town) changeExpiry(ctx context.Context, rnd *rand.Rand) error {
	_, err := w.db.API().UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: townTable(rnd), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: new("until"), Enabled: new(rnd.IntN(3) > 0)},
	})
	return err
}

func (w *town) writeOne(ctx context.Context, rnd *rand.Rand) (err error) {
	item := townItem(rnd)
	switch rnd.IntN(3) {
	case 0:
		_, err = w.db.API().DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: townTable(rnd), Key: attributes{"id": item["id"]}})
	case 1:
		_, err = w.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: townTable(rnd), Key: attributes{"id": item["id"]}, UpdateExpression: new("ADD n :n"), ExpressionAttributeValues: attributes{":n": item["n"]},
		})
	default:
		_, err = w.db.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: townTable(rnd), Item: item})
	}
	return err
}

// writeSeveral writes to all tables, in any order, in a batch or a transaction.
func (w *town) writeSeveral(ctx context.Context, rnd *rand.Rand) (err error) {
	tables := []string{"north", "south", "west"}
	rnd.Shuffle(len(tables), func(i, j int) { tables[i], tables[j] = tables[j], tables[i] })
	batch, transaction := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{}}, &dynamodb.TransactWriteItemsInput{}
	for _, table := range tables[:2+rnd.IntN(2)] {
		item := townItem(rnd)
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

func (w *town) readPages(ctx context.Context, rnd *rand.Rand) error {
	_, err := w.scan(ctx, *townTable(rnd), []string{"", "one", "two"}[rnd.IntN(3)], 30)
	return err
}

func (w *town) readTogether(ctx context.Context, rnd *rand.Rand) error {
	in := &dynamodb.TransactGetItemsInput{}
	for _, table := range []string{"north", "south", "west"} {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: &table, Key: attributes{"id": number(rnd.IntN(200))}}})
	}
	_, err := w.db.API().TransactGetItems(ctx, in)
	return err
}

// readStreams reads the latest stream of a table from its beginning, or waits for a change.
func (w *town) readStreams(ctx context.Context, rnd *rand.Rand) error {
	name := townTable(rnd)
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

// awaitChange waits for a change of a table, but not after the others have gone.
func (w *town) awaitChange(table string) error {
	changes, err := w.db.Changes(w.crew.busy, table, engine.FromNow)
	if err == nil {
		for _, err = range changes {
			break
		}
	}
	if w.crew.busy.Err() != nil {
		return nil
	}
	return err
}

// ask asks about the tables.
func (w *town) ask(ctx context.Context, rnd *rand.Rand) (err error) {
	switch rnd.IntN(3) {
	case 0:
		_, err = w.db.API().ListTables(ctx, &dynamodb.ListTablesInput{})
	case 1:
		_, err = w.db.API().DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: townTable(rnd)})
	default:
		_, err = w.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: townTable(rnd)})
	}
	return err
}

// compare switches off what changes items by itself, and then holds everything against the items.
func (w *town) compare(ctx context.Context) error {
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

// expectGoroutines fails the test when more run than there were before.
func (s *stage) expectGoroutines(before int) {
	s.Helper()
	patience, cancel := context.WithTimeout(s.Context(), 2*time.Minute) // only what stays takes that long
	defer cancel()
	err := eventually(patience, func() (bool, error) { return runtime.NumGoroutine() <= before, nil })
	if err != nil {
		var stacks strings.Builder
		pprof.Lookup("goroutine").WriteTo(&stacks, 1)
		s.Fatalf("%d goroutines, %d before: %s", runtime.NumGoroutine(), before, stacks.String())
	}
}
