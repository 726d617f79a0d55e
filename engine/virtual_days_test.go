package engine

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/memkv"
	"sortkey.dev/engine/internal/kv/pebblekv"
	"sortkey.dev/internal/effort"
)

// TestThirtyFiveDays lives 35 days on a clock that the test advances: items are written and
// expire, the stream is read, trimmed and gets new shards, transactions are repeated with their
// tokens. Each hour it compares all that a user sees with a model, and it counts what the
// database keeps: after the first days nothing grows. When there is little time, it lives five days, and two under the race
// detector: then the first records were trimmed.
func TestThirtyFiveDays(t *testing.T) {
	days := oneIn(35, 5)
	if effort.UnderRace {
		days = 2
	}
	for place, disk := range map[string]*vfs.MemFS{"memory": nil, "disk": vfs.NewMem()} {
		t.Run(place, func(t *testing.T) { newVirtual(t, disk).live(effort.Rounds(days)) })
	}
}

// A virtual is a database whose days pass at once.
type virtual struct {
	*testing.T
	db     *DB
	clock  *ManualClock
	disk   *vfs.MemFS // nil: in memory
	rnd    *rand.Rand
	events func() (streamtypes.Record, error, bool)

	expires map[string]time.Time // of the items, by id
	written int
}

func newVirtual(t *testing.T, disk *vfs.MemFS) *virtual {
	v := &virtual{T: t, clock: NewClock(newYear), disk: disk, rnd: rand.New(rand.NewPCG(35, 35)), expires: map[string]time.Time{}}
	var err error
	var store kv.Store = memkv.Open()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	if disk != nil {
		store, err = pebblekv.Open("db", &pebblekv.Options{FS: disk, CacheBytes: 1 << 20, Logger: log})
		v.must(err)
	}
	v.db, err = open(store, (&Options{Clock: v.clock, ExpiryInterval: 10 * time.Minute, Logger: log}).withDefaults())
	v.must(err)
	t.Cleanup(func() { v.must(v.db.Close()) })
	_, err = v.db.API().CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: new("events"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: new("id"), AttributeType: types.ScalarAttributeTypeS}, {AttributeName: new("kind"), AttributeType: types.ScalarAttributeTypeS},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: new("id"), KeyType: types.KeyTypeHash}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: new("kinds"), KeySchema: []types.KeySchemaElement{{AttributeName: new("kind"), KeyType: types.KeyTypeHash}},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
		}},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: new(true), StreamViewType: types.StreamViewTypeNewAndOldImages},
	})
	v.must(err)
	_, err = v.db.API().UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: new("events"), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: new("until"), Enabled: new(true)},
	})
	v.must(err)
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(effort.Rounds(5))*time.Minute) // reached only if a record is missing
	t.Cleanup(cancel)
	changes, err := v.db.Changes(ctx, "events", FromOldest)
	v.must(err)
	next, stop := iter.Pull2(changes)
	t.Cleanup(stop)
	v.events = func() (streamtypes.Record, error, bool) { return next() }
	return v
}

func (v *virtual) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

// live lives some days. What the database keeps may not grow after the third.
func (v *virtual) live(days int) {
	most := map[string]int{}
	for day := range days {
		for range 24 {
			v.hour()
		}
		kept := v.kept()
		for what, n := range kept {
			if day < 4 {
				most[what] = max(most[what], n)
			} else if n > most[what]*5/4+max(slack[what], 20) {
				v.Fatalf("day %d: %d %s, there were at most %d in the first days", day+1, n, what, most[what])
			}
		}
		if day == days-1 {
			v.Logf("%d items were written; after %d days there are %v", v.written, days, kept)
		}
	}
}

// slack is what the counts of some things may vary by. The store's logs are as large as a memtable
// and are used again, so their number counts; its tables are written from time to time.
var slack = map[string]int{"bytes of tables": 8 << 20}

// hour writes for an hour, lets it pass, and compares.
func (v *virtual) hour() {
	var want []string // changes of the stream
	for range 4 {
		id := fmt.Sprint("item ", v.written)
		v.written++
		v.expires[id] = v.clock.Now().Add(time.Duration(1+v.written*29%72)*time.Hour - 30*time.Minute)
		v.put(id)
		want = append(want, "INSERT "+id)
		v.clock.Advance(time.Duration(v.rnd.IntN(6)) * time.Minute)
	}
	if v.clock.Now().Hour()%4 == 0 {
		want = append(want, v.transact()...)
	}
	v.clock.Advance(v.clock.Now().Truncate(time.Hour).Add(time.Hour).Sub(v.clock.Now()))
	for id, until := range v.expires {
		if until.Before(v.clock.Now()) {
			want = append(want, "REMOVE "+id+" expired")
			delete(v.expires, id)
		}
	}
	v.compareChanges(want)
	v.compareItems()
	v.compareStream()
}

func (v *virtual) put(id string) {
	v.Helper()
	_, err := v.db.API().PutItem(v.Context(), &dynamodb.PutItemInput{TableName: new("events"), Item: map[string]types.AttributeValue{
		"id": str(id), "kind": str("kind " + id[len(id)-1:]), "text": str(v.text()),
		"until": &types.AttributeValueMemberN{Value: strconv.FormatInt(v.expires[id].Unix(), 10)},
	}})
	v.must(err)
}

// text returns a text that no store compresses.
func (v *virtual) text() string {
	b := make([]byte, 3000)
	for i := range b {
		b[i] = byte(' ' + v.rnd.IntN(90))
	}
	return string(b)
}

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// transact sends a transaction twice, and again after its token has expired. It returns the changes.
func (v *virtual) transact() (changes []string) {
	token := fmt.Sprint("token ", v.written)
	for _, wait := range []time.Duration{0, 9 * time.Minute, 12 * time.Minute} {
		v.clock.Advance(wait)
		out, err := v.db.API().TransactWriteItems(v.Context(), &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: &token, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			TransactItems: []types.TransactWriteItem{{Update: &types.Update{
				TableName: new("events"), Key: map[string]types.AttributeValue{"id": str("counter")},
				UpdateExpression: new("ADD n :one"), ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
			}}},
		})
		v.must(err)
		executed := out.ConsumedCapacity[0].WriteCapacityUnits != nil
		if want := wait != 9*time.Minute; executed != want {
			v.Errorf("%v later the transaction is executed: %v, want %v", wait, executed, want)
		}
		if executed {
			changes = append(changes, "MODIFY counter")
		}
	}
	if _, exists := v.expires["counter"]; !exists {
		v.expires["counter"] = v.clock.Now().AddDate(10, 0, 0)
		changes[0] = "INSERT counter"
	}
	return changes
}

// compareChanges reads as many changes as are wanted.
func (v *virtual) compareChanges(want []string) {
	v.Helper()
	var got []string
	for range want {
		record, err, _ := v.events()
		v.must(err)
		text := string(record.EventName) + " " + record.Dynamodb.Keys["id"].(*streamtypes.AttributeValueMemberS).Value
		if by := record.UserIdentity; by != nil && *by.PrincipalId == "dynamodb.amazonaws.com" {
			text += " expired"
		}
		if age := v.clock.Now().Sub(*record.Dynamodb.ApproximateCreationDateTime); age < 0 || age > time.Hour {
			v.Errorf("%s of the last hour is dated %v ago", text, age)
		}
		got = append(got, text)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		v.Fatalf("changes %q, want %q", got, want)
	}
}

// compareItems scans the table and its index.
func (v *virtual) compareItems() {
	v.Helper()
	for _, index := range []*string{nil, new("kinds")} {
		want := maps.Clone(v.expires)
		if index != nil {
			delete(want, "counter")
		}
		out, err := v.db.API().Scan(v.Context(), &dynamodb.ScanInput{TableName: new("events"), IndexName: index})
		v.must(err)
		for _, item := range out.Items {
			id := item["id"].(*types.AttributeValueMemberS).Value
			if _, exists := want[id]; !exists {
				v.Fatalf("%s has expired and is still there", id)
			}
			delete(want, id)
		}
		if len(want) > 0 {
			v.Fatalf("%v are gone", slices.Collect(maps.Keys(want)))
		}
	}
}

// compareStream reads each shard of the stream from its oldest record on.
func (v *virtual) compareStream() {
	v.Helper()
	streams, arn := v.db.Streams(), v.db.api.ops.catalog.Lookup("events").Stream.ARN
	oldest, shards, open := v.clock.Now(), 0, 0
	for input := new(dynamodbstreams.DescribeStreamInput{StreamArn: &arn}); ; {
		out, err := streams.DescribeStream(v.Context(), input)
		v.must(err)
		for _, shard := range out.StreamDescription.Shards {
			shards++
			if shard.SequenceNumberRange.EndingSequenceNumber == nil {
				open++
			}
			it, err := streams.GetShardIterator(v.Context(), &dynamodbstreams.GetShardIteratorInput{
				StreamArn: &arn, ShardId: shard.ShardId, ShardIteratorType: streamtypes.ShardIteratorTypeTrimHorizon,
			})
			v.must(err)
			records, err := streams.GetRecords(v.Context(), &dynamodbstreams.GetRecordsInput{ShardIterator: it.ShardIterator, Limit: new(int32(1))})
			v.must(err)
			if len(records.Records) > 0 && records.Records[0].Dynamodb.ApproximateCreationDateTime.Before(oldest) {
				oldest = *records.Records[0].Dynamodb.ApproximateCreationDateTime
			}
		}
		if input.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; input.ExclusiveStartShardId == nil {
			break
		}
	}
	passed := v.clock.Now().Sub(newYear)
	if age := v.clock.Now().Sub(oldest); age > 24*time.Hour+maintenanceInterval || passed > 26*time.Hour && age < 22*time.Hour {
		v.Fatalf("after %v the oldest record is %v old", passed, age)
	}
	if rolled := min(int(passed/(5*time.Hour)), 5); open != 4 || shards < 4*rolled || shards > 4*8 {
		v.Fatalf("after %v there are %d shards, %d of them open", passed, shards, open)
	}
}

// kept counts what the database keeps: rows by their kind, records, goroutines and files.
func (v *virtual) kept() map[string]int {
	v.Helper()
	kept := map[string]int{"goroutines": runtime.NumGoroutine()}
	v.must(v.db.store.View(v.Context(), kv.Latest, func(r kv.Reader) error {
		return r.Scan(nil, []byte{0xff}, kv.ScanOptions{}, func(key, value []byte) bool {
			kind := fmt.Sprintf("rows of space %d", key[0])
			if name, _, isCatalog := strings.Cut(string(key[1:]), "/"); key[0] == 1 && isCatalog {
				kind += " " + name
			}
			kept[kind]++
			kept["bytes of "+kind] += len(value)
			return true
		})
	}))
	for _, stream := range v.db.api.ops.catalog.Streams() {
		for _, shard := range stream.Shards {
			v.must(v.db.store.ReadLog(v.Context(), shard.Log, 0, func(uint64, []byte) bool { kept["records"]++; return true }))
		}
	}
	if v.disk != nil {
		names, err := v.disk.List("db")
		v.must(err)
		kept["files"] = len(names)
		for _, name := range names {
			info, err := v.disk.Stat("db/" + name)
			if err == nil && strings.HasSuffix(name, ".sst") { // otherwise it was removed meanwhile
				kept["bytes of tables"] += int(info.Size())
			}
		}
	}
	return kept
}
