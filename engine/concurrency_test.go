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

// attributes are an item or a part of one.
type attributes = map[string]types.AttributeValue

// A stage is a database on which several work at the same time. What they do is
// chosen by a seed, which the test prints and takes from SEED; in which order
// their work meets is chosen by the machine.
type stage struct {
	*testing.T
	dir  string // empty: in memory
	opts engine.Options
	db   *engine.DB
	seed uint64
}

// onEachStore runs a test on a database in memory and on one on disk.
func onEachStore(t *testing.T, opts engine.Options, test func(*stage)) {
	for _, store := range []string{"memory", "disk"} {
		t.Run(store, func(t *testing.T) {
			given, _ := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
			s := &stage{T: t, opts: opts, seed: cmp.Or(given, rand.Uint64())}
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

func (s *stage) open() (err error) {
	s.db, err = engine.Open(s.dir, &s.opts)
	return err
}

// reopen closes the database and opens it again. What is in memory only stays open.
func (s *stage) reopen() error {
	if s.dir == "" {
		return nil
	}
	if err := s.db.Close(); err != nil {
		return err
	}
	return s.open()
}

// times is how often something is done, which is seldomer on disk, where each write waits for the disk.
func (s *stage) times(inMemory, onDisk int) int {
	if s.dir == "" {
		return inMemory
	}
	return onDisk
}

// random is a source of choices for the worker with a number.
func (s *stage) random(worker int) *rand.Rand { return rand.New(rand.NewPCG(s.seed, uint64(worker))) }

// A crew are workers on a stage. The first error of one of them ends the work of all.
type crew struct {
	stage  *stage
	ctx    context.Context
	fail   context.CancelCauseFunc
	hired  int
	main   sync.WaitGroup  // those who were started
	others sync.WaitGroup  // those who accompany them
	busy   context.Context // ends when those who were started are done
	rest   context.CancelFunc
}

func (s *stage) crew() *crew {
	c := &crew{stage: s}
	c.ctx, c.fail = context.WithCancelCause(s.Context())
	c.busy, c.rest = context.WithCancel(c.ctx)
	return c
}

// work is what a worker does, or does once more, with its own source of choices.
type work func(ctx context.Context, rnd *rand.Rand) error

// start lets n workers begin.
func (c *crew) start(n int, do func(worker int) work) {
	for i := range n {
		c.hired++
		rnd, do := c.stage.random(c.hired), do(i)
		c.main.Go(func() { c.check(do(c.ctx, rnd)) })
	}
}

// repeat is the work of doing something n times.
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

// accompany has a worker repeat something until those who were started are done, and once after that.
func (c *crew) accompany(do work) {
	c.hired++
	rnd := c.stage.random(c.hired)
	c.others.Go(func() {
		for last := false; !last && c.ctx.Err() == nil; {
			last = c.busy.Err() != nil
			c.check(do(c.ctx, rnd))
		}
	})
}

func (c *crew) check(err error) {
	if err != nil {
		c.fail(err) // of several errors the first is kept
	}
}

// wait returns when all are done. The test ends here when one had an error.
func (c *crew) wait() {
	c.stage.Helper()
	c.main.Wait()
	c.rest()
	c.others.Wait()
	c.stage.must(context.Cause(c.ctx))
	c.fail(nil)
}

// insist repeats a call for as long as a transaction stands in its way, as clients have to.
func insist(call func() error) error {
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

// reasons are why a transaction was cancelled, none for other errors.
func reasons(err error) (codes []string) {
	if cancelled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		for _, reason := range cancelled.CancellationReasons {
			codes = append(codes, *reason.Code)
		}
	}
	return codes
}

// eventually asks until the answer is yes. It does not give up before its context does.
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

// keyed describes a table on demand. Its key is given as "name/type" once or twice.
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

func (s *stage) createTable(in *dynamodb.CreateTableInput) {
	s.Helper()
	_, err := s.db.API().CreateTable(s.Context(), in)
	s.must(err)
}

// scan reads a table, or one of its indexes, page by page.
func (s *stage) scan(ctx context.Context, table, index string, page int32) (items []attributes, err error) {
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

// integer is a number of an item; one that is missing is -1.
func integer(item attributes, name string) int {
	if n, ok := item[name].(*types.AttributeValueMemberN); ok {
		if i, err := strconv.Atoi(n.Value); err == nil {
			return i
		}
	}
	return -1
}

// show writes down an item of numbers and texts, of either client's types.
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
func (s *stage) addIndex(ctx context.Context, table, name string, projection types.ProjectionType, key ...string) error {
	if err := s.beginIndex(ctx, table, name, projection, key...); err != nil {
		return err
	}
	return s.awaitIndex(ctx, table, name)
}

// beginIndex adds a global index, which has still to be built.
func (s *stage) beginIndex(ctx context.Context, table, name string, projection types.ProjectionType, key ...string) error {
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

func (s *stage) awaitIndex(ctx context.Context, table, name string) error {
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

func (s *stage) dropIndex(ctx context.Context, table, name string) error {
	_, err := s.db.API().UpdateTable(ctx, &dynamodb.UpdateTableInput{
		TableName: &table, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{
			Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: &name},
		}},
	})
	return err
}
