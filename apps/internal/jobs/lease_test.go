package jobs_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"sortkey.dev/access"
	"sortkey.dev/apps"
	"sortkey.dev/apps/internal/jobs"
	"sortkey.dev/apps/internal/platform/platformdb"
)

// heartbeat is the interval of heartbeats.
const heartbeat = lease / 4

// A blocked handler says that it has begun, and waits until it may go on or its context ends.
type blocked struct {
	begun chan jobs.Job
	goOn  chan error
}

func newBlocked() *blocked { return &blocked{begun: make(chan jobs.Job), goOn: make(chan error)} }

func (b *blocked) handle(ctx context.Context, job jobs.Job) error {
	b.begun <- job
	select {
	case err := <-b.goOn:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// slow queues a job, lets a queue begin it, and returns what waits for the queue's step.
func (f *fixture) slow(q *jobs.Queue, b *blocked) (wait func()) {
	f.t.Helper()
	f.add(jobs.Job{ID: "slow", Kind: "slow"})
	wait = f.in(func() {
		if n, err := q.Step(f.t.Context()); err != nil || n != 1 {
			f.t.Errorf("%d jobs were begun (%v), want 1", n, err)
		}
	})
	<-b.begun
	return wait
}

// beat lets a heartbeat happen and returns when it has ended.
func beat(timers *timers) {
	timers.fire(heartbeat)
	timers.fire(heartbeat) // is taken after the first has ended, and changes nothing
}

func TestASlowHandlerKeepsItsLease(t *testing.T) {
	f := open(t)
	b, other := newBlocked(), &record{}
	f.Handle("slow", "work", policy, b.handle)
	q, _ := f.other()
	q.Handle("slow", "work", policy, other.handle)
	wait := f.slow(f.Queue, b)
	for range 20 { // ten times as long as a lease
		f.Clock.Advance(lease - time.Millisecond)
		f.step(q, 0)
		beat(f.timers)
	}
	b.goOn <- nil
	wait()
	f.done("slow")
	if len(other.ids) != 0 {
		t.Errorf("another worker ran %q", other.ids)
	}
}

func TestAWorkerThatLostItsLeaseIsStopped(t *testing.T) {
	f := open(t)
	first, second := newBlocked(), newBlocked()
	cause := make(chan error, 1)
	f.Handle("slow", "work", policy, func(ctx context.Context, job jobs.Job) error {
		err := first.handle(ctx, job)
		cause <- context.Cause(ctx)
		return err
	})
	q, _ := f.other()
	q.Handle("slow", "work", policy, second.handle)
	wait := f.slow(f.Queue, first)
	f.Clock.Advance(lease - time.Millisecond) // its heartbeats do not come through
	f.step(q, 0)
	f.Clock.Advance(time.Millisecond)
	waitSecond := f.in(func() { f.step(q, 1) })
	if job := <-second.begun; job.Tries != 2 {
		t.Errorf("it is attempt %d, want 2", job.Tries)
	}
	f.timers.fire(heartbeat)
	wait()
	if err := <-cause; !errors.Is(err, jobs.ErrLeaseLost) {
		t.Errorf("the cause is %v, want %v", err, jobs.ErrLeaseLost)
	}
	if job := f.job("slow"); job == nil || job.Status != jobs.Running || job.LastError != nil {
		t.Errorf("the first worker has changed the job: %+v", job)
	}
	second.goOn <- nil
	waitSecond()
	f.done("slow")
}

// TestALateSuccessChangesNothing: the worker never learns that it lost the lease.
func TestALateSuccessChangesNothing(t *testing.T) {
	f := open(t)
	first, second := newBlocked(), newBlocked()
	f.Handle("slow", "work", policy, first.handle)
	q, _ := f.other()
	q.Handle("slow", "work", policy, second.handle)
	wait := f.slow(f.Queue, first)
	f.Clock.Advance(lease)
	waitSecond := f.in(func() { f.step(q, 1) })
	<-second.begun
	first.goOn <- nil
	wait()
	if job := f.job("slow"); job == nil || job.Status != jobs.Running {
		t.Errorf("the first worker has finished the job of the second: %+v", job)
	}
	second.goOn <- errors.New("not now")
	waitSecond()
	if job := f.job("slow"); job == nil || job.Status != jobs.Queued || job.Tries != 2 {
		t.Errorf("the job is %+v", job)
	}
}

func TestTheJobOfACrashedWorkerIsTakenOver(t *testing.T) {
	f := open(t)
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	f.add(jobs.Job{ID: "send-1", Kind: "send"})
	held := f.crash("send-1")
	f.Clock.Advance(lease - time.Millisecond)
	f.step(f.Queue, 0)
	f.Clock.Advance(time.Millisecond)
	f.step(f.Queue, 1)
	f.done("send-1")
	// The lost worker comes back.
	err := f.DB.FinishJob(t.Context(), held.Key(), platformdb.FinishJobParams{Lease: held.DueAt})
	if !access.Refused(err) {
		t.Errorf("the job was finished again: %v", err)
	}
}

// crash claims a job as a worker does that is never seen again.
func (f *fixture) crash(id string) platformdb.Job {
	f.t.Helper()
	seen, now := f.job(id), f.Now()
	held, err := f.DB.ClaimJob(f.t.Context(), seen.Key(), now.Add(lease), platformdb.ClaimJobParams{OldDueAt: seen.DueAt, Now: now})
	if err != nil {
		f.t.Fatal(err)
	}
	return held
}

func TestJobThatCrashesEveryWorkerIsDead(t *testing.T) {
	f := open(t)
	var ran record
	f.Handle("send", "work", policy, ran.handle)
	f.add(jobs.Job{ID: "send-1", Kind: "send"})
	for range policy.Tries {
		f.crash("send-1")
		f.Clock.Advance(lease)
	}
	f.step(f.Queue, 1)
	if job := f.job("send-1"); job.Status != jobs.Dead || *job.LastError != "3 attempts ended without a result" || len(ran.ids) != 0 {
		t.Errorf("the job is %+v, ran %q", job, ran.ids)
	}
}

// faulty is a database whose answers to heartbeats get lost. If apply is set, the heartbeat
// reaches the database.
type faulty struct {
	apps.DynamoDB
	apply  func() bool
	broken *atomic.Bool
}

var errFaulty = errors.New("connection reset by peer")

func (d faulty) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	// A heartbeat sets the due time and the sort key of the index; every other update sets more.
	if !d.broken.Load() || strings.Count(*in.UpdateExpression, ",") > 1 {
		return d.DynamoDB.UpdateItem(ctx, in, options...)
	}
	if d.apply() {
		if _, err := d.DynamoDB.UpdateItem(ctx, in, options...); err != nil {
			return nil, err
		}
	}
	return nil, errFaulty
}

// onFaulty returns a queue whose heartbeats fail while broken is set.
func (f *fixture) onFaulty(apply func() bool) (q *jobs.Queue, timers *timers, broken *atomic.Bool) {
	broken = new(atomic.Bool)
	database := f.Database
	database.DynamoDB = faulty{DynamoDB: database.DynamoDB, apply: apply, broken: broken}
	q, timers = f.otherOn(f.on(database))
	return q, timers, broken
}

// TestHeartbeatsWithLostAnswers: it is not known whether the lease was extended, and the job is
// finished in any case.
func TestHeartbeatsWithLostAnswers(t *testing.T) {
	for name, outcomes := range map[string][]bool{ // whether each heartbeat reaches the database
		"the last has": {false, true}, "the first has": {true, false}, "both have": {true, true}, "none has": {false, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t)
			b := newBlocked()
			sent, n := make(chan int, 3), 0
			q, timers, broken := f.onFaulty(func() bool {
				n++
				sent <- n
				return outcomes[min(n, 2)-1] // the second is sent again if the first succeeded
			})
			f.Handle("slow", "work", policy, b.handle)
			q.Handle("slow", "work", policy, b.handle)
			wait := f.slow(q, b)
			broken.Store(true)
			for range outcomes {
				f.Clock.Advance(heartbeat)
				timers.fire(heartbeat)
				<-sent
			}
			b.goOn <- nil
			wait()
			f.done("slow")
		})
	}
}

func TestHandlerIsStoppedBeforeALeaseThatCannotBeExtendedEnds(t *testing.T) {
	f := open(t)
	b := newBlocked()
	sent := make(chan struct{})
	q, timers, broken := f.onFaulty(func() bool { sent <- struct{}{}; return false })
	f.Handle("slow", "work", policy, b.handle)
	stopped := make(chan time.Time, 1)
	q.Handle("slow", "work", policy, func(ctx context.Context, job jobs.Job) error {
		err := b.handle(ctx, job)
		stopped <- f.Now()
		return err
	})
	began := f.Now()
	wait := f.slow(q, b)
	broken.Store(true)
	for range 3 {
		f.Clock.Advance(heartbeat)
		timers.fire(heartbeat)
		<-sent
	}
	wait()
	if diff := cmp.Diff(3*heartbeat, (<-stopped).Sub(began)); diff != "" {
		t.Errorf("it was stopped after (-want +got):\n%s", diff)
	}
}

func TestAStoppingWorkerReleasesItsJob(t *testing.T) {
	f := open(t)
	b, other := newBlocked(), &record{}
	f.Handle("slow", "work", policy, b.handle)
	q, _ := f.other()
	q.Handle("slow", "work", policy, other.handle)
	f.add(jobs.Job{ID: "slow", Kind: "slow"}, jobs.Job{ID: "later", Kind: "slow", Due: f.Now().Add(time.Hour)})
	ctx, stop := context.WithCancel(t.Context())
	wait := f.in(func() {
		if _, err := f.Step(ctx); err != nil {
			t.Errorf("step: %v", err)
		}
	})
	<-b.begun
	stop()
	wait()
	if job := f.job("slow"); job.Status != jobs.Queued || job.Tries != 0 || !job.DueAt.Equal(f.Now()) || job.LastError != nil {
		t.Errorf("the job is not released: %+v", job)
	}
	f.step(q, 1)
	f.done("slow")
}

func TestAnAttemptHasATimeout(t *testing.T) {
	f := open(t)
	f.Handle("slow", "work", jobs.Policy{Timeout: time.Nanosecond}, func(ctx context.Context, _ jobs.Job) error {
		<-ctx.Done()
		return ctx.Err()
	})
	f.add(jobs.Job{ID: "slow", Kind: "slow"})
	f.step(f.Queue, 1)
	if job := f.job("slow"); job.Status != jobs.Queued || *job.LastError != "the attempt took longer than 1ns: context deadline exceeded" {
		t.Errorf("the job is %+v: %s", job, *job.LastError)
	}
}
