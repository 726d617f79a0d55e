package engine_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine"
)

// attributes is an item or a part of one.
type attributes = map[string]types.AttributeValue

// A testDB is a database that several workers use at the same time. Their operations are
// chosen by a random seed, which the test logs and takes from SEED; how the operations
// interleave is up to the scheduler.
type testDB struct {
	*testing.T
	dir  string // empty: in memory
	opts engine.Options
	db   *engine.DB
	seed uint64
}

// onEachStore runs a test on a database in memory and on one on disk.
func onEachStore(t *testing.T, opts engine.Options, test func(*testDB)) {
	for _, store := range []string{"memory", "disk"} {
		t.Run(store, func(t *testing.T) {
			given, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
			s := &testDB{T: t, opts: opts, seed: cmp.Or(given, rand.Uint64())}
			t.Logf("SEED=%d", s.seed)
			if store == "disk" {
				s.dir = t.TempDir()
			}
			s.must(s.open())
			defer func() {
				if err := s.db.Close(); err != nil {
					s.Error(err)
				}
			}()
			test(s)
		})
	}
}

func (s *testDB) open() (err error) {
	s.db, err = engine.Open(s.dir, &s.opts)
	return err
}

// reopen closes the database and opens it again. A database in memory stays open.
func (s *testDB) reopen() error {
	if s.dir == "" {
		return nil
	}
	if err := s.db.Close(); err != nil {
		return err
	}
	return s.open()
}

// times returns a number of repetitions, which is lower on disk, where each write waits for a sync.
func (s *testDB) times(inMemory, onDisk int) int {
	if s.dir == "" {
		return inMemory
	}
	return onDisk
}

// random returns the random source of a worker.
func (s *testDB) random(worker int) *rand.Rand { return rand.New(rand.NewPCG(s.seed, uint64(worker))) }

// A workerGroup runs workers on a testDB. The first error of a worker stops all of them.
type workerGroup struct {
	testDB  *testDB
	ctx     context.Context
	fail    context.CancelCauseFunc
	started int
	main    sync.WaitGroup  // the main workers
	others  sync.WaitGroup  // the workers that run meanwhile
	busy    context.Context // ends when the main workers have finished
	finish  context.CancelFunc
}

func (s *testDB) newWorkers() *workerGroup {
	c := &workerGroup{testDB: s}
	c.ctx, c.fail = context.WithCancelCause(s.Context())
	c.busy, c.finish = context.WithCancel(c.ctx)
	return c
}

// work is a function that a worker calls once or repeatedly, with its own random source.
type work func(ctx context.Context, rnd *rand.Rand) error

// start starts n main workers.
func (c *workerGroup) start(n int, do func(worker int) work) {
	for i := range n {
		c.started++
		rnd, do := c.testDB.random(c.started), do(i)
		c.main.Go(func() { c.check(do(c.ctx, rnd)) })
	}
}

// repeat returns work that does something n times.
func repeat(n int, do work) work {
	return func(ctx context.Context, rnd *rand.Rand) error {
		for range n {
			if err := do(ctx, rnd); err != nil {
				return err
			}
		}
		return nil
	}
}

// runMeanwhile starts a worker that repeats do until the main workers have finished, and once after that.
func (c *workerGroup) runMeanwhile(do work) {
	c.started++
	rnd := c.testDB.random(c.started)
	c.others.Go(func() {
		for last := false; !last && c.ctx.Err() == nil; {
			last = c.busy.Err() != nil
			c.check(do(c.ctx, rnd))
		}
	})
}

func (c *workerGroup) check(err error) {
	if err != nil {
		c.fail(err) // the first error is kept
	}
}

// wait waits for all workers. It fails the test if one of them failed.
func (c *workerGroup) wait() {
	c.testDB.Helper()
	c.main.Wait()
	c.finish()
	c.others.Wait()
	c.testDB.must(context.Cause(c.ctx))
	c.fail(nil)
}

// retryOnConflict repeats a call until it does not conflict with a transaction, as clients have to.
func retryOnConflict(call func() error) error {
	for {
		err := call()
		if !isConflict(err) {
			return err
		}
		runtime.Gosched()
	}
}

func isConflict(err error) bool {
	if _, ok := errors.AsType[*types.TransactionConflictException](err); ok {
		return true
	}
	if _, ok := errors.AsType[*types.TransactionInProgressException](err); ok {
		return true
	}
	return slices.Contains(reasons(err), "TransactionConflict")
}

// reasons returns the codes of the cancellation reasons of a transaction, none for other errors.
func reasons(err error) (codes []string) {
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, reason := range cancelled.CancellationReasons {
			codes = append(codes, *reason.Code)
		}
	}
	return codes
}

// eventually polls until ask returns true, an error, or ctx ends.
func eventually(ctx context.Context, ask func() (bool, error)) error {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		if yes, err := ask(); yes || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// keyed describes an on-demand table. Its key is given as one or two strings "name/type".
func keyed(name string, key ...string) *dynamodb.CreateTableInput {
	return &dynamodb.CreateTableInput{
		TableName: &name, BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: definitions(key...), KeySchema: keySchema(key...),
	}
}

func definitions(key ...string) (all []types.AttributeDefinition) {
	for _, k := range key {
		name, kind, _ := strings.Cut(k, "/")
		all = append(all, types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeType(kind)})
	}
	return all
}

func keySchema(key ...string) (elements []types.KeySchemaElement) {
	for i, k := range key {
		name, _, _ := strings.Cut(k, "/")
		elements = append(elements, types.KeySchemaElement{AttributeName: &name, KeyType: []types.KeyType{types.KeyTypeHash, types.KeyTypeRange}[i]})
	}
	return elements
}

var withImages = &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: types.StreamViewTypeNewAndOldImages}

func (s *testDB) createTable(in *dynamodb.CreateTableInput) {
	s.Helper()
	_, err := s.db.API().CreateTable(s.Context(), in)
	s.must(err)
}

// scan reads a table, or one of its indexes, page by page.
func (s *testDB) scan(ctx context.Context, table, index string, page int32) (items []attributes, err error) {
	in := &dynamodb.ScanInput{TableName: &table, Limit: &page, ConsistentRead: new(index == "")}
	if index != "" {
		in.IndexName = &index
	}
	for {
		out, err := s.db.API().Scan(ctx, in)
		if err != nil {
			return nil, err
		}
		items = append(items, out.Items...)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return items, nil
		}
	}
}

// integer returns a number attribute of an item, -1 if it is missing.
func integer(item attributes, name string) int {
	if n, ok := item[name].(*types.AttributeValueMemberN); ok {
		if i, err := strconv.Atoi(n.Value); err == nil {
			return i
		}
	}
	return -1
}

// show formats an item of numbers and strings, of either client's types.
func show[V any](item map[string]V) string {
	if item == nil {
		return "nothing"
	}
	var parts []string
	for name, value := range item {
		switch v := any(value).(type) {
		case *types.AttributeValueMemberN:
			parts = append(parts, name+"="+v.Value)
		case *types.AttributeValueMemberS:
			parts = append(parts, name+"="+strconv.Quote(v.Value))
		case *streamtypes.AttributeValueMemberN:
			parts = append(parts, name+"="+v.Value)
		case *streamtypes.AttributeValueMemberS:
			parts = append(parts, name+"="+strconv.Quote(v.Value))
		default:
			parts = append(parts, fmt.Sprintf("%s=%T", name, value))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// addIndex adds a global index and returns when it is active.
func (s *testDB) addIndex(ctx context.Context, table, name string, projection types.ProjectionType, key ...string) error {
	if err := s.beginIndex(ctx, table, name, projection, key...); err != nil {
		return err
	}
	return s.awaitIndex(ctx, table, name)
}

// beginIndex adds a global index and does not wait for it.
func (s *testDB) beginIndex(ctx context.Context, table, name string, projection types.ProjectionType, key ...string) error {
	p := &types.Projection{ProjectionType: projection}
	if projection == types.ProjectionTypeInclude {
		p.NonKeyAttributes = []string{"n"}
	}
	_, err := s.db.API().UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: &table, AttributeDefinitions: definitions(key...),
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Create: &types.CreateGlobalSecondaryIndexAction{IndexName: &name, KeySchema: keySchema(key...), Projection: p},
		}},
	})
	return err
}

func (s *testDB) awaitIndex(ctx context.Context, table, name string) error {
	return eventually(ctx, func() (bool, error) {
		out, err := s.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &table})
		if err != nil {
			return false, err
		}
		active := func(x types.GlobalSecondaryIndexDescription) bool {
			return *x.IndexName == name && x.IndexStatus == types.IndexStatusActive
		}
		return slices.ContainsFunc(out.Table.GlobalSecondaryIndexes, active), nil
	})
}

func (s *testDB) dropIndex(ctx context.Context, table, name string) error {
	_, err := s.db.API().UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: &table, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &name},
		}},
	})
	return err
}
