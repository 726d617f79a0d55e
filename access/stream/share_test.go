package stream_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access/stream"
)

// process returns a consumer with a name and a life of its own.
func (w *world) process(owner string, h stream.Handler) (*stream.Consumer, *life) {
	c, l := w.consumer(h), newLife()
	c.Owner = owner
	c.DB, c.Streams = l.tables(w.client), l.streams(w.db.Streams())
	return c, l
}

func TestProcessesShareTheShards(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		w.write(20, 1, 2)
		first, _ := w.process("first", seen.handle)
		w.start(first)
		settle()
		if owners := w.owners(); owners["first"] != 4 {
			w.Errorf("one process has %v, want all four", owners)
		}
		second, _ := w.process("second", seen.handle)
		two := w.start(second)
		settle()
		if owners := w.owners(); owners["first"] != 2 || owners["second"] != 2 {
			w.Errorf("two processes have %v, want two each", owners)
		}
		third, _ := w.process("third", seen.handle)
		w.start(third)
		settle()
		if owners := w.owners(); owners["first"] == 0 || owners["second"] == 0 || owners["third"] == 0 {
			w.Errorf("three processes have %v", owners)
		}
		w.write(20, 3, 4)
		settle()
		w.must(two.end())
		settle()
		if owners := w.owners(); owners["first"] != 2 || owners["third"] != 2 {
			w.Errorf("after one has gone they have %v, want two each", owners)
		}
		w.write(20, 5, 6)
		settle()
		seen.expectOnce(20, 6) // shards are handed over without repetition
	})
}

// TestShardsThatWaitForTheirTurnAreHandedOver has a process whose only worker is busy for
// long: its other shards go to who has time for them.
func TestShardsThatWaitForTheirTurnAreHandedOver(t *testing.T) {
	inWorld(t, func(w *world) {
		w.write(20, 1, 2)
		free := make(chan struct{})
		busy, _ := w.process("busy", func(context.Context, stream.Record) error {
			<-free
			return nil
		})
		busy.Workers = 1
		w.start(busy)
		settle()
		seen := newDiary(w.T)
		idle, _ := w.process("idle", seen.handle)
		w.start(idle)
		settle()
		// It may have asked for the one shard that cannot be handed over yet, too.
		if owners := w.owners(); owners["idle"] == 0 || seen.count() == 0 {
			w.Errorf("they have %v, and the one that has time has handled %d records", owners, seen.count())
		}
		close(free)
		settle()
		if owners := w.owners(); owners["busy"] != 2 || owners["idle"] != 2 {
			w.Errorf("in the end they have %v, want two each", owners)
		}
	})
}

func TestShardsOfADeadProcessAreTakenOver(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		first, life := w.process("first", seen.handle)
		one := w.start(first)
		settle()
		second, _ := w.process("second", seen.handle)
		w.start(second)
		settle()
		w.write(20, 1, 2)
		settle()
		life.end()
		w.write(20, 3, 4)
		settle()
		if <-one.done; one.err == nil {
			w.Error("a process that reaches nothing does not say so")
		}
		if owners := w.owners(); owners["second"] != 4 || len(owners) != 1 {
			w.Errorf("after a death they have %v", owners)
		}
		seen.expectOnce(20, 4) // the dead one had nothing in hand
	})
}

// TestProcessThatResumesAfterItsLeaseExpired has a process that is stopped with a record in hand, as a laptop
// is that gets closed. Another one takes over. When the first one wakes up it must not
// handle more, or touch the checkpoint, whether its clock has gone on or not.
func TestProcessThatResumesAfterItsLeaseExpired(t *testing.T) {
	for _, test := range []struct {
		name       string
		every      int  // records for each checkpoint
		clockStops bool // so that the process believes to have its lease
	}{
		{"and knows how late it is", 1000, false},
		{"and knows nothing", 1, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(w *world) {
				w.write(1, 1, 10)
				var stopped atomic.Int64 // since when; 0: not at all
				awake, reached := make(chan struct{}), make(chan struct{})
				seen, late := newDiary(w.T), newDiary(w.T)
				first, _ := w.process("first", func(ctx context.Context, r stream.Record) error {
					if _, v := birdOf(r.New); v == 5 {
						stopped.Store(time.Now().UnixNano())
						<-awake
					}
					if stopped.Load() != 0 {
						return late.handle(ctx, r)
					}
					return seen.handle(ctx, r)
				})
				first.Every = test.every
				first.DB = &troubled{TableAPI: w.client, stopped: &stopped, reached: reached}
				first.Now = func() time.Time {
					if at := stopped.Load(); at != 0 && test.clockStops {
						return time.Unix(0, at)
					}
					return time.Now()
				}
				w.start(first)
				time.Sleep(time.Second)
				second, _ := w.process("second", seen.handle)
				w.start(second)
				settle()
				seen.expect(1, 10)
				checkpoint := w.onlyCheckpoint()
				close(awake)
				settle()
				close(reached)
				settle()
				if got := late.versions[birdName(0)]; !slices.Equal(got, []int{5}) {
					w.Errorf("after it woke up the first process handled %v, want only 5, which it had in hand", got)
				}
				if got := w.onlyCheckpoint(); got != checkpoint {
					w.Errorf("the checkpoint went from %s to %s", checkpoint, got)
				}
			})
		})
	}
}

// TestALeaseThatIsNotRenewedEnds has a process whose signs of life do not arrive, while all
// else does. It has to stop by itself before another one begins.
func TestALeaseThatIsNotRenewedEnds(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		w.write(1, 1, 60)
		var cut, taken atomic.Bool
		first, _ := w.process("first", func(ctx context.Context, r stream.Record) error {
			cut.Store(true)
			if taken.Load() {
				w.Error("the first process goes on though the second has begun")
			}
			time.Sleep(3 * time.Second)
			return seen.handle(ctx, r)
		})
		first.DB = &troubled{TableAPI: w.client, cut: &cut}
		one := w.start(first)
		time.Sleep(time.Second)
		second, _ := w.process("second", func(ctx context.Context, r stream.Record) error {
			taken.Store(true)
			return seen.handle(ctx, r)
		})
		w.start(second)
		settle()
		if !taken.Load() || one.end() == nil {
			w.Error("the second process has not taken over, or the first does not say that it reaches nothing")
		}
		seen.expect(1, 60)
	})
}

// troubled is a table whose updates get lost once it is cut off, take long, or wait from
// when the process is stopped until the table is reached again.
type troubled struct {
	stream.TableAPI
	cut     *atomic.Bool
	delay   time.Duration
	stopped *atomic.Int64
	reached chan struct{}
}

func (d *troubled) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if d.cut != nil && d.cut.Load() {
		return nil, errDead
	}
	if d.stopped != nil && d.stopped.Load() != 0 {
		<-d.reached
	}
	time.Sleep(d.delay)
	return d.TableAPI.UpdateItem(ctx, in, o...)
}

// TestTwoProcessesThatTakeAtOnce see at the same moment that shards are free: those that
// nobody ever had, or those of a process that has ended.
func TestTwoProcessesThatTakeAtOnce(t *testing.T) {
	for _, before := range []bool{false, true} {
		t.Run(fmt.Sprintf("taken before: %v", before), func(t *testing.T) {
			inWorld(t, func(w *world) {
				seen := newDiary(w.T)
				if before {
					first, _ := w.process("first", seen.handle)
					r := w.start(first)
					settle()
					w.must(r.end())
				}
				w.write(20, 1, 5)
				for _, name := range []string{"second", "third"} {
					c, _ := w.process(name, seen.handle)
					c.DB = &troubled{TableAPI: w.client, delay: 100 * time.Millisecond}
					w.start(c)
				}
				settle()
				seen.expectOnce(20, 5)
			})
		})
	}
}

// onlyCheckpoint reads the checkpoint of the one shard that has one.
func (w *world) onlyCheckpoint() string {
	w.Helper()
	var found []string
	for _, row := range w.rows("test#shards") {
		if v, there := row["checkpoint"]; there {
			found = append(found, textOf(v))
		}
	}
	if len(found) != 1 {
		w.Fatalf("checkpoints %v, want one", found)
	}
	return found[0]
}

// TestTheClockOfTheConsumerDecides moves the clock that a consumer was given: the lease of a
// process that has gone is over when that clock says so.
func TestTheClockOfTheConsumerDecides(t *testing.T) {
	inWorld(t, func(w *world) {
		seen := newDiary(w.T)
		first, life := w.process("first", seen.handle)
		w.start(first)
		settle()
		life.end()
		w.write(5, 1, 1)
		var ahead atomic.Int64
		second, _ := w.process("second", seen.handle)
		second.LeaseTime = 24 * time.Hour
		second.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		second.Sleep = func(ctx context.Context, _ time.Duration) error {
			time.Sleep(time.Second)
			return ctx.Err()
		}
		w.start(second)
		settle()
		if n := seen.count(); n != 0 {
			w.Fatalf("%d records were handled before the lease was over", n)
		}
		ahead.Store(int64(24 * time.Hour))
		settle()
		seen.expectOnce(5, 1)
	})
}
