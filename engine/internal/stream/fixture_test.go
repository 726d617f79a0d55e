package stream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/memkv"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// A clock is a clock that a test advances.
type clock struct{ now atomic.Int64 } // in milliseconds

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func newClock() *clock {
	c := &clock{}
	c.now.Store(noon.UnixMilli())
	return c
}

func (c *clock) Now() time.Time          { return time.UnixMilli(c.now.Load()).UTC() }
func (c *clock) advance(d time.Duration) { c.now.Add(d.Milliseconds()) }

// A database is the streams of a store, with the means to write them.
type database struct {
	*Streams
	t     testing.TB
	clock *clock
}

func newDatabase(t testing.TB) *database { return openDatabase(t, memkv.Open(), newClock()) }

func openDatabase(t testing.TB, store kv.Store, now *clock) *database {
	t.Helper()
	c, err := catalog.Open(t.Context(), store, catalog.Options{
		Now: now.Now, Rand: rand.Reader, Region: "eu-west-1", Account: "111122223333",
	})
	if err != nil {
		t.Fatal(err)
	}
	return &database{New(store, c), t, now}
}

// createTable creates a table with a stream and returns the stream's ARN.
func (db *database) createTable(name, view string) string {
	db.t.Helper()
	id := dynamo.KeyAttribute{Name: "id", Kind: dynamo.KindString}
	_, err := db.catalog.CreateTable(db.t.Context(), dynamo.TableDefinition{
		Name: name, Attributes: []dynamo.KeyAttribute{id}, Key: dynamo.KeySchema{Partition: []dynamo.KeyAttribute{id}},
		BillingMode: dynamo.BillingOnDemand, StreamView: view,
	})
	if err != nil {
		db.t.Fatal(err)
	}
	return db.catalog.Lookup(name).Stream.ARN
}

func (db *database) switchStream(table, view string) {
	db.t.Helper()
	change := &request.StreamChange{Enabled: view != "", View: view}
	if _, err := db.catalog.UpdateTable(db.t.Context(), &request.UpdateTable{Table: table, Stream: change}); err != nil {
		db.t.Error(err)
	}
}

// item returns an item of strings from "name=value" pairs; without pairs it is nil.
func item(pairs ...string) dynamo.Item {
	if len(pairs) == 0 {
		return nil
	}
	var e dynamo.Encoder
	e.OpenItem()
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		e.Name(name)
		e.String(value)
	}
	it, err := e.CloseItem()
	if err != nil {
		panic(err)
	}
	return it
}

// show formats an item of strings.
func show(it dynamo.Item) string {
	if it == nil {
		return "-"
	}
	var pairs []string
	for name, value := range it.All() {
		pairs = append(pairs, name+"="+string(value.Bytes()))
	}
	return strings.Join(pairs, " ")
}

func hashOf(id string) uint32 {
	return rowformat.PartitionHash(rowformat.AppendPartition(nil, rowformat.Path{}, []dynamo.Value{item("id=" + id).Get("id")}))
}

// write records the change of an item with an id from old to next, like package table, a number
// of times.
func (db *database) write(ctx context.Context, table, id string, old, next dynamo.Item, times int) error {
	t, err := db.catalog.Enter(table)
	if err != nil {
		return err
	}
	defer t.Leave()
	c := rowformat.Change{Kind: rowformat.Modify, Keys: item("id=" + id)}
	switch {
	case old == nil:
		c.Kind = rowformat.Insert
	case next == nil:
		c.Kind = rowformat.Remove
	}
	if v := t.Stream.View; v == dynamo.ViewNewImage || v == dynamo.ViewNewAndOldImages {
		c.New = next
	}
	if v := t.Stream.View; v == dynamo.ViewOldImage || v == dynamo.ViewNewAndOldImages {
		c.Old = old
	}
	return db.store.Update(ctx, [][]byte{[]byte(id)}, func(tx kv.Txn) error {
		for range times {
			tx.Log(t.Stream.LogOf(hashOf(id)), rowformat.AppendChange(nil, &c))
		}
		tx.Stamp(db.catalog.Clock.Stamp())
		return nil
	})
}

// put writes versions from first to last of an item.
func (db *database) put(table, id string, first, last int) {
	db.t.Helper()
	for v := first; v <= last; v++ {
		old := item()
		if v > 1 {
			old = item("id="+id, fmt.Sprintf("v=%d", v-1))
		}
		if err := db.write(db.t.Context(), table, id, old, item("id="+id, fmt.Sprintf("v=%d", v)), 1); err != nil {
			db.t.Fatal(err)
		}
	}
}

// shardOf names the shard that takes the changes of an item.
func (db *database) shardOf(table, id string) string {
	db.t.Helper()
	stream := db.catalog.Lookup(table).Stream
	shard, found := stream.Shard(stream.LogOf(hashOf(id)))
	if !found {
		db.t.Fatalf("no shard for %s", id)
	}
	return shardID(shard)
}

func (db *database) describe(arn string) *dynamo.StreamDescription {
	db.t.Helper()
	out, err := db.DescribeStream(db.t.Context(), &request.DescribeStream{Stream: arn, Limit: 100})
	if err != nil {
		db.t.Fatal(err)
	}
	return out.StreamDescription
}

func (db *database) iterator(arn, shard string, from request.IteratorType, sequence string) string {
	db.t.Helper()
	out, err := db.GetShardIterator(db.t.Context(), &request.GetShardIterator{Stream: arn, Shard: shard, From: from, Sequence: sequence})
	if err != nil {
		db.t.Fatal(err)
	}
	return *out.ShardIterator
}

// records reads a page and returns the iterator of the next, empty at the end.
func (db *database) records(iterator string, limit int) (records []dynamo.Record, next string) {
	db.t.Helper()
	out, err := db.GetRecords(db.t.Context(), &request.GetRecords{Iterator: iterator, Limit: limit})
	if err != nil {
		db.t.Fatal(err)
	}
	if out.NextShardIterator != nil {
		next = *out.NextShardIterator
	}
	return out.Records, next
}

// versions lists the versions that put wrote, in the order of the records.
func versions(records []dynamo.Record) string {
	var all []string
	for i := range records {
		all = append(all, version(&records[i]))
	}
	return strings.Join(all, " ")
}

func version(r *dynamo.Record) string {
	return string(r.Keys.Get("id").Bytes()) + string(r.NewImage.Get("v").Bytes())
}

// code returns the code of an error that a client sees.
func code(t testing.TB, err error) dynamo.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *dynamo.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is not an error of DynamoDB", err)
	}
	return e.Code
}

// A watchedStore lets a test observe its store.
type watchedStore struct {
	kv.Store
	writes, waits atomic.Int64
	reads         atomic.Int64 // records of logs
	failTrim      error        // of TrimLog
	committed     func()       // called after each commit, before it returns
	gap           uint64       // sequence numbers of each log that were used without a record
}

func (s *watchedStore) Update(ctx context.Context, keys [][]byte, fn func(kv.Txn) error) error {
	s.writes.Add(1)
	err := s.Store.Update(ctx, keys, fn)
	if s.committed != nil {
		s.committed()
	}
	return err
}

func (s *watchedStore) TrimLog(ctx context.Context, shard uint32, below uint64) error {
	s.writes.Add(1)
	if s.failTrim != nil {
		return s.failTrim
	}
	return s.Store.TrimLog(ctx, shard, below)
}

func (s *watchedStore) ReadLog(ctx context.Context, shard uint32, from uint64, fn func(uint64, []byte) bool) error {
	return s.Store.ReadLog(ctx, shard, from, func(seq uint64, record []byte) bool {
		s.reads.Add(1)
		return fn(seq, record)
	})
}

func (s *watchedStore) LogHorizon(ctx context.Context, shard uint32) (uint64, error) {
	newest, err := s.Store.LogHorizon(ctx, shard)
	return newest + s.gap, err
}

func (s *watchedStore) WaitLog(ctx context.Context, after []kv.LogPosition) error {
	s.waits.Add(1)
	return s.Store.WaitLog(ctx, after)
}

// watch returns a new database on a watchedStore.
func watch(t testing.TB) (*database, *watchedStore) {
	store := &watchedStore{Store: memkv.Open()}
	return openDatabase(t, store, newClock()), store
}
