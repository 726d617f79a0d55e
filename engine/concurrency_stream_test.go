package engine_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	streamtypes "github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"sortkey.dev/engine"
)

// A channel is a table whose stream is disabled and enabled again while writers
// write. Each writer owns some items and numbers the changes of each: the
// number is in the item, and a deletion takes one too.
type channel struct {
	*testDB
	workers *workerGroup
	phase   atomic.Int64 // 4 times the number of the stream, and one of the phases
	changes atomic.Int64 // made so far

	mu      sync.Mutex
	made    []madeChange
	streams []string      // ARNs
	live    []*seenStream // as readers of Changes saw them
}

// The phases of a stream. During goesOff and goesOn a change may or may not be in it.
const (
	isOn = iota
	goesOff
	isOff
	goesOn
	phases
)

// A madeChange is a change that returned, with the phases at its call and its return.
type madeChange struct {
	item, number  int
	before, after int64
}

// A seenStream holds the changes in a stream, by item.
type seenStream struct{ changes map[int][]int }

const (
	streamsOfChannel = 4
	itemsOfChannel   = 12 // of each writer
)

// TestStreamsUnderConcurrentWrites disables and enables a stream and splits its shards while
// items change. Every reader of a stream sees each change once and in order.
func TestStreamsUnderConcurrentWrites(t *testing.T) {
	onEachStore(t, engine.Options{Sync: engine.SyncRelaxed}, func(s *testDB) {
		table := keyed("channel", "id/N")
		table.StreamSpecification = withImages
		s.createTable(table)
		ch := &channel{testDB: s, workers: s.newWorkers()}
		ch.workers.start(1, func(int) work { return ch.direct })
		for writer := range 4 {
			w := &channelWriter{channel: ch, first: writer * itemsOfChannel}
			ch.workers.runMeanwhile(w.write)
		}
		ch.workers.wait()
		ch.compare()
		s.must(s.agree(s.Context(), "channel"))
	})
}

// direct goes through the phases of all streams, and replaces shards while they are enabled.
func (ch *channel) direct(ctx context.Context, rnd *rand.Rand) error {
	for n := range streamsOfChannel {
		if n > 0 {
			if err := ch.turn(ctx, withImages); err != nil {
				return err
			}
		}
		if err := ch.follow(ctx); err != nil {
			return err
		}
		for i := range 30 {
			if i%5 == 0 {
				if err := ch.watch(ctx, 30); err != nil {
					return err
				}
			}
			if err := ch.db.ReplaceShard(ctx, ch.streams[n], rnd.IntN, 1+rnd.IntN(2)); err != nil {
				return err
			}
		}
		if err := ch.turn(ctx, &types.StreamSpecification{StreamEnabled: new(false)}); err != nil {
			return err
		}
	}
	return nil
}

// turn changes the stream and gives the writers some time.
func (ch *channel) turn(ctx context.Context, to *types.StreamSpecification) error {
	ch.phase.Add(1)
	_, err := ch.db.API().UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: new("channel"), StreamSpecification: to})
	if err != nil {
		return err
	}
	ch.phase.Add(1)
	return ch.watch(ctx, 30)
}

// watch waits for n more changes.
func (ch *channel) watch(ctx context.Context, n int64) error {
	goal := ch.changes.Load() + n
	return eventually(ctx, func() (bool, error) { return ch.changes.Load() >= goal, nil })
}

// follow starts a reader that waits for the changes of the current stream, until it ends.
func (ch *channel) follow(ctx context.Context) error {
	out, err := ch.db.API().DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: new("channel")})
	if err != nil {
		return err
	}
	changes, err := ch.db.Changes(ctx, "channel", engine.FromOldest)
	if err != nil {
		return err
	}
	seen := &seenStream{map[int][]int{}}
	ch.streams, ch.live = append(ch.streams, *out.Table.LatestStreamArn), append(ch.live, seen)
	ch.workers.main.Go(func() { ch.workers.check(seen.takeAll(changes)) })
	return nil
}

func (s *seenStream) takeAll(changes iter.Seq2[streamtypes.Record, error]) error {
	for record, err := range changes {
		if err != nil {
			return err
		}
		if err := s.take(record); err != nil {
			return err
		}
	}
	return nil
}

// take records a change, after checking that it is the next one.
func (s *seenStream) take(record streamtypes.Record) error {
	value := func(item map[string]streamtypes.AttributeValue, name string) int {
		n, _ := strconv.Atoi(item[name].(*streamtypes.AttributeValueMemberN).Value)
		return n
	}
	change := record.Dynamodb
	id := value(change.Keys, "id")
	var n int
	if change.NewImage != nil {
		n = value(change.NewImage, "n")
	} else {
		n = value(change.OldImage, "n") + 1
	}
	if all := s.changes[id]; len(all) > 0 && all[len(all)-1] != n-1 {
		return fmt.Errorf("item %d: change %d comes after %v", id, n, all)
	}
	s.changes[id] = append(s.changes[id], n)
	return nil
}

// compare reads the streams once more, shard by shard, and compares what all readers saw with the changes made.
func (ch *channel) compare() {
	ch.Helper()
	splits := 0
	for n, arn := range ch.streams {
		reader, again := newShardReader(ch.db, arn, 7), &seenStream{map[int][]int{}}
		ch.must(reader.catchUp(ch.Context(), again.take))
		splits += len(reader.next)
		for shard, next := range reader.next {
			if next != nil {
				ch.Errorf("shard %s of a stream that is off has no end", shard)
			}
		}
		for id := range itemsOfChannel * 4 {
			if live, again := ch.live[n].changes[id], again.changes[id]; !slices.Equal(live, again) {
				ch.Errorf("stream %d, item %d: who waited saw\n%v, who read the shards\n%v", n, id, live, again)
			}
		}
	}
	for _, m := range ch.made {
		ch.compareChange(m)
	}
	if splits <= 4*len(ch.streams) {
		ch.Error("no shard was split: the test shows too little")
	}
}

// compareChange checks that a change is in the stream that was enabled, or in none if none was.
func (ch *channel) compareChange(m madeChange) {
	ch.Helper()
	for n, seen := range ch.live {
		_, has := slices.BinarySearch(seen.changes[m.item], m.number)
		sure := m.before == m.after && m.before == int64(n*phases+isOn)
		possible := m.before <= int64(n*phases+goesOff) && m.after >= int64((n-1)*phases+goesOn)
		if sure && !has || has && !possible {
			ch.Errorf("change %d of item %d, made in the phases %d to %d, is in stream %d: %v", m.number, m.item, m.before, m.after, n, has)
		}
	}
}

type channelWriter struct {
	channel *channel
	first   int
	number  [itemsOfChannel]int // of the last change
	exists  [itemsOfChannel]bool
	put     [itemsOfChannel]attributes // as it was put last, nil after other changes
}

// write changes one item, or two in a transaction, or puts an item again unchanged.
func (w *channelWriter) write(ctx context.Context, rnd *rand.Rand) error {
	chosen := rnd.Perm(itemsOfChannel)[:2]
	if i := chosen[0]; w.put[i] != nil && rnd.IntN(4) == 0 {
		_, err := w.channel.db.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: new("channel"), Item: w.put[i]})
		return err // nothing changes, so there is no record
	}
	if rnd.IntN(2) == 0 {
		chosen = chosen[:1]
	}
	in := &dynamodb.TransactWriteItemsInput{}
	for _, i := range chosen {
		in.TransactItems = append(in.TransactItems, w.next(rnd, i))
	}
	before := w.channel.phase.Load()
	err := retryOnConflict(func() error { return w.channel.send(ctx, in) })
	after := w.channel.phase.Load()
	if err != nil {
		return err
	}
	w.channel.mu.Lock()
	defer w.channel.mu.Unlock()
	for _, i := range chosen {
		w.channel.made = append(w.channel.made, madeChange{w.first + i, w.number[i], before, after})
	}
	w.channel.changes.Add(int64(len(chosen)))
	return nil
}

// next returns the next change of an item.
func (w *channelWriter) next(rnd *rand.Rand, i int) types.TransactWriteItem {
	w.number[i]++
	key, table := attributes{"id": number(w.first + i)}, new("channel")
	w.put[i] = nil
	switch {
	case w.exists[i] && rnd.IntN(4) == 0:
		w.exists[i] = false
		return types.TransactWriteItem{Delete: &types.Delete{TableName: table, Key: key}}
	case rnd.IntN(2) == 0:
		w.exists[i] = true
		return types.TransactWriteItem{Update: &types.Update{
			TableName: table, Key: key, UpdateExpression: new("SET n = :n"), ExpressionAttributeValues: attributes{":n": number(w.number[i])},
		}}
	}
	w.exists[i] = true
	w.put[i] = attributes{"id": key["id"], "n": number(w.number[i])}
	return types.TransactWriteItem{Put: &types.Put{TableName: table, Item: w.put[i]}}
}

// send makes a single change without a transaction.
func (ch *channel) send(ctx context.Context, in *dynamodb.TransactWriteItemsInput) (err error) {
	first := in.TransactItems[0]
	switch {
	case len(in.TransactItems) > 1:
		_, err = ch.db.API().TransactWriteItems(ctx, in)
	case first.Put != nil:
		_, err = ch.db.API().PutItem(ctx, &dynamodb.PutItemInput{TableName: first.Put.TableName, Item: first.Put.Item})
	case first.Delete != nil:
		_, err = ch.db.API().DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: first.Delete.TableName, Key: first.Delete.Key})
	default:
		u := first.Update
		_, err = ch.db.API().UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: u.TableName, Key: u.Key, UpdateExpression: u.UpdateExpression, ExpressionAttributeValues: u.ExpressionAttributeValues,
		})
	}
	return err
}
