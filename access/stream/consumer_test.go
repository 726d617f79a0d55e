package stream_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access"
	"sortkey.dev/access/stream"
	"sortkey.dev/engine"
)

func TestConsumerHandlesEachRecordOnceAndEndsWithTheStream(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		w.write(20, 1, 5)
		r := w.start(w.consumer(seen.handle))
		settle()
		w.write(20, 6, 10)
		w.endStream()
		<-r.done
		w.must(r.err)
		seen.expectOnce(20, 10)
		w.must(w.consumer(seen.handle).Run(w.Context()))
		seen.expectOnce(20, 10)
	})
}

// TestConsumerReadsParentsBeforeChildren lets the engine replace shards because they are old,
// before the consumer sees them and while it runs.
func TestConsumerReadsParentsBeforeChildren(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		for day := range 3 {
			w.write(20, day+1, day+1)
			time.Sleep(5 * time.Hour)
		}
		c := w.consumer(seen.handle)
		c.Poll, c.LeaseTime = 10*time.Minute, time.Hour // there are days to go
		r := w.start(c)
		for v := 4; v <= 15; v++ {
			w.write(20, v, v)
			time.Sleep(5 * time.Hour)
		}
		w.must(r.end())
		seen.expectOnce(20, 15)
		if n := len(w.rows("test#shards")); n > 45 {
			w.Errorf("%d rows are left of the shards of three days", n)
		}
	})
}

// TestConsumerFollowsSplits lets a shard take so many records that it is split.
func TestConsumerFollowsSplits(t *testing.T) {
	var engineTime atomic.Int64 // seconds; the engine's clock is slower than that of the world
	clock := func() time.Time { return time.Unix(1_800_000_000+engineTime.Load(), 0) }
	inWorldWith(t, engine.Options{Now: clock}, func(w *world) {
		time.Sleep(61 * time.Second)
		engineTime.Add(10)
		const versions = 10_100
		w.write(1, 1, versions)
		time.Sleep(time.Minute)
		if n := len(w.shards()); n != 6 {
			w.Fatalf("%d shards, want the first four and two that replace one", n)
		}
		w.write(1, versions+1, versions+50)
		seen := newDiary(w.T)
		w.endStream()
		w.must(w.consumer(seen.handle).Run(w.Context()))
		seen.expectOnce(1, versions+50)
	})
}

// TestConsumerFollowsGenerationsOfShards splits the shards of a stream again and again, while
// consumers run and while none does.
func TestConsumerFollowsGenerationsOfShards(t *testing.T) {
	inWorld(t, func(w *world) {
		const birds, generations = 20, 3
		seen := newDiary(w.T)
		for generation := range generations {
			w.write(birds, 2*generation+1, 2*generation+1)
			end := func() error { return nil }
			if generation%2 == 0 { // what is split at the other times is found later
				end = w.start(w.consumer(seen.handle)).end
			}
			w.must(w.db.SplitShards(w.Context(), tableName))
			w.write(birds, 2*generation+2, 2*generation+2)
			settle()
			w.must(end())
		}
		if n := len(w.shards()); n != 4+8+16+32 {
			w.Errorf("%d shards, want four generations", n)
		}
		w.endStream()
		w.must(w.consumer(seen.handle).Run(w.Context()))
		seen.expectOnce(birds, 2*generations)
	})
}

func (w *world) shards() []string {
	w.Helper()
	table, err := w.client.DescribeTable(w.Context(), &dynamodb.DescribeTableInput{TableName: new(tableName)})
	w.must(err)
	out, err := w.db.Streams().DescribeStream(w.Context(), &dynamodbstreams.DescribeStreamInput{StreamArn: table.Table.LatestStreamArn})
	w.must(err)
	var ids []string
	for _, shard := range out.StreamDescription.Shards {
		ids = append(ids, *shard.ShardId)
	}
	return ids
}

// smallPages lists shards two at a time.
type smallPages struct{ *dynamodbstreams.Client }

func (s smallPages) DescribeStream(ctx context.Context, in *dynamodbstreams.DescribeStreamInput, o ...func(*dynamodbstreams.Options)) (*dynamodbstreams.DescribeStreamOutput, error) {
	limited := *in
	limited.Limit = new(int32(2))
	return s.Client.DescribeStream(ctx, &limited, o...)
}

func TestConsumerListsShardsPageByPage(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(20, 1, 2)
		w.endStream()
		seen := newDiary(w.T)
		c := w.consumer(seen.handle)
		c.Streams = smallPages{w.db.Streams()}
		w.must(c.Run(w.Context()))
		seen.expectOnce(20, 2)
	})
}

func TestConsumerBoundsItsWorkers(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(20, 1, 3)
		w.endStream()
		var now, most atomic.Int64
		seen := newDiary(w.T)
		c := w.consumer(func(ctx context.Context, r stream.Record) error {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			return seen.handle(ctx, r)
		})
		c.Workers = 1
		w.must(c.Run(w.Context()))
		seen.expectOnce(20, 3)
		if most.Load() != 1 {
			w.Errorf("%d records were in hand at once, want 1", most.Load())
		}
	})
}

// TestRunFinishesTheRecordInHand cancels a process in the middle of a record, for which it
// needs longer than a lease lasts. The record counts as handled, and another process goes
// on behind it.
func TestRunFinishesTheRecordInHand(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(1, 1, 10)
		seen := newDiary(w.T)
		running, cancel := context.WithCancel(w.Context())
		w.must(w.consumer(func(ctx context.Context, record stream.Record) error {
			if _, v := birdOf(record.New); v == 4 {
				cancel()
				<-ctx.Done()
				w.start(w.consumer(seen.handle))
				time.Sleep(10*time.Minute + 5*time.Second) // not when the other one looks
			}
			return seen.handle(ctx, record)
		}).Run(running))
		seen.expectOnce(1, 4)
		settle()
		seen.expectOnce(1, 10)
	})
}

// TestRunLeavesAnAbandonedRecord cancels a consumer whose handler minds its context. The
// record is not parked but left to the next one, which need not wait for a lease to end.
func TestRunLeavesAnAbandonedRecord(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(1, 1, 10)
		seen := newDiary(w.T)
		running, cancel := context.WithCancel(w.Context())
		c := w.consumer(func(ctx context.Context, record stream.Record) error {
			if _, v := birdOf(record.New); v == 4 {
				cancel()
				<-ctx.Done()
				return ctx.Err()
			}
			return seen.handle(ctx, record)
		})
		c.Attempts = 1
		w.must(c.Run(running))
		seen.expectOnce(1, 3)
		if owners := w.owners(); len(owners) != 0 {
			w.Errorf("leases that were not given back: %v", owners)
		}
		stopped := time.Now()
		w.endStream()
		w.must(w.consumer(seen.handle).Run(w.Context()))
		seen.expectOnce(1, 10)
		if waited := time.Since(stopped); waited >= 30*time.Second {
			w.Errorf("the next consumer waited %v for leases that were given back", waited)
		}
	})
}

// TestIteratorsThatExpireAreRenewed has a handler that takes longer than an iterator lives.
func TestIteratorsThatExpireAreRenewed(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		w.write(3, 1, 2)
		c := w.consumer(func(ctx context.Context, r stream.Record) error {
			time.Sleep(16 * time.Minute)
			return seen.handle(ctx, r)
		})
		c.Poll = time.Minute
		r := w.start(c)
		time.Sleep(time.Hour)
		w.write(3, 3, 4)
		time.Sleep(4 * time.Hour)
		w.must(r.end())
		seen.expectOnce(3, 4)
	})
}

func TestNewConsumersMayBeginWithTheNewest(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(20, 1, 1)
		time.Sleep(5 * time.Hour) // some shards are closed now
		w.write(20, 2, 2)
		time.Sleep(time.Minute)
		seen := newDiary(w.T)
		// The first process dies before it has handled anything.
		c := w.consumer(seen.handle)
		c.From = stream.Newest
		life := newLife()
		c.DB, c.Streams = life.tables(w.client), life.streams(w.db.Streams())
		r := w.start(c)
		settle()
		life.end()
		w.write(20, 3, 3)
		if r.end(); seen.count() != 0 {
			w.Fatalf("%d records were handled that are old, or after the death", seen.count())
		}
		c = w.consumer(seen.handle)
		c.From = stream.Newest
		r = w.start(c)
		settle()
		w.write(20, 4, 4)
		settle()
		w.must(r.end())
		for bird, versions := range seen.versions {
			if len(versions) != 2 || versions[0] != 3 || versions[1] != 4 {
				w.Errorf("%s: versions %v were handled, want 3 and 4", bird, versions)
			}
		}
		if len(seen.versions) != 20 {
			w.Errorf("%d birds, want 20", len(seen.versions))
		}
	})
}

// TestAPlaceThatExpiresBeforeTheFirstRecord has a new consumer that looks so seldom that
// what it holds to find the newest records expires.
func TestAPlaceThatExpiresBeforeTheFirstRecord(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		c := w.consumer(seen.handle)
		c.From, c.Poll = stream.Newest, 4*time.Hour // half an hour at first
		w.start(c)
		time.Sleep(time.Minute)
		w.write(5, 1, 1)
		time.Sleep(time.Hour)
		seen.expectOnce(5, 1)
	})
}

// TestRecordsThatWereTrimmedAreReported lets a consumer rest longer than records are kept.
func TestRecordsThatWereTrimmedAreReported(t *testing.T) {
	for _, test := range []struct {
		name string
		rest time.Duration // before the consumer comes back
		next bool          // some records of the shard are still there
	}{
		{"some records", 21*time.Hour + 30*time.Minute, true},
		{"all records", 24*time.Hour + 30*time.Minute, false},
		{"the shard", 40 * time.Hour, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				seen := newDiary(w.T)
				w.write(1, 1, 3)
				r := w.start(w.consumer(seen.handle))
				settle()
				w.must(r.end())
				w.write(1, 4, 6)
				time.Sleep(3 * time.Hour)
				w.write(1, 7, 9)
				time.Sleep(test.rest)
				w.write(1, 10, 10)
				var gaps []stream.Trimmed
				c := w.consumer(seen.handle)
				c.OnTrimmed = func(gap stream.Trimmed) { gaps = append(gaps, gap) }
				r = w.start(c)
				settle()
				w.must(r.end())
				if len(gaps) != 1 || gaps[0].After == "" || gaps[0].Table != tableName || (gaps[0].Next != "") != test.next {
					w.Errorf("reported: %+v", gaps)
				}
				want := []int{1, 2, 3, 10}
				if test.next {
					want = []int{1, 2, 3, 7, 8, 9, 10}
				}
				if got := seen.versions[birdName(0)]; !slices.Equal(got, want) {
					w.Errorf("handled: %v, want %v", got, want)
				}
			})
		})
	}
}

func TestExpiredItemsAreToldFromDeletedOnes(t *testing.T) {
	inWorldWith(t, engine.Options{ExpiryInterval: time.Second}, func(w *world) {
		_, err := w.client.UpdateTimeToLive(w.Context(), &dynamodb.UpdateTimeToLiveInput{
			TableName: new(tableName), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: new("until"), Enabled: new(true)},
		})
		w.must(err)
		w.put(access.Item{"id": str("swift"), "until": num(int(time.Now().Add(time.Minute).Unix()))})
		w.put(access.Item{"id": str("crow")})
		_, err = w.client.DeleteItem(w.Context(), &dynamodb.DeleteItemInput{TableName: new(tableName), Key: access.Item{"id": str("crow")}})
		w.must(err)
		time.Sleep(2 * time.Hour)
		w.endStream()
		heard := make(chan string, 10)
		note := func(what string) func(context.Context, string) error {
			return func(_ context.Context, id string) error { heard <- what + " " + id; return nil }
		}
		on := stream.On[string]{Remove: note("removed"), Expired: note("expired")}
		w.must(w.consumer(func(ctx context.Context, r stream.Record) error {
			return stream.Dispatch(ctx, r, on, func(item access.Item) (string, error) { id, _ := birdOf(item); return id, nil })
		}).Run(w.Context()))
		close(heard)
		got := map[string]bool{}
		for what := range heard {
			got[what] = true
		}
		if !maps.Equal(got, map[string]bool{"removed crow": true, "expired swift": true}) {
			w.Errorf("heard %v", got)
		}
	})
}

func TestConsumersThatCannotRunSayWhy(t *testing.T) {
	inWorld(t, func(w *world) {
		w.must(stream.EnsureTable(w.Context(), w.client, "NoStream"))
		for _, test := range []struct {
			name   string
			change func(*stream.Consumer)
			want   string
		}{
			{"no streams", func(c *stream.Consumer) { c.Streams = nil }, "needs Streams and a Handler"},
			{"no handler", func(c *stream.Consumer) { c.Handler = nil }, "needs Streams and a Handler"},
			{"no database", func(c *stream.Consumer) { c.DB = nil }, "needs a DB"},
			{"no name", func(c *stream.Consumer) { c.Name = "" }, "needs a name"},
			{"a bad name", func(c *stream.Consumer) { c.Name = "a#b" }, `not "a#b"`},
			{"no checkpoints", func(c *stream.Consumer) { c.Checkpoints = "" }, "needs a table for its checkpoints"},
			{"no source", func(c *stream.Consumer) { c.Table = "" }, "needs a table or the ARN"},
			{"no such table", func(c *stream.Consumer) { c.Table = "Nothing" }, "find the stream of table Nothing"},
			{"no stream", func(c *stream.Consumer) { c.Table = "NoStream" }, "table NoStream has no stream"},
			{"bad ARN", func(c *stream.Consumer) { c.StreamARN = "arn:aws:sqs:eu-west-1:1:queue" }, "is not the ARN of a DynamoDB stream"},
			{"unknown stream", func(c *stream.Consumer) {
				c.StreamARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Birds/stream/2001-01-01T00:00:00.000"
			}, "describe the stream"},
			{"no such checkpoints", func(c *stream.Consumer) { c.Checkpoints = "Nothing" }, "note the start"},
		} {
			c := w.consumer(newDiary(w.T).handle)
			test.change(c)
			if err := c.Run(w.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				w.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
			}
		}
	})
}

func TestEnsureTable(t *testing.T) {
	inWorld(t, func(w *world) {
		w.must(stream.EnsureTable(w.Context(), w.client, checkpoints)) // it is there
		err := stream.EnsureTable(w.Context(), w.client, tableName)
		if err == nil || !strings.Contains(err.Error(), "is not a table of checkpoints") {
			w.Errorf("a table with another key: error %v", err)
		}
	})
}

// A vanishing table is being deleted when it is first looked at.
type vanishing struct {
	*dynamodb.Client
	described int
}

func (v *vanishing) CreateTable(ctx context.Context, in *dynamodb.CreateTableInput, options ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error) {
	if v.described < 2 {
		return nil, &types.ResourceInUseException{}
	}
	return v.Client.CreateTable(ctx, in, options...)
}

func (v *vanishing) DescribeTable(ctx context.Context, in *dynamodb.DescribeTableInput, options ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error) {
	if v.described++; v.described < 2 {
		return &dynamodb.DescribeTableOutput{Table: &types.TableDescription{TableStatus: types.TableStatusDeleting}}, nil
	}
	return v.Client.DescribeTable(ctx, in, options...)
}

func TestEnsureTableWaitsForTheLastOneToBeGone(t *testing.T) {
	inWorld(t, func(w *world) {
		ctx, cancel := context.WithTimeout(w.Context(), time.Minute)
		defer cancel()
		w.must(stream.EnsureTable(ctx, &vanishing{Client: w.client}, "Later"))
		out, err := w.client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: new("Later")})
		w.must(err)
		if out.Table.TableStatus != types.TableStatusActive {
			w.Errorf("the table is %s", out.Table.TableStatus)
		}
	})
}
