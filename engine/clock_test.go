package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/engine/internal/rowformat"
)

// A wanderingClock jumps forwards and backwards on every read.
type wanderingClock struct {
	mu  sync.Mutex
	rnd *rand.Rand
	now time.Time
}

func (c *wanderingClock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Duration(c.rnd.IntN(2000)-900) * time.Millisecond)
	return c.now
}

func (c *wanderingClock) back(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(-d)
}

// TestRecordTimesNeverRunBackwards writes with a clock that jumps, splits shards, and
// reopens the database after Close and after power losses, with the clock set back each time.
// The records of every shard, and of its parents before it, are in the order of their times.
func TestRecordTimesNeverRunBackwards(t *testing.T) {
	for name, sync := range map[string]pebblekv.SyncPolicy{"synced": pebblekv.SyncEveryCommit, "relaxed": pebblekv.Relaxed} {
		t.Run(name, func(t *testing.T) {
			seed := newSeed()
			t.Logf("seed %d", seed)
			rnd := rand.New(rand.NewPCG(seed, 0))
			clock := &wanderingClock{rnd: rand.New(rand.NewPCG(seed, 1)), now: time.UnixMilli(1_790_000_000_000)}
			disk := vfs.NewCrashableMem()
			for life := range 8 {
				db, err := openDisk(disk, sync, clock.read, time.Hour, failLog(t.Errorf))
				if err != nil {
					t.Fatal(err)
				}
				if life == 0 {
					createEvents(t, db)
				} else {
					checkTimes(t, db)
				}
				writeEvents(t, db, life)
				checkTimes(t, db)
				old := disk
				if life%2 == 0 {
					disk = old.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rnd.IntN(101), RNG: rnd})
				}
				if err := db.Close(); err != nil {
					t.Fatal(err)
				}
				clock.back(time.Hour)
			}
		})
	}
}

func createEvents(t *testing.T, db *DB) {
	t.Helper()
	_, err := db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: new("events"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: new("id"), AttributeType: types.ScalarAttributeTypeS}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: new("id"), KeyType: types.KeyTypeHash}},
		StreamSpecification:  &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: types.StreamViewTypeKeysOnly},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// writeEvents writes items one by one and in transactions, from several goroutines, and splits a shard meanwhile.
func writeEvents(t *testing.T, db *DB, life int) {
	var wait sync.WaitGroup
	var written atomic.Int64
	for writer := range 4 {
		wait.Go(func() {
			for i := range 40 {
				item := func(n int) map[string]types.AttributeValue {
					return map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: fmt.Sprint(life, writer, i, n)}}
				}
				var err error
				if i%4 == 0 {
					var puts []types.TransactWriteItem
					for n := range 5 {
						puts = append(puts, types.TransactWriteItem{Put: &types.Put{TableName: new("events"), Item: item(n)}})
					}
					_, err = db.API().TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: puts})
				} else {
					_, err = db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("events"), Item: item(0)})
				}
				if err != nil {
					t.Error(err)
				}
				if written.Add(1) == 80 {
					stream := db.api.ops.catalog.Lookup("events").Stream
					if err := db.api.ops.catalog.ReplaceShard(t.Context(), stream.ARN, stream.Open()[life%4].Log, 2); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wait.Wait()
}

// checkTimes reads all shards, in which parents come before their children.
func checkTimes(t *testing.T, db *DB) {
	t.Helper()
	newest := map[uint32]time.Time{} // time of the last record, by log
	for _, shard := range db.api.ops.catalog.Lookup("events").Stream.Shards {
		last := newest[shard.Parent]
		err := db.store.ReadLog(context.Background(), shard.Log, 0, func(seq uint64, raw []byte) bool {
			change, err := rowformat.ParseChange(raw)
			if err != nil || change.Time.Before(last) {
				t.Errorf("log %d, record %d: %v after %v, error %v", shard.Log, seq, change.Time, last, err)
			}
			last = change.Time
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		newest[shard.Log] = last
	}
}
