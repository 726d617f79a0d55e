package engine_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine"
	"sortkey.dev/engine/internal/kv"
)

// A shop is a database that is closed while workers use it. They continue until a call
// fails because the database is closed.
type shop struct {
	*testDB
	clerks []*clerk
	done   atomic.Int64 // calls that returned
	temp   bool         // the table that is created and deleted exists
}

// A clerk owns some items and records their acknowledged states.
type clerk struct {
	shop  *shop
	first int
	items map[string]map[int]int // numbers by table and id
}

const itemsOfClerk = 20

var shopTables = []string{"stock", "orders"}

// TestCloseUnderTraffic closes a database while it is in use. Every call either
// succeeds or fails because the database is closed. After reopening, exactly the writes
// that succeeded are there.
func TestCloseUnderTraffic(t *testing.T) {
	onEachStore(t, engine.Options{}, func(s *testDB) {
		sh := &shop{testDB: s}
		sh.found()
		for range s.times(1, 3) {
			sh.workUntilClosed()
			if s.dir == "" {
				return
			}
			s.must(s.open())
			s.must(sh.compare(s.Context()))
		}
	})
}

func (sh *shop) found() {
	for _, name := range shopTables {
		table := keyed(name, "id/N")
		table.StreamSpecification = withImages
		sh.createTable(table)
	}
	for i := range 4 {
		items := map[string]map[int]int{}
		for _, table := range shopTables {
			items[table] = map[int]int{}
		}
		sh.clerks = append(sh.clerks, &clerk{shop: sh, first: i * itemsOfClerk, items: items})
	}
}

// workUntilClosed starts all workers, and closes the database after a number of calls.
func (sh *shop) workUntilClosed() {
	sh.Helper()
	c := sh.newWorkers()
	until := func(do work) func(int) work {
		return func(int) work { return sh.untilClosed(do) }
	}
	c.start(len(sh.clerks), func(i int) work { return sh.untilClosed(sh.clerks[i].write) })
	c.start(1, until(sh.read))
	c.start(1, until(sh.readTogether))
	c.start(1, until(sh.reindex))
	c.start(1, until(sh.comeAndGo))
	c.start(1, until(sh.follow))
	goal := sh.done.Load() + 300
	err := eventually(c.ctx, func() (bool, error) { return sh.done.Load() >= goal, nil })
	if err == nil {
		var closers sync.WaitGroup
		for range 2 {
			closers.Go(func() { c.check(sh.db.Close()) })
		}
		closers.Wait()
	}
	c.wait()
}

// untilClosed repeats a call until it fails because the database is closed.
func (sh *shop) untilClosed(do work) work {
	return func(ctx context.Context, rnd *rand.Rand) error {
		for {
			err := do(ctx, rnd)
			if errors.Is(err, kv.ErrClosed) {
				return nil
			}
			if err != nil && !isConflict(err) {
				return err
			}
			sh.done.Add(1)
		}
	}
}

// write puts or deletes items in one table or in both.
func (k *clerk) write(ctx context.Context, rnd *rand.Rand) (err error) {
	id, n := k.first+rnd.IntN(itemsOfClerk), rnd.IntN(1000)
	api, table := k.shop.db.API(), shopTables[rnd.IntN(2)]
	key, item := attributes{"id": number(id)}, attributes{"id": number(id), "n": number(n)}
	switch rnd.IntN(5) {
	case 0:
		_, err = api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &table, Key: key})
		if err == nil {
			delete(k.items[table], id)
		}
		return err
	case 1:
		_, err = api.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
			{Put: &types.Put{TableName: &shopTables[0], Item: item}}, {Put: &types.Put{TableName: &shopTables[1], Item: item}},
		}})
	case 2:
		put := []types.WriteRequest{{PutRequest: &types.PutRequest{Item: item}}}
		_, err = api.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{shopTables[0]: put, shopTables[1]: put}})
	default:
		_, err = api.PutItem(ctx, &dynamodb.PutItemInput{TableName: &table, Item: item})
		if err == nil {
			k.items[table][id] = n
		}
		return err
	}
	if err == nil {
		k.items[shopTables[0]][id], k.items[shopTables[1]][id] = n, n
	}
	return err
}

func (sh *shop) read(ctx context.Context, rnd *rand.Rand) error {
	_, err := sh.scan(ctx, shopTables[rnd.IntN(2)], "", 7)
	return err
}

func (sh *shop) readTogether(ctx context.Context, rnd *rand.Rand) error {
	in := &dynamodb.TransactGetItemsInput{}
	for _, table := range shopTables {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: &table, Key: attributes{"id": number(rnd.IntN(80))}}})
	}
	_, err := sh.db.API().TransactGetItems(ctx, in)
	return err
}

// reindex adds an index or drops it.
func (sh *shop) reindex(ctx context.Context, rnd *rand.Rand) error {
	if rnd.IntN(2) == 0 {
		return tolerate(sh.beginIndex(ctx, "stock", "by-n", types.ProjectionTypeAll, "n/N"), "already exists")
	}
	return tolerate(sh.dropIndex(ctx, "stock", "by-n"), "Index by-n for table stock")
}

// tolerate returns nil for an error with one of the texts.
func tolerate(err error, texts ...string) error {
	for _, text := range texts {
		if err != nil && strings.Contains(err.Error(), text) {
			return nil
		}
	}
	return err
}

// comeAndGo creates and deletes a table.
func (sh *shop) comeAndGo(ctx context.Context, _ *rand.Rand) (err error) {
	if sh.temp {
		_, err = sh.db.API().DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: new("temporary")})
	} else {
		_, err = sh.db.API().CreateTable(ctx, keyed("temporary", "id/N"))
	}
	if err == nil {
		sh.temp = !sh.temp
	}
	return err
}

// follow waits for changes, which end when the database is closed.
func (sh *shop) follow(ctx context.Context, _ *rand.Rand) error {
	changes, err := sh.db.Changes(ctx, "orders", engine.FromNow)
	if err != nil {
		return err
	}
	for _, err := range changes {
		if err != nil {
			return err
		}
	}
	return errors.New("the changes of a table ended without an error")
}

// compare compares the reopened database with what was acknowledged.
func (sh *shop) compare(ctx context.Context) error {
	for _, table := range shopTables {
		want := map[int]int{}
		for _, k := range sh.clerks {
			maps.Copy(want, k.items[table])
		}
		items, err := sh.scan(ctx, table, "", 100)
		if err != nil {
			return err
		}
		got := map[int]int{}
		for _, item := range items {
			got[integer(item, "id")] = integer(item, "n")
		}
		if !maps.Equal(want, got) {
			return fmt.Errorf("table %s is not what was acknowledged (-want +got):\n%s", table, cmp.Diff(want, got))
		}
	}
	out, err := sh.db.API().ListTables(ctx, &dynamodb.ListTablesInput{})
	if err != nil {
		return err
	}
	if there := slices.Contains(out.TableNames, "temporary"); there != sh.temp {
		return fmt.Errorf("the temporary table exists: %v, want %v", there, sh.temp)
	}
	if err := sh.indexesComplete(ctx, "stock"); err != nil {
		return err
	}
	return errors.Join(sh.agree(ctx, shopTables...), sh.agreeStreams(ctx, shopTables...))
}

// indexesComplete waits until all indexes of a table are built.
func (s *testDB) indexesComplete(ctx context.Context, table string) error {
	return eventually(ctx, func() (bool, error) {
		out, err := s.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
		if err != nil {
			return false, err
		}
		building := func(x indexed) bool { return x.status != types.IndexStatusActive }
		return !slices.ContainsFunc(indexesOf(out.Table), building), nil
	})
}
