package migrate

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/engine"
)

var errKilled = errors.New("the process is gone")

// killedAPI is a DynamoDB as a process sees it that is killed after some requests: the last one may have been
// carried out without an answer, and none is sent after it.
type killedAPI struct {
	access.API
	left     atomic.Int64
	answered bool // of the last request
	kill     context.CancelFunc
}

// sends sends a request, unless the process is gone.
func sends[In, Out any](k *killedAPI, ctx context.Context, in *In, options []func(*dynamodb.Options), method func(context.Context, *In, ...func(*dynamodb.Options)) (*Out, error)) (*Out, error) {
	switch left := k.left.Add(-1); {
	case left > 0:
		return method(ctx, in, options...)
	case left == 0 && !k.answered:
		_, _ = method(context.WithoutCancel(ctx), in, options...)
	}
	k.kill()
	return nil, errKilled
}

func (k *killedAPI) GetItem(ctx context.Context, in *dynamodb.GetItemInput, o ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return sends(k, ctx, in, o, k.API.GetItem)
}

func (k *killedAPI) Query(ctx context.Context, in *dynamodb.QueryInput, o ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return sends(k, ctx, in, o, k.API.Query)
}

func (k *killedAPI) Scan(ctx context.Context, in *dynamodb.ScanInput, o ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return sends(k, ctx, in, o, k.API.Scan)
}

func (k *killedAPI) PutItem(ctx context.Context, in *dynamodb.PutItemInput, o ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return sends(k, ctx, in, o, k.API.PutItem)
}

func (k *killedAPI) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return sends(k, ctx, in, o, k.API.UpdateItem)
}

func (k *killedAPI) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	return sends(k, ctx, in, o, k.API.DeleteItem)
}

func (k *killedAPI) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return sends(k, ctx, in, o, k.API.TransactWriteItems)
}

func (k *killedAPI) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, o ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	return sends(k, ctx, in, o, k.API.TransactGetItems)
}

// fastClock runs many times as fast as that of the machine.
func fastClock(times time.Duration) Clock {
	start := time.Now()
	return Clock{
		Now: func() time.Time { return start.Add(times * time.Since(start)) },
		Sleep: func(ctx context.Context, d time.Duration) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(d / times):
				return nil
			}
		},
	}
}

// A killing is a migration whose runner is killed.
type killing struct {
	db      *engine.DB
	m       *Migration
	write   func(context.Context, int) error // changes an item
	compare func(version int)
}

func killedTasks(t *testing.T) killing {
	db := openTasks(t)
	const old = 6
	for i := range old {
		put(t, db.API(), taskItem(fmt.Sprint("old", i), "Old", []string{"", "Bob"}[i%2], false))
	}
	w := newWriter(db.API())
	return killing{db, noHolds(taskMigration()), func(ctx context.Context, i int) error {
		return w.create(ctx, fmt.Sprint("w", i%3), fmt.Sprint("Made ", i), []string{"", "Ann"}[i%2])
	}, func(version int) { compareTasks(t, db, []*writer{w}, version, old) }}
}

func killedEvents(t *testing.T) killing {
	db, m := openEvents(t), eventNoHolds("events")
	putOldEvents(t, db, 6)
	w := newEventWriter(db.API(), m, "Ann")
	return killing{db, m, w.once, func(version int) { compareEvents(t, db, m, []*eventWriter{w}, version, 7) }}
}

func killedOwners(t *testing.T) killing {
	db := openTasks(t)
	const old = 5
	for i := range old {
		put(t, db.API(), ownedTask(fmt.Sprint("old", i), fmt.Sprint("Old", i)))
	}
	w := newOwners(db.API(), "w")
	return killing{db, ownerMigration(), func(ctx context.Context, _ int) error { return w.step(ctx) },
		func(version int) { compareOwners(t, db, []*owners{w}, version, old) }}
}

func killedCounts(t *testing.T) killing {
	db, m := openTasks(t), countMigration()
	const projects, old = 2, 5
	putCounted(t, db, projects, old)
	w := newCounting(db.API(), m, "w", projects)
	for i := range 2 {
		w.adopt(fmt.Sprint("old", i), oldTask(i, projects))
	}
	return killing{db, m, func(ctx context.Context, _ int) error { return w.step(ctx) },
		func(version int) { compareCounts(t, db, []*counting{w}, version, projects, old) }}
}

// TestKilledAtEveryRequest kills a runner after each of its requests, in a run of its own, forward and on the way
// back; the last request is sometimes carried out and not answered. Another runner ends what it began, while
// a writer goes on, and all is as it must be.
func TestKilledAtEveryRequest(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of runs")
	}
	step := int64(5)
	if testing.Verbose() {
		step = 1
	}
	for name, open := range map[string]func(*testing.T) killing{"a part in the item": killedTasks, "a copy elsewhere": killedEvents, "a unique rule": killedOwners, "counters": killedCounts} {
		t.Run(name, func(t *testing.T) {
			for _, back := range []bool{false, true} {
				var runs sync.WaitGroup
				var next atomic.Int64
				next.Store(1 - step)
				for range 8 { // they wait most of the time
					runs.Go(func() {
						for kill := next.Add(step); !killedRun(t, open(t), kill, back) && !t.Failed(); kill = next.Add(step) {
						}
					})
				}
				runs.Wait()
			}
		})
	}
}

// killedRun reports whether the runner had fewer requests.
func killedRun(t *testing.T, k killing, kill int64, back bool) bool {
	e := &Epochs{API: k.db.API(), Design: taskDesign, Control: "control", Settle: 20 * time.Millisecond}
	if _, err := e.Create(t.Context(), 1, 10*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	var over atomic.Bool
	group.Go(func() {
		for i := 0; !over.Load(); i++ {
			if err := k.write(t.Context(), i); err != nil {
				t.Errorf("kill %d: writer: %v", kill, err)
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
	m := k.m
	o := Options{Lease: 10 * time.Millisecond, Segments: 2, Workers: 1, Clock: fastClock(1000)} // leases of dead workers end soon
	version := 2
	if back {
		version = 1
		m.Holds["after"] = true
		if err := Run(t.Context(), e, m, o); err == nil {
			t.Errorf("kill %d: no hold", kill)
		}
		if err := Back(t.Context(), e, m); err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dying := *e
	api := &killedAPI{API: k.db.API(), answered: kill%2 == 0, kill: cancel}
	api.left.Store(kill)
	dying.API = api
	err := Run(ctx, &dying, m, o)
	whole := err == nil
	if !whole && ctx.Err() == nil {
		t.Errorf("kill %d: %v", kill, err)
	}
	if !whole {
		if err := Run(t.Context(), e, m, o); err != nil {
			t.Errorf("kill %d: the next runner: %v", kill, err)
		}
	}
	over.Store(true)
	group.Wait()
	k.compare(version)
	if t.Failed() {
		t.Logf("kill %d, back %v", kill, back)
	}
	return whole
}
