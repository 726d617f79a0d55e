package stream_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go"

	"sortkey.dev/access/stream"
)

// tail returns one that must not miss anything.
func (w *world) tail(h stream.Handler) *stream.Tail {
	return &stream.Tail{
		Streams: w.db.Streams(), DB: w.client, Table: tableName, Handler: h,
		OnTrimmed: func(gap stream.Trimmed) { w.Errorf("records were lost: %+v", gap) },
		OnFailed:  func(r stream.Record, err error) { w.Errorf("%s failed: %v", r.SequenceNumber, err) },
	}
}

// startTail runs a tail until the test ends, and returns when it knows where it begins.
func (w *world) startTail(tail *stream.Tail) *running {
	begun := make(chan struct{})
	tail.OnStart = func() { close(begun) }
	r := w.startAny(tail.Run)
	<-begun
	return r
}

// expectVersions checks which versions of each bird came, in their order.
func (d *diary) expectVersions(birds int, want ...int) {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range birds {
		if got := d.versions[birdName(i)]; !slices.Equal(got, want) {
			d.t.Errorf("%s: versions %v came, want %v", birdName(i), got, want)
		}
	}
}

// TestTailDeliversChangesFromNowOn has two tails, which both hear of everything, and
// shards that are replaced before they begin and while they run.
func TestTailDeliversChangesFromNowOn(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(20, 1, 1)
		time.Sleep(5 * time.Hour) // some shards are closed now
		w.write(20, 2, 2)
		one, two := newDiary(w.T), newDiary(w.T)
		start := func(h stream.Handler) *running {
			tail := w.tail(h)
			tail.Poll = time.Minute // there are hours to go
			return w.startTail(tail)
		}
		first := start(one.handle)
		start(two.handle)
		for v := 3; v <= 6; v++ {
			w.write(20, v, v)
			time.Sleep(5 * time.Hour)
		}
		one.expectVersions(20, 3, 4, 5, 6)
		two.expectVersions(20, 3, 4, 5, 6)
		w.must(first.end())
		w.write(20, 7, 7)
		w.endStream()
		settle()
		one.expectVersions(20, 3, 4, 5, 6)
		two.expectVersions(20, 3, 4, 5, 6, 7)
		if rows := w.rows("test#shards"); len(rows) != 0 {
			w.Errorf("tails have left %d rows", len(rows))
		}
	})
}

func TestTailEndsWithTheStream(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		r := w.startTail(w.tail(seen.handle))
		w.write(20, 1, 5)
		w.endStream()
		<-r.done
		w.must(r.err)
		seen.expectOnce(20, 5)
	})
}

// TestTailOfAStreamWithoutShards begins before there is anything to read.
func TestTailOfAStreamWithoutShards(t *testing.T) {
	inWorld(t, func(w *world) {
		seen, streams := newDiary(w.T), &growing{StreamsAPI: w.db.Streams()}
		tail := w.tail(seen.handle)
		tail.Streams = streams
		w.startTail(tail)
		settle()
		streams.grown.Store(true)
		w.write(20, 1, 2)
		time.Sleep(3 * time.Second)
		seen.expectOnce(20, 2)
	})
}

// TestTailWhoseIteratorsExpire looks so seldom that its places are lost each time, for the
// first time before it has read a record.
func TestTailWhoseIteratorsExpire(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		w.write(20, 1, 1)
		time.Sleep(2 * time.Minute)
		tail := w.tail(seen.handle)
		tail.Poll = 20 * time.Minute
		w.startTail(tail)
		time.Sleep(time.Minute)
		for v := 2; v <= 5; v++ {
			w.write(20, v, v)
			time.Sleep(30 * time.Minute)
		}
		seen.expectVersions(20, 2, 3, 4, 5)
	})
}

// TestTailOfTrimmedRecords sleeps for longer than records are kept.
func TestTailOfTrimmedRecords(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		var gaps atomic.Int64
		tail := w.tail(seen.handle)
		tail.Poll = 40 * time.Hour
		tail.OnTrimmed = func(stream.Trimmed) { gaps.Add(1) }
		w.startTail(tail)
		time.Sleep(time.Minute)
		w.write(1, 1, 1)
		time.Sleep(38 * time.Hour)
		w.write(1, 2, 2)
		time.Sleep(4 * time.Hour)
		seen.expectVersions(1, 2)
		if gaps.Load() == 0 {
			w.Error("nobody heard of the records that are gone")
		}
	})
}

// refusing answers reads with an error, for a while.
type refusing struct {
	stream.StreamsAPI
	code string
	left atomic.Int64
}

func (f *refusing) GetRecords(ctx context.Context, in *dynamodbstreams.GetRecordsInput, o ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error) {
	if f.left.Add(-1) >= 0 {
		return nil, &smithy.GenericAPIError{Code: f.code, Message: "not now"}
	}
	return f.StreamsAPI.GetRecords(ctx, in, o...)
}

func TestTailThatIsRefused(t *testing.T) {
	for _, test := range []struct {
		code  string
		times int64
		want  string // in the error; "": it goes on
	}{
		{"ProvisionedThroughputExceededException", 5, ""},
		{"LimitExceededException", 5, ""},
		{"LimitExceededException", 1 << 30, "tail of table Birds: read shard"},
		{"AccessDeniedException", 1, "tail of table Birds: read shard"},
	} {
		t.Run(test.code, func(t *testing.T) {
			inWorld(t, func(w *world) {
				seen, streams := newDiary(w.T), &refusing{StreamsAPI: w.db.Streams(), code: test.code}
				tail := w.tail(seen.handle)
				tail.Streams = streams
				r := w.startTail(tail)
				time.Sleep(time.Minute)
				streams.left.Store(test.times)
				w.write(20, 1, 3)
				settle()
				if test.want == "" {
					seen.expectOnce(20, 3)
					w.must(r.end())
					return
				}
				if <-r.done; r.err == nil || !strings.Contains(r.err.Error(), test.want) {
					w.Errorf("error %v, want one with %q", r.err, test.want)
				}
			})
		})
	}
}

func TestTailWhoseHandlerFails(t *testing.T) {
	inWorld(t, func(w *world) {
		seen, failed := newDiary(w.T), newDiary(w.T)
		tail := w.tail(func(ctx context.Context, r stream.Record) error {
			if _, v := birdOf(r.New); v == 2 {
				return errTest
			}
			return seen.handle(ctx, r)
		})
		tail.OnFailed = func(r stream.Record, err error) { _ = failed.handle(w.Context(), r) }
		w.startTail(tail)
		w.write(5, 1, 3)
		settle()
		seen.expectVersions(5, 1, 3)
		failed.expectVersions(5, 2)
	})
}

// TestTailWhoseHandlerPanics goes on like one whose handler fails, and hears of the panic.
func TestTailWhoseHandlerPanics(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		var heard []string
		tail := w.tail(func(ctx context.Context, r stream.Record) error {
			if _, v := birdOf(r.New); v == 2 {
				panic("no owl")
			}
			return seen.handle(ctx, r)
		})
		tail.OnFailed = func(_ stream.Record, err error) { heard = append(heard, err.Error()) }
		r := w.startTail(tail)
		w.write(1, 1, 3)
		w.endStream()
		<-r.done
		w.must(r.err)
		seen.expectVersions(1, 1, 3)
		if len(heard) != 1 || !strings.Contains(heard[0], "the handler panicked: no owl") || !strings.Contains(heard[0], "tail_test.go") {
			w.Errorf("heard of %q", heard)
		}
	})
}

// timeless is a stream whose records do not say when they happened.
type timeless struct{ stream.StreamsAPI }

func (s timeless) GetRecords(ctx context.Context, in *dynamodbstreams.GetRecordsInput, o ...func(*dynamodbstreams.Options)) (*dynamodbstreams.GetRecordsOutput, error) {
	out, err := s.StreamsAPI.GetRecords(ctx, in, o...)
	if err == nil {
		for _, r := range out.Records {
			r.Dynamodb.ApproximateCreationDateTime = nil
		}
	}
	return out, err
}

func TestRecordsWithoutATimeAreDelivered(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(5, 1, 1)
		tailed, consumed := newDiary(w.T), newDiary(w.T)
		tail, consumer := w.tail(tailed.handle), w.consumer(consumed.handle)
		tail.Streams, consumer.Streams = timeless{tail.Streams}, timeless{consumer.Streams}
		consumer.From = stream.Newest
		w.startTail(tail)
		w.start(consumer)
		settle()
		w.write(5, 2, 3)
		settle()
		tailed.expectVersions(5, 2, 3)
		consumed.expectVersions(5, 2, 3)
	})
}

func TestTailsThatCannotRunSayWhy(t *testing.T) {
	inWorld(t, func(w *world) {
		for _, test := range []struct {
			name   string
			change func(*stream.Tail)
			want   string
		}{
			{"no streams", func(t *stream.Tail) { t.Streams = nil }, "needs Streams and a Handler"},
			{"no handler", func(t *stream.Tail) { t.Handler = nil }, "needs Streams and a Handler"},
			{"no table", func(t *stream.Tail) { t.Table = "" }, "needs a table and a DB"},
			{"no database", func(t *stream.Tail) { t.DB = nil }, "needs a table and a DB"},
			{"no stream", func(t *stream.Tail) { t.Table = checkpoints }, "has no stream"},
			{"bad ARN", func(t *stream.Tail) { t.StreamARN = "arn:aws:sqs:eu-west-1:1:queue" }, "is not the ARN of a DynamoDB stream"},
		} {
			tail := w.tail(newDiary(w.T).handle)
			test.change(tail)
			if err := tail.Run(w.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				w.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
			}
		}
	})
}
