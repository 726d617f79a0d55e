package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/background"
	"sortkey.dev/apps/internal/jobs"
)

// TestASlowGroupOccupiesItsShare: the jobs of the slow host end only after those of the quick
// host, which were queued behind them.
func TestASlowGroupOccupiesItsShare(t *testing.T) {
	f := open(t, lanes(jobs.Lane{Name: "work", AtOnce: 3, PerGroup: 2}))
	quick := make(chan struct{}) // is closed when the quick jobs have ended
	var two sync.WaitGroup       // slow jobs that have begun
	two.Add(2)
	var left, slow atomic.Int32
	left.Store(10)
	f.Handle("call", "work", policy, func(_ context.Context, job jobs.Job) error {
		if job.Group == "quick.example" {
			two.Wait()
			if left.Add(-1) == 0 {
				close(quick)
			}
			return nil
		}
		if n := slow.Add(1); n <= 2 {
			two.Done()
		} else if left.Load() > 0 {
			t.Errorf("slow job %d runs before the quick jobs", n)
		}
		<-quick
		return nil
	})
	for i := range 10 {
		f.add(jobs.Job{ID: fmt.Sprintf("slow-%d", i), Kind: "call", Group: "slow.example"})
	}
	f.Clock.Advance(time.Second)
	for i := range 10 {
		f.add(jobs.Job{ID: fmt.Sprintf("quick-%d", i), Kind: "call", Group: "quick.example"})
	}
	f.in(func() { f.step(f.Queue, 20) })()
}

// TestOtherGroupsAreServedBehindAGroupWithManyJobs: more jobs of the group are due than are read.
func TestOtherGroupsAreServedBehindAGroupWithManyJobs(t *testing.T) {
	f := open(t, lanes(jobs.Lane{Name: "work", AtOnce: 3, PerGroup: 2}))
	goOn := make(chan struct{})
	var once sync.Once
	var many atomic.Int32
	f.Handle("call", "work", policy, func(_ context.Context, job jobs.Job) error {
		if job.Group == "few.example" {
			once.Do(func() { close(goOn) })
			return nil
		}
		<-goOn
		many.Add(1)
		return nil
	})
	const all = 520
	for i := range all {
		f.add(jobs.Job{ID: fmt.Sprintf("many-%03d", i), Kind: "call", Group: "many.example"})
	}
	f.Clock.Advance(time.Second)
	f.add(jobs.Job{ID: "few", Kind: "call", Group: "few.example"})
	f.in(func() {
		if _, err := f.Step(t.Context()); err != nil {
			t.Errorf("step: %v", err)
		}
	})()
	f.done("few")
	if many.Load() == all {
		t.Error("no job was postponed; the test needs more of them")
	}
	for range 5 {
		f.Clock.Advance(10 * time.Minute)
		if _, err := f.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if many.Load() != all {
		t.Errorf("%d of %d jobs ran in the end", many.Load(), all)
	}
}

// TestALaneInOrderRunsAGroupInOrder: more jobs of the group are due than are read at first, and
// other processes take some of them. None is postponed, and another group is served meanwhile.
func TestALaneInOrderRunsAGroupInOrder(t *testing.T) {
	inOrder := lanes(jobs.Lane{Name: "work", AtOnce: 3, InOrder: true})
	f := open(t, inOrder)
	other, _ := f.other(inOrder)
	few := make(chan struct{})
	var mu sync.Mutex
	last := map[*jobs.Queue]string{}
	running := map[*jobs.Queue]int{}
	var many int
	for _, q := range []*jobs.Queue{f.Queue, other} {
		q.Handle("call", "work", policy, func(_ context.Context, job jobs.Job) error {
			if job.Group == "few.example" {
				close(few)
				return nil
			}
			mu.Lock()
			if running[q]++; running[q] > 1 || job.ID < last[q] {
				t.Errorf("job %s runs beside or behind job %s", job.ID, last[q])
			}
			last[q], many = job.ID, many+1
			mu.Unlock()
			<-few
			mu.Lock()
			running[q]--
			mu.Unlock()
			return nil
		})
	}
	const all = 520
	for i := range all {
		f.add(jobs.Job{ID: fmt.Sprintf("many-%03d", i), Kind: "call", Group: "many.example"})
	}
	f.Clock.Advance(time.Second)
	f.add(jobs.Job{ID: "few", Kind: "call", Group: "few.example"})
	for _, wait := range []func(){f.in(func() { _, _ = f.Step(t.Context()) }), f.in(func() { _, _ = other.Step(t.Context()) })} {
		wait()
	}
	if many != all {
		t.Errorf("%d of %d jobs ran", many, all)
	}
}

// A counting database tells of every query.
type counting struct {
	apps.DynamoDB
	queries chan int
	n       *int
}

func (c counting) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	*c.n++
	c.queries <- *c.n
	return c.DynamoDB.Query(ctx, in, options...)
}

// TestAFullLaneDoesNotSpin: the clock jumps, and all jobs that a read returns are running here.
func TestAFullLaneDoesNotSpin(t *testing.T) {
	f := open(t)
	b := newBlocked()
	database, queries := f.Database, make(chan int, 1000)
	database.DynamoDB = counting{database.DynamoDB, queries, new(int)}
	q, timers := f.otherOn(f.on(database), lanes(jobs.Lane{Name: "work", AtOnce: 3, Most: 2}))
	q.Handle("slow", "work", policy, b.handle)
	add := func(job jobs.Job) {
		t.Helper()
		if _, err := q.Add(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	for _, job := range numbered(2, "slow") {
		add(job)
	}
	wait := f.in(func() { f.step(q, 3) })
	<-b.begun
	<-b.begun
	for len(queries) > 0 {
		<-queries
	}
	f.Clock.Advance(lease)
	add(jobs.Job{ID: "third", Kind: "slow"})
	<-queries
	beat(timers)
	beat(timers)
	b.goOn <- nil
	b.goOn <- nil
	add(jobs.Job{ID: "later", Kind: "slow", Due: f.Now().Add(time.Hour)})
	<-b.begun
	b.goOn <- nil
	wait()
	if n := len(queries); n > 10 {
		t.Errorf("the queue was read %d times", n)
	}
}

// start runs the loops of a queue until the test ends.
func start(t testing.TB, q *jobs.Queue) *background.Group {
	t.Helper()
	group, err := background.New(slog.New(slog.NewTextHandler(io.Discard, nil)), q.Loops()...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		group.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	return group
}

// TestAddedJobsStartAtOnce: no timer fires here.
func TestAddedJobsStartAtOnce(t *testing.T) {
	f := open(t, lanes(jobs.Lane{Name: "work"}, jobs.Lane{Name: "post"}))
	ran := make(chan string, 10)
	handle := func(_ context.Context, job jobs.Job) error {
		ran <- job.ID
		if job.ID == "first" {
			return jobs.Next(jobs.Job{ID: "next", Kind: "send"})
		}
		return nil
	}
	f.Handle("work", "work", policy, handle)
	f.Handle("send", "post", policy, handle)
	start(t, f.Queue)
	expect := func(want string) {
		t.Helper()
		select {
		case got := <-ran:
			if got != want {
				t.Errorf("job %s ran, want %s", got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("job %s does not start", want)
		}
	}
	f.add(jobs.Job{ID: "first", Kind: "work"})
	expect("first")
	expect("next")
	tx := f.DB.Tx()
	if err := f.AddTo(tx, jobs.Job{ID: "joined", Kind: "send"}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect("joined")
}

func TestIdleLanesPoll(t *testing.T) {
	f := open(t, lanes(jobs.Lane{Name: "work", Every: 3 * time.Second}))
	ran := make(chan string, 10)
	handle := func(_ context.Context, job jobs.Job) error {
		ran <- job.ID
		return nil
	}
	f.Handle("send", "work", policy, handle)
	q, timers := f.other(lanes(jobs.Lane{Name: "work", Every: 3 * time.Second}))
	q.Handle("send", "work", policy, handle)
	start(t, q)
	for i := range 3 {
		id := fmt.Sprintf("send-%d", i)
		f.add(jobs.Job{ID: id, Kind: "send"}) // by a process that runs no loop
		timers.fire(3 * time.Second)
		if got := <-ran; got != id {
			t.Errorf("job %s ran, want %s", got, id)
		}
	}
}

// down is a database that cannot be queried while it is down.
type down struct {
	apps.DynamoDB
	is *atomic.Bool
}

func (d down) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if d.is.Load() {
		return nil, errDown
	}
	return d.DynamoDB.Query(ctx, in, options...)
}

var errDown = errors.New("the database is down")

func TestALoopReportsThatTheQueueCannotBeRead(t *testing.T) {
	f := open(t)
	var ran record
	database, is := f.Database, new(atomic.Bool)
	is.Store(true)
	database.DynamoDB = down{database.DynamoDB, is}
	q, _ := f.otherOn(f.on(database))
	f.Handle("send", "work", policy, ran.handle)
	q.Handle("send", "work", policy, ran.handle)
	f.add(jobs.Job{ID: "send-1", Kind: "send"})
	if _, err := q.Step(t.Context()); !errors.Is(err, errDown) {
		t.Errorf("step: %v, want %v", err, errDown)
	}
	if err := q.Loops()[0].Do(t.Context()); !errors.Is(err, errDown) {
		t.Errorf("the loop returns %v, want %v", err, errDown)
	}
	is.Store(false)
	f.step(q, 1)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := q.Loops()[0].Do(ctx); err != nil {
		t.Errorf("a stopped loop returns %v", err)
	}
}

// TestALaneRecoversWhileASlowJobRuns: it does not wait for the slow job to end.
func TestALaneRecoversWhileASlowJobRuns(t *testing.T) {
	f := open(t)
	b, ran := newBlocked(), make(chan string, 1)
	database, is := f.Database, new(atomic.Bool)
	database.DynamoDB = down{database.DynamoDB, is}
	q, timers := f.otherOn(f.on(database))
	for _, kinds := range []*jobs.Queue{f.Queue, q} {
		kinds.Handle("slow", "work", policy, b.handle)
		kinds.Handle("send", "work", policy, func(_ context.Context, job jobs.Job) error {
			ran <- job.ID
			return nil
		})
	}
	f.add(jobs.Job{ID: "slow", Kind: "slow"})
	group := start(t, q)
	<-b.begun
	is.Store(true)
	f.add(jobs.Job{ID: "send", Kind: "send"})
	timers.fire(5 * time.Second)
	timers.fire(5 * time.Second) // is taken after the first read has failed
	is.Store(false)
	timers.fire(5 * time.Second)
	if got := <-ran; got != "send" {
		t.Errorf("job %s ran, want send", got)
	}
	if state := group.States()[0]; !state.Running || state.Runs != 0 {
		t.Errorf("the loop was restarted: %+v", state)
	}
	b.goOn <- nil
}
