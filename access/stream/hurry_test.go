package stream_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access/stream"
)

// A meeting lets two processes read the table of checkpoints before either acts on it.
type meeting struct {
	armed   atomic.Bool
	mu      sync.Mutex
	arrived int
	met     chan struct{}
}

func newMeeting() *meeting { return &meeting{met: make(chan struct{})} }

func (m *meeting) wait() {
	if !m.armed.Load() {
		return
	}
	m.mu.Lock()
	if m.arrived++; m.arrived == 2 {
		close(m.met)
	}
	m.mu.Unlock()
	<-m.met
}

type meetingTables struct {
	stream.TableAPI
	at *meeting
}

func (m meetingTables) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := m.TableAPI.Query(ctx, in, o...)
	m.at.wait()
	return out, err
}

// oneEach starts four processes that have one shard each.
func (w *world) oneEach(h stream.Handler, change func(i int, c *stream.Consumer)) (all [4]*running) {
	w.Helper()
	w.write(20, 1, 1)
	for i, name := range []string{"first", "second", "third", "fourth"} {
		c, _ := w.process(name, h)
		change(i, c)
		all[i] = w.start(c)
		time.Sleep(10 * c.LeaseTime)
	}
	if owners := w.owners(); len(owners) != 4 {
		w.Fatalf("they have %v, want one each", owners)
	}
	return all
}

// TestShardThatTwoProcessesMissed has two processes that see two free shards at the same
// moment, want one each, and both try the same one. The other must not wait for long.
func TestShardThatTwoProcessesMissed(t *testing.T) {
	inWorld(t, func(w *world) {
		at := newMeeting()
		all := w.oneEach(newDiary(w.T).handle, func(i int, c *stream.Consumer) {
			c.LeaseTime = 30 * time.Second
			if i < 2 {
				c.DB = meetingTables{c.DB, at}
			}
		})
		w.must(all[2].end())
		w.must(all[3].end())
		at.armed.Store(true)
		<-at.met
		time.Sleep(2 * time.Second)
		if owners := w.owners(); owners["first"] != 2 || owners["second"] != 2 {
			w.Errorf("soon after they have %v, want two each", owners)
		}
	})
}

// TestShardHandedToAProcessThatDoesNotPoll has a process that takes its share and leaves a shard
// to another one, which does not look for minutes.
func TestShardHandedToAProcessThatDoesNotPoll(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		seldom := func(_ int, c *stream.Consumer) { c.LeaseTime, c.Poll = 10*time.Minute, time.Minute }
		all := w.oneEach(seen.handle, seldom)
		for _, r := range all[1:] {
			w.must(r.end())
		}
		c, _ := w.process("new", seen.handle)
		seldom(4, c)
		w.start(c)
		time.Sleep(5 * time.Second)
		if owners := w.owners(); owners["first"]+owners["new"] != 4 {
			w.Errorf("soon after they have %v, want all four", owners)
		}
		time.Sleep(time.Hour)
		if owners := w.owners(); owners["first"] != 2 || owners["new"] != 2 {
			w.Errorf("in the end they have %v, want two each", owners)
		}
	})
}

// TestHandoverIsFast watches how long a shard has no owner on its way.
func TestHandoverIsFast(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		w.write(20, 1, 1)
		first, _ := w.process("first", seen.handle)
		w.start(first)
		settle()
		second, _ := w.process("second", seen.handle)
		w.start(second)
		const look = 100 * time.Millisecond
		var without, longest time.Duration
		for range 400 {
			time.Sleep(look)
			owners := w.owners()
			if without += look; owners["first"]+owners["second"] == 4 {
				without = 0
			}
			longest = max(longest, without)
		}
		if longest > 2*time.Second {
			w.Errorf("a shard had no owner for %v", longest)
		}
		if owners := w.owners(); owners["first"] != 2 || owners["second"] != 2 {
			w.Errorf("in the end they have %v, want two each", owners)
		}
		seen.expectOnce(20, 1)
	})
}

// growing lists no shards until it has some.
type growing struct {
	stream.StreamsAPI
	grown atomic.Bool
}

func (g *growing) DescribeStream(ctx context.Context, in *dynamodbstreams.DescribeStreamInput, o ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error) {
	out, err := g.StreamsAPI.DescribeStream(ctx, in, o...)
	if err == nil && !g.grown.Load() {
		out.StreamDescription.Shards, out.StreamDescription.LastEvaluatedShardId = nil, nil
	}
	return out, err
}

// TestTheFirstShardsNeedNotWaitForARound has a stream that gets its shards with its first
// records, long after the consumer has begun.
func TestTheFirstShardsNeedNotWaitForARound(t *testing.T) {
	inWorld(t, func(w *world) {
		seen, streams := newDiary(w.T), &growing{StreamsAPI: w.db.Streams()}
		c := w.consumer(seen.handle)
		c.Streams, c.LeaseTime = streams, time.Hour
		w.start(c)
		time.Sleep(time.Minute)
		streams.grown.Store(true)
		w.write(20, 1, 1)
		time.Sleep(3 * time.Second)
		seen.expectOnce(20, 1)
	})
}

// forgetful is a table whose first answers get lost, though the writes arrive.
type forgetful struct {
	stream.TableAPI
	left atomic.Int64
}

func (f *forgetful) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	out, err := f.TableAPI.UpdateItem(ctx, in, o...)
	if f.left.Add(-1) >= 0 {
		return nil, errDead
	}
	return out, err
}

// TestAShardThatWasTakenWithoutAnAnswer has a process that takes a shard and hears nothing
// of it. To try again looks as if another process had been faster.
func TestAShardThatWasTakenWithoutAnAnswer(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		w.write(20, 1, 1)
		c := w.consumer(seen.handle)
		db := &forgetful{TableAPI: w.client}
		db.left.Store(1)
		c.DB = db
		w.start(c)
		time.Sleep(5 * time.Second)
		seen.expectOnce(20, 1)
	})
}

// counting counts requests.
type counting struct {
	stream.TableAPI
	stream.StreamsAPI
	writes, looks, lists atomic.Int64
}

func (c *counting) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c.writes.Add(1)
	return c.TableAPI.UpdateItem(ctx, in, o...)
}

func (c *counting) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	c.looks.Add(1)
	return c.TableAPI.Query(ctx, in, o...)
}

func (c *counting) DescribeStream(ctx context.Context, in *dynamodbstreams.DescribeStreamInput, o ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error) {
	c.lists.Add(1)
	return c.StreamsAPI.DescribeStream(ctx, in, o...)
}

// TestWhatIdleProcessesCost counts the requests of three processes that have shared four
// shards and rest: three writes for each shard, and three rounds of each process, in each
// lease time.
func TestWhatIdleProcessesCost(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(20, 1, 1)
		count := &counting{TableAPI: w.client, StreamsAPI: w.db.Streams()}
		for _, name := range []string{"first", "second", "third"} {
			c, _ := w.process(name, newDiary(w.T).handle)
			c.DB, c.Streams = count, count
			w.start(c)
		}
		settle()
		count.writes.Store(0)
		count.looks.Store(0)
		count.lists.Store(0)
		const leases = 20
		time.Sleep(leases * 30 * time.Second)
		if n := count.writes.Load(); n > 4*3*leases+4 {
			w.Errorf("%d writes for four shards in %d lease times", n, leases)
		}
		for what, n := range map[string]int64{"reads of checkpoints": count.looks.Load(), "lists of shards": count.lists.Load()} {
			if n > 3*3*leases+3 {
				w.Errorf("%d %s of three processes in %d lease times", n, what, leases)
			}
		}
	})
}

// TestWaitingForABusyProcessIsBounded has a process that cannot hand over what it is asked
// for, for hours. The one that asks does not look in a hurry all that time.
func TestWaitingForABusyProcessIsBounded(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(20, 1, 1)
		free := make(chan struct{})
		busy, _ := w.process("busy", func(context.Context, stream.Record) error {
			<-free
			return nil
		})
		w.start(busy)
		settle()
		count := &counting{TableAPI: w.client, StreamsAPI: w.db.Streams()}
		c, _ := w.process("idle", newDiary(w.T).handle)
		c.DB, c.Streams = count, count
		w.start(c)
		const leases = 100
		time.Sleep(leases * 30 * time.Second)
		if n := count.looks.Load(); n > 3*leases+60 {
			w.Errorf("%d reads of checkpoints in %d lease times", n, leases)
		}
		close(free)
		settle()
		if owners := w.owners(); owners["busy"] != 2 || owners["idle"] != 2 {
			w.Errorf("in the end they have %v, want two each", owners)
		}
	})
}
