package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/cockroachdb/pebble/v2/vfs"

	"sortkey.dev/engine/internal/kv"
	"sortkey.dev/engine/internal/kv/pebblekv"
)

// A load is the work that is under way when the power fails: workers write to a table with
// indexes, a stream and a time to live and to one without, while an administrator
// changes both and creates and deletes a third.
type load struct {
	*history
	disk    vfs.FS
	sync    pebblekv.SyncPolicy
	db      *DB // nil when it could not be opened
	admin   admin
	stock   *actor
	workers []*worker
	steps   int // of each worker in each half
}

const stockItems = 600 // several batches of the job that builds indexes and expiries

func newLoad(disk vfs.FS, sync pebblekv.SyncPolicy, seed uint64, workers, steps int) *load {
	names := []string{"admin", "stock"}
	for i := range workers {
		names = append(names, fmt.Sprint("w", i))
	}
	l := &load{history: newHistory(names...), disk: disk, sync: sync, steps: steps}
	l.admin, l.stock = admin{l.actors[0]}, l.actors[1]
	for i, a := range l.actors[2:] {
		rnd := rand.New(rand.NewPCG(seed, uint64(i)))
		l.workers = append(l.workers, &worker{a, rnd, func() int { return int(l.now().Unix()) }})
	}
	return l
}

// run runs everything, with a restart in the middle. It ends early when a step fails.
func (l *load) run(ctx context.Context) error {
	if err := l.open(); err != nil {
		return err
	}
	if err := l.setUp(ctx); err != nil {
		return err
	}
	if err := l.half(ctx, l.firstHalf()); err != nil {
		return err
	}
	err := l.db.Close()
	l.db = nil
	if err != nil {
		return fmt.Errorf("close: %w", err)
	}
	if err := l.open(); err != nil {
		return err
	}
	return l.half(ctx, l.secondHalf())
}

func (l *load) open() (err error) {
	l.db, err = openDisk(l.disk, l.sync, l.now, 2*time.Millisecond, silent)
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	return nil
}

// setUp creates the tables.
func (l *load) setUp(ctx context.Context) error {
	for _, make := range []func() *step{
		func() *step { return l.admin.createTable("main", true, "by-group", "by-rank", "local") },
		func() *step { return l.admin.switchExpiry("main", true) },
		func() *step { return l.admin.createTable("plain", false) },
	} {
		if err := l.do(ctx, l.db, l.admin.actor, make()); err != nil {
			return err
		}
	}
	for from := 0; from < stockItems; from += 25 {
		if err := l.do(ctx, l.db, l.stock, l.stockStep(from)); err != nil {
			return err
		}
	}
	return nil
}

// stockStep puts 25 items that are never changed again. Not all of them can be
// indexed later, and not all of them expire.
func (l *load) stockStep(from int) *step {
	s := &step{what: "stock", next: l.stock.last().clone()}
	var requests []types.WriteRequest
	for i := from; i < from+25; i++ {
		id := itemID{"plain", fmt.Sprint("stock-", i), "0"}
		d := doc{"pk": id.pk, "sk": id.sk, "op": i, "group": fmt.Sprint("g", i%7)}
		switch i % 5 {
		case 0:
			d["until"] = int(l.now().Unix()) + i%20
		case 1:
			d["until"] = int(l.now().AddDate(20, 0, 0).Unix())
		case 2:
			d["until"] = int(l.now().AddDate(-6, 0, 0).Unix())
		case 3:
			d["until"] = "never"
			d["group"] = i
		}
		s.next.items[id] = d.stored()
		requests = append(requests, types.WriteRequest{PutRequest: &types.PutRequest{Item: d.attributes()}})
	}
	s.run = runBatch(map[string][]types.WriteRequest{"plain": requests})
	return s
}

// half runs the workers while the administrator runs a list of jobs.
func (l *load) half(ctx context.Context, jobs []func() *step) error {
	already := 0
	for _, n := range l.ackedSteps() {
		already += n
	}
	var wg sync.WaitGroup
	for _, w := range l.workers {
		wg.Go(func() {
			for range l.steps {
				if l.do(ctx, l.db, w.actor, w.step()) != nil {
					return
				}
			}
		})
	}
	var err error
	for i, job := range jobs {
		l.await(already + (i+1)*len(l.workers)*l.steps/(len(jobs)+1))
		if job == nil {
			err = l.awaitBuilds()
		} else {
			err = l.do(ctx, l.db, l.admin.actor, job())
		}
		if err != nil {
			break
		}
	}
	wg.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.err, err)
}

// firstHalf returns the administrator's jobs before the restart. A nil job waits until nothing
// is being built, because some changes are rejected before.
func (l *load) firstHalf() []func() *step {
	a := l.admin
	return []func() *step{
		func() *step { return a.createTable("temp", true, "by-rank") },
		func() *step { return a.fill("temp") },
		func() *step { return a.addIndex("plain", "late") },
		nil,
		func() *step { return a.switchStream("plain", true) },
		func() *step { return a.switchExpiry("plain", true) },
		func() *step { return a.addIndex("main", "extra") },
		func() *step { return a.fill("plain") },
		func() *step { return a.dropIndex("plain", "late") },
		func() *step { return a.splitShard(l.db, "main") },
		func() *step { return a.deleteTable("temp") },
		func() *step { return a.addIndex("plain", "late") },
	}
}

// secondHalf returns the administrator's jobs after the restart.
func (l *load) secondHalf() []func() *step {
	a := l.admin
	return []func() *step{
		func() *step { return a.createTable("temp", true, "local") },
		nil,
		func() *step { return a.switchStream("plain", false) },
		func() *step { return a.fill("temp") },
		func() *step { return a.dropIndex("main", "extra") },
		func() *step { return a.switchExpiry("plain", false) },
		func() *step { return a.dropIndex("plain", "late") },
		func() *step { return a.addIndex("plain", "late") },
		func() *step { return a.dropIndex("plain", "late") }, // while it is being built
		func() *step { return a.splitShard(l.db, "main") },
		func() *step { return a.switchExpiry("plain", true) },
		func() *step { return a.switchStream("plain", true) },
		func() *step { return a.switchExpiry("temp", true) },
		func() *step { return a.deleteTable("temp") },
		func() *step { return a.addIndex("main", "extra") },
	}
}

// awaitBuilds waits until nothing is being built, or the store has failed.
func (l *load) awaitBuilds() error {
	var err error
	problem := eventually(func() string {
		nothing := func(kv.Txn) error { return nil }
		if err = l.db.store.Update(context.Background(), nil, nothing); err != nil {
			return ""
		}
		return beingBuilt(l.db)
	})
	if problem != "" {
		return errors.New(problem)
	}
	return err
}

// beingBuilt names a table with an index or an expiry that is not complete.
func beingBuilt(db *DB) string {
	for _, t := range db.api.ops.catalog.Tables() {
		if t.Building != "" || t.Expiry != nil && t.Expiry.Building {
			return fmt.Sprintf("table %s is being built: index %q, expiry %+v", t.Name(), t.Building, t.Expiry)
		}
	}
	return ""
}
